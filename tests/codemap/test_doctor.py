"""What is said of an installation and a repository, in good order and in bad."""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import time
from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import SimpleNamespace

import pytest

from codemap import doctor
from codemap.findings import Finding

Run = Callable[..., subprocess.CompletedProcess[str]]
Validate = Callable[[str, object], None]


@pytest.fixture(autouse=True)
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEMAP_LEDGER", str(tmp_path / "ledger.db"))


def _found(folder: Path) -> dict[str, Finding]:
    return {each.name: each for each in doctor.examine(folder)}


def test_in_good_order(run: Run, shop: Path, validate: Validate) -> None:
    done = run("-C", str(shop), "doctor", "--json")
    assert done.returncode == 0, done.stdout
    answer = json.loads(done.stdout)
    validate("doctor", answer)
    states = {each["name"]: each["state"] for each in answer["findings"]}
    assert {name for name, state in states.items() if state == "wrong"} == set()
    assert {"codemap", "python", "sqlite", "pygit2", "tree-sitter", "repository", "configuration", "map"} <= set(states)
    assert {f"extra {name}" for name in doctor.EXTRAS} <= set(states)
    assert "httpx" not in states  # an extra's package is told with its extra


@pytest.mark.parametrize(
    ("origin", "told"), [("/x/memo.py", "not compiled"), (f"/x/memo{EXTENSION_SUFFIXES[0]}", "compiled")]
)
def test_whether_the_linker_is_compiled(
    origin: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda name: SimpleNamespace(origin=origin))
    assert _found(tmp_path)["linker"].text.partition(":")[0] == told


def test_what_is_missing_is_no_fault_and_comes_with_advice(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = importlib.metadata.version

    def version(name: str) -> str:
        if name in ("uvicorn", "mcp"):
            raise importlib.metadata.PackageNotFoundError(name)
        return known(name)

    asked = [
        "click>=8.2",
        "mcp<3,>=2.3; extra == 'server'",
        "uvicorn>=0.34; extra == 'server'",
        "no-such; extra == 'dev'",
    ]
    monkeypatch.setattr(doctor, "requires", lambda name: asked)
    monkeypatch.setattr(doctor, "version", version)
    monkeypatch.setattr("shutil.which", lambda name: None)
    (tmp_path / "plain").mkdir()
    done = run("-C", str(tmp_path / "plain"), "doctor")
    assert done.returncode == 0
    assert "not there: mcp, uvicorn\n" in done.stdout
    assert "→ for `codemap mcp` and `codemap serve`, install codemap-subgraph[server]\n" in done.stdout
    assert "not known to what was installed\n" in done.stdout  # of the other extras
    assert "no-such" not in done.stdout
    assert "→ install git: " in done.stdout
    assert "there is none yet\n" in done.stdout
    assert list((tmp_path / "plain").iterdir()) == []


def test_what_does_not_work_is_wrong(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".codemap").mkdir()
    (tmp_path / ".codemap" / "map.db").write_bytes(b"no map at all" * 100)
    (tmp_path / "codemap.toml").write_text("budgt = 5\n")
    found = _found(tmp_path)
    assert (found["map"].state, found["configuration"].state) == ("wrong", "wrong")
    assert "--full" in str(found["map"].advice)
    assert "budgt" in found["configuration"].text
    assert run("-C", str(tmp_path), "doctor").returncode == 1
    assert _found(tmp_path / "nowhere")["repository"].state == "wrong"


def test_a_stale_map_is_told(tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.py").write_text("def f(): ...\n")
    (tmp_path / ".codemap").mkdir()
    time.sleep(0.05)  # files and folders as young as the look of an update are looked at once more
    assert run("-C", str(tmp_path), "index").returncode == 0
    assert _found(tmp_path)["map"].text.endswith(", up to date")
    (tmp_path / "a.py").write_text("def other(): ...\n")
    assert "next question brings it up to date" in str(_found(tmp_path)["map"].advice)
