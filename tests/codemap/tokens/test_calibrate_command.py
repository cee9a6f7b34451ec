"""`codemap calibrate` as it is typed."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from codemap.tokens import calibrate_http
from codemap.tokens.ratios import FILE, KINDS, Ratios

Run = Callable[..., subprocess.CompletedProcess[str]]
Validate = Callable[[str, object], None]
KEY = "sk-our-own-key"
ELSEWHERE = ("--base-url", "https://example.org/v1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, project_root: Path) -> Path:
    """A part of this project, outside of git."""
    folder = tmp_path_factory.mktemp("part") / "project"
    for name in ("queries", "codemap"):
        shutil.copytree(project_root / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts that were sent to a provider that counts four characters a token."""
    texts: list[str] = []

    def count(self: calibrate_http.Endpoint, model: str, text: str) -> int:
        assert model == "four"
        texts.append(text)
        return 11 + -(-len(text.encode("utf-16-le")) // 8)

    monkeypatch.setattr(calibrate_http.Endpoint, "count", count)
    for name in (*calibrate_http.KEYS, *calibrate_http.BASE_URLS):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CODEMAP_API_KEY", KEY)
    return texts


def test_a_dry_run_shows_what_would_be_sent_and_sends_nothing(
    run: Run, folder: Path, asked: list[str], validate: Validate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CODEMAP_API_KEY")
    done = run("calibrate", "--model", "four", "--dry-run", "--json", cwd=folder)
    report = json.loads(done.stdout)
    validate("calibration", report)
    assert [(each["kind"], each["role"]) for each in report["requests"]] == [
        (kind, role) for kind in KINDS for role in ("small", "large", "check")
    ]
    assert report["requests"][0]["characters"] == 240
    assert asked == []
    assert not (folder / ".codemap" / FILE).exists()
    shown = run("calibrate", "--model", "four", "--dry-run", cwd=folder).stdout
    assert shown.startswith("would ask https://api.openai.com/v1 how many tokens four counts, max_tokens=1:\n")
    assert "\n9 requests, " in shown


def test_what_was_measured_is_shown_and_stored_without_the_key(
    run: Run, folder: Path, asked: list[str], validate: Validate
) -> None:
    done = run("calibrate", "--model", "four", *ELSEWHERE, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    validate("calibration", report)
    assert len(asked) == 9
    assert {kind: ratio["characters_per_token"] for kind, ratio in report["calibration"]["ratios"].items()} == {
        "map": 4.0,
        "json": 4.0,
        "source": 4.0,
    }
    stored = folder / ".codemap" / FILE
    assert Ratios(str(stored.parent)).of("four").overhead == 11
    assert KEY not in stored.read_text() + done.stdout + done.stderr
    done = run("calibrate", "--model", "four", *ELSEWHERE, cwd=folder)
    assert (
        "  map: 4.000 characters a token; the third sample was predicted +0.0% off; budgets keep 10% back\n"
        in done.stdout
    )
    done = run("subgraph", "escape", "--budget", "600", "--model", "four", cwd=folder)
    assert " of 600 (calibrated-characters@1 for four)\n" in done.stdout
    assert 11 + len(done.stdout) / 4 <= 600


def test_a_wrong_call_is_said_before_a_map_is_built(run: Run, tmp_path: Path, asked: list[str]) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    done = run("calibrate", "--model", "four", "--base-url", "http://example.org", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        2,
        "codemap: http would show the key to the network: use https for example.org\n",
    )
    assert not (tmp_path / ".codemap").exists()


def test_a_failure_stores_nothing(run: Run, folder: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrate_http.Endpoint, "count", lambda self, model, text: 7)
    done = run("calibrate", "--model", "flat", *ELSEWHERE, cwd=folder)
    assert done.returncode == 1
    assert done.stderr.startswith("codemap: the counts for flat do not grow with the text")
    assert "flat" not in Ratios(str(folder / ".codemap")).all()
