"""Options go before the environment, that before the file, and the file before the defaults."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from codemap import CodeMap, ConfigError

Run = Callable[..., subprocess.CompletedProcess[str]]


def _budget(run: Run, folder: Path, *options: str) -> int:
    done = run("-C", str(folder), "subgraph", "login", "--json", *options)
    assert done.returncode == 0, done.stderr
    budget: int = json.loads(done.stdout)["tokens"]["budget"]
    return budget


def test_each_goes_before_the_next(
    tmp_path: Path, repository: Callable[[Path], None], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "shop"
    repository(folder)
    assert _budget(run, folder) == 4000
    (folder / "codemap.toml").write_text("budget = 3000")
    assert _budget(run, folder) == 3000
    monkeypatch.setenv("CODEMAP_BUDGET", "3500")
    assert _budget(run, folder) == 3500
    assert _budget(run, folder, "--budget", "3700") == 3700
    with CodeMap.open(folder) as code_map:
        assert code_map.subgraph("login", budget=3800).tokens.budget == 3800
        assert code_map.subgraph("login").tokens.budget == 3000
        (folder / "codemap.toml").write_text("budget = 3100\nhops = 0")
        answer = code_map.subgraph("login")
        assert answer.tokens.budget == 3100
        assert {node.hop for node in answer.nodes} == {0}
        (folder / "codemap.toml").write_text("buget = 3100")
        with pytest.raises(ConfigError):
            code_map.subgraph("login")
    done = run("-C", str(folder), "subgraph", "login")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("codemap: codemap.toml: there is no key buget; the nearest is budget")
    assert done.stderr.count("\n") == 1


def test_two_files_are_told(tmp_path: Path, repository: Callable[[Path], None], run: Run) -> None:
    folder = tmp_path / "shop"
    repository(folder)
    (folder / "codemap.toml").write_text("budget = 3000")
    with (folder / "pyproject.toml").open("a") as file:
        file.write("\n[tool.codemap]\nbudget = 2\n")
    done = run("-C", str(folder), "symbol", "login")
    assert done.returncode == 0
    assert "those of codemap.toml count" in done.stderr


def test_a_model_of_the_file_can_be_left_aside(tmp_path: Path, repository: Callable[[Path], None], run: Run) -> None:
    folder = tmp_path / "shop"
    repository(folder)
    (folder / "codemap.toml").write_text("model = 'some-model'")
    for command in (["subgraph", "login"], ["measure"]):
        done = run("-C", str(folder), *command)
        assert done.returncode == 3
        assert "some-model" in done.stderr
        assert run("-C", str(folder), *command, "--model", "").returncode == 0
