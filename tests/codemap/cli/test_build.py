"""What a run tells a person."""

from __future__ import annotations

import pytest

from codemap.cli.commands import build
from indexer.pipeline.report import Report


def _report(messages: tuple[str, ...]) -> Report:
    return Report(1, 1, 0, 0, 1, 1, 0, 0.5, False, True, {}, messages)


def test_what_was_said_while_it_ran_is_not_said_again(capsys: pytest.CaptureFixture[str]) -> None:
    build._write(_report(("set aside", "a.py: odd\x1b")), ["set aside"], json=False)
    shown = capsys.readouterr()
    assert shown.err == "codemap: a.py: odd\\x1b\n"
    assert shown.out.startswith("1 file, 1 symbol, 0 edges; ")


def test_many_messages_are_cut_short(capsys: pytest.CaptureFixture[str]) -> None:
    build._write(_report(tuple(f"m{number}" for number in range(8))), [], json=False)
    rows = capsys.readouterr().err.splitlines()
    assert rows == [
        *(f"codemap: m{number}" for number in range(5)),
        "codemap: … and 3 more such messages; --json has them all",
    ]
