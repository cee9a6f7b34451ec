"""Whether a map was made by this code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from indexer import program


def test_another_installation_alone_is_no_other_version(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = {"code": program.code_fingerprint(), "installation": program.installation()}
    assert not program.of_another_version(mine)
    assert not program.of_another_version({**mine, "installation": "elsewhere"})
    assert program.of_another_version({"code": "older", "installation": "elsewhere"})
    assert not program.of_another_version({}), "a map that does not say"


def test_what_is_installed_anew_is_another_installation(tmp_path: Path) -> None:
    shutil.copytree(Path(program.__file__).parent, tmp_path / "indexer", ignore=shutil.ignore_patterns("__pycache__"))

    def told(what: str) -> str:
        script = f"from indexer import program; print(program.{what}())"
        run = subprocess.run(
            [sys.executable, "-B", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return run.stdout

    before, code = told("installation"), told("code_fingerprint")
    assert told("installation") == before
    os.utime(tmp_path / "indexer" / "link" / "memo.py", (1, 1))
    assert told("installation") != before
    assert told("code_fingerprint") == code
    (tmp_path / "indexer" / "link" / "more.py").write_text("")
    assert told("code_fingerprint") != code


def test_an_installation_is_its_files_and_not_pythons_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "_ROOT", tmp_path)
    (tmp_path / "link").mkdir()
    module = tmp_path / "link" / "memo.py"
    module.write_text("x = 1\n")
    before = program.installation.__wrapped__()
    (tmp_path / "link" / "__pycache__").mkdir()
    (tmp_path / "link" / "__pycache__" / "memo.pyc").write_bytes(b"")
    assert program.installation.__wrapped__() == before
    os.utime(module, ns=(1, 1))
    assert program.installation.__wrapped__() != before
