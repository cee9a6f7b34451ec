"""What is shown of a symbol's source, step by step, worked out by hand."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from indexer.store.reader import SymbolRow
from queries.answers import Passage
from queries.excerpts import MOST_LINES, STEP, Excerpts
from queries.session import Session
from queries.words import understand
from tests.queries.conftest import MapBuilder


def _long(tmp_path: Path, lines: list[str]) -> Path:
    make = MapBuilder(tmp_path)
    make.file("a.py", "\n".join(["# Above.", "", *lines]) + "\n")
    make.symbol("a.py:long", "function", (3, len(lines) + 2))
    return make.done()


def _numbered(count: int) -> list[str]:
    """A function whose lines say which of the file they are: `step_4()` is line 4."""
    return ["def long():", *(f"    step_{number}()" for number in range(4, count + 3))]


def _row(session: Session) -> SymbolRow:
    with session.read() as reader:
        return next(row for row in reader.symbols_in("a.py") if row.qualname == "long")


def test_bodies_of_code_alone(session: Session) -> None:
    with session.read() as reader:
        rows = reader.symbols_in("shop/sessions.py")
    excerpts = Excerpts(session, understand("flush"))
    texts = {row.qualname: excerpts.shown(row, len(sizes)) for row in rows if (sizes := excerpts.sizes(row))}
    assert texts["SessionStore.flush"] == ("    def flush(self):\n        self.data = {}", ())
    cached = "class CachedStore(SessionStore):\n    def flush(self):\n        super().flush()"
    assert texts["CachedStore"] == (cached, ())
    assert not {"<module>", "LIFETIME"} & texts.keys()


def test_a_file_that_has_become_shorter_has_no_source(session: Session, root: Path) -> None:
    (root / "shop/auth.py").write_text("def login(): ...\n")
    with session.read() as reader:
        rows = reader.symbols_in("shop/auth.py")
    assert not any(Excerpts(session, understand("login")).sizes(row) for row in rows)


def test_lines_with_words_come_first_with_what_is_around_them(tmp_path: Path) -> None:
    """Of 40 lines, 3 to 42 of the file, two have words: 20 says both, 32 one. The first step is line 3, 19 to 22, and
    31 to 33, eight lines; the second ends 31 to 34 and goes on from the top."""
    lines = _numbered(40)
    lines[17] = "    if login and timeout:"
    lines[29] = "    relogin()"
    with Session.open(str(_long(tmp_path, lines)), str(tmp_path)) as session:
        excerpts, row = Excerpts(session, understand("login timeout")), _row(session)
        assert excerpts.shown(row, 1) == (
            None,
            (
                Passage(3, "def long():"),
                Passage(19, "    step_19()\n    if login and timeout:\n    step_21()\n    step_22()"),
                Passage(31, "    step_31()\n    relogin()\n    step_33()"),
            ),
        )
        assert excerpts.shown(row, 2)[1] == (
            Passage(3, "\n".join(lines[:8])),
            Passage(19, "\n".join(lines[16:20])),
            Passage(31, "\n".join(lines[28:32])),
        )
        assert excerpts.shown(row, len(excerpts.sizes(row))) == ("\n".join(lines), ())


@pytest.mark.parametrize("text", ["step_9 step_30", "nothing of it", "4"])
def test_more_room_takes_no_line_away(tmp_path: Path, text: str) -> None:
    lines = _numbered(60)
    with Session.open(str(_long(tmp_path, lines)), str(tmp_path)) as session:
        excerpts, row = Excerpts(session, understand(text)), _row(session)
        sizes = excerpts.sizes(row)
        shown = []
        for step in range(1, len(sizes)):
            _, passages = excerpts.shown(row, step)
            numbers = {line + i for line, text in passages for i in range(text.count("\n") + 1)}
            for line, part in passages:
                assert part.split("\n") == lines[line - 3 : line - 3 + part.count("\n") + 1]
            shown.append(numbers)
    assert all(a < b for a, b in pairwise(sizes))
    assert all(a < b and len(b - a) >= STEP for a, b in pairwise(shown))


def test_a_short_body_is_shown_whole_or_not_at_all(tmp_path: Path) -> None:
    lines = _numbered(STEP)
    with Session.open(str(_long(tmp_path, lines)), str(tmp_path)) as session:
        excerpts, row = Excerpts(session, understand("step_5")), _row(session)
        assert len(excerpts.sizes(row)) == 1
        assert excerpts.shown(row, 1) == ("\n".join(lines), ())


def test_a_very_long_body_is_never_shown_whole(tmp_path: Path) -> None:
    lines = _numbered(2 * MOST_LINES)
    with Session.open(str(_long(tmp_path, lines)), str(tmp_path)) as session:
        excerpts, row = Excerpts(session, understand("nothing of it")), _row(session)
        body, (passage,) = excerpts.shown(row, len(excerpts.sizes(row)))
    assert body is None
    assert MOST_LINES - STEP < len(passage.text.split("\n")) <= MOST_LINES


def test_methods_are_left_to_themselves(tmp_path: Path) -> None:
    """A class of twelve lines, one method in lines 6 to 12: what is outside of it, without blank lines at the ends."""
    lines = ["class Long:", "    limit = 3", "", "    def m(self):", *["        pass"] * 6, "", "    last = 4"]
    make = MapBuilder(tmp_path)
    make.file("a.py", "\n".join(["# Above.", "", *lines]) + "\n")
    make.symbol("a.py:long", "class", (3, 14))
    make.symbol("a.py:long.m", "method", (6, 12))
    with Session.open(str(make.done()), str(tmp_path)) as session:
        excerpts, row = Excerpts(session, understand("pass")), _row(session)
        assert len(excerpts.sizes(row)) == 1
        assert excerpts.shown(row, 1)[1] == (Passage(3, "class Long:\n    limit = 3"), Passage(14, "    last = 4"))


def test_a_class_with_nothing_but_methods_has_no_source_of_its_own(tmp_path: Path) -> None:
    lines = ["class Long:", "    def m(self):", *["        pass"] * 9]
    make = MapBuilder(tmp_path)
    make.file("a.py", "\n".join(["# Above.", "", *lines]) + "\n")
    make.symbol("a.py:long", "class", (3, 13))
    make.symbol("a.py:long.m", "method", (4, 13))
    with Session.open(str(make.done()), str(tmp_path)) as session:
        assert Excerpts(session, understand("pass")).sizes(_row(session)) == ()
