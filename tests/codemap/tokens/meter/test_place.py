"""Where the ledger lives."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from codemap.tokens.meter.place import ledger_path
from indexer.errors import UsageError


def test_the_variable_decides(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CODEMAP_LEDGER", str(tmp_path / "x.db"))
    assert ledger_path() == tmp_path / "x.db"


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, Path("/data/codemap/ledger.db")),
        ("linux", {"XDG_DATA_HOME": "relative"}, Path("/home/ada/.local/share/codemap/ledger.db")),
        ("linux", {}, Path("/home/ada/.local/share/codemap/ledger.db")),
        ("darwin", {}, Path("/home/ada/Library/Application Support/codemap/ledger.db")),
        ("win32", {"LOCALAPPDATA": "/local"}, Path("/local/codemap/ledger.db")),
        ("win32", {}, Path("/home/ada/AppData/Local/codemap/ledger.db")),
    ],
)
def test_each_system_has_its_folder(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: Path
) -> None:
    for name in ("CODEMAP_LEDGER", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ada"))
    monkeypatch.setattr(sys, "platform", platform)
    assert ledger_path() == expected


def test_a_home_folder_that_is_nobodys_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEMAP_LEDGER", "~nobody-of-that-name/ledger.db")
    with pytest.raises(UsageError, match="no such home folder"):
        ledger_path()
