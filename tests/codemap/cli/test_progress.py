"""A bar for each stage on a terminal, notices elsewhere."""

from __future__ import annotations

import io
import sys
import threading

import pytest

from codemap.cli import progress


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


def _use(watcher: progress.Notices) -> None:
    watcher.begin("extract", 4)
    watcher.advance("extract", 4, 1234)
    watcher.begin("link", 0)
    watcher.advance("link", 3, 99)
    watcher.say("waiting \x1b[31m")


def test_without_a_terminal_only_notices_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.watching(bars=True) as watcher:
        _use(watcher)
    assert capsys.readouterr().err == "codemap: waiting \\x1b[31m\n"
    assert watcher.said == ["waiting \x1b[31m"]


def test_a_terminal_gets_a_bar_for_each_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with progress.watching(bars=True) as watcher:
        _use(watcher)
        assert threading.active_count() == 1, "a process with threads cannot start its workers by a fork"
    shown = terminal.getvalue()
    assert "extract" in shown
    assert "4/4 files" in shown
    assert "1,234 symbols" in shown
    assert "99 edges" in shown
    assert "waiting \\x1b[31m" in shown


def test_update_never_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress.watching(bars=False) as watcher:
        watcher.begin("extract", 4)
        watcher.advance("extract", 4, 1)
    assert terminal.getvalue() == ""


def test_a_refresh_is_told_of_where_it_takes_long(capsys: pytest.CaptureFixture[str]) -> None:
    told = progress.Refreshing()
    told.begin("extract", 99)
    told.begin("link", 4000)
    assert capsys.readouterr().err == ""
    told.begin("extract", 1200)
    assert capsys.readouterr().err == "codemap: bringing the map up to date first: 1,200 files to read\n"
