"""Lines of standard input → places."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from codemap.cli import positions
from codemap.cli.positions import LONGEST, Position
from indexer.errors import UsageError
from queries.definition import TOGETHER, Place


class Pieces:
    """A stream of which each piece arrives by itself."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = list(pieces)

    def read1(self, size: int, /) -> bytes:
        return self.pieces.pop(0) if self.pieces else b""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _read(root: Path, data: bytes) -> list[Position]:
    return [each for together in positions.arriving(io.BytesIO(data), root) for each in together]


@pytest.mark.parametrize(
    ("line", "text", "place"),
    [
        (b"a.py:1:2", "a.py:1:2", ("a.py", 1, 2)),
        (b"a.py:1:2\r", "a.py:1:2", ("a.py", 1, 2)),
        (b"\xef\xbb\xbfa.py:1:2 \t", "a.py:1:2", ("a.py", 1, 2)),
        (b"./src/../a.py:1:2", "./src/../a.py:1:2", ("a.py", 1, 2)),
        (b"my file.py:3:0", "my file.py:3:0", ("my file.py", 3, 0)),
        (b" a.py:3:0", " a.py:3:0", (" a.py", 3, 0)),
        (b"odd:1:2.py:3:0", "odd:1:2.py:3:0", ("odd:1:2.py", 3, 0)),
        ("é.py:1:0".encode(), "é.py:1:0", ("é.py", 1, 0)),
        (b"a\xff.py:1:0", "a\\xff.py:1:0", ("a\\xff.py", 1, 0)),
    ],
)
def test_a_line(root: Path, line: bytes, text: str, place: tuple[str, int, int]) -> None:
    assert _read(root, line) == _read(root, line + b"\n") == [Position(text, Place(*place))]


def test_an_absolute_path(root: Path) -> None:
    (found,) = _read(root, f"{root / 'src' / 'a.py'}:1:2".encode())
    assert found.place == Place("src/a.py", 1, 2)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"", "the line is empty"),
        (b"  \r", "the line is empty"),
        (b"a.py", "not PATH:LINE:COLUMN"),
        (b"a.py:1", "not PATH:LINE:COLUMN"),
        (b"a.py:0:0", "counted from 1"),
        (b"a.py:1:-1", "not PATH:LINE:COLUMN"),
        (b"a\0.py:1:1", "NUL"),
        (b"\xff\xfe\x00", "NUL"),
        (b"../a.py:1:1", "outside of"),
        (b"/etc/passwd:1:1", "outside of"),
        (b"a" * LONGEST + b":1:1", "longer than 8,192 bytes"),
    ],
)
def test_a_bad_line_says_what_is_wrong_and_ends_nothing(root: Path, line: bytes, says: str) -> None:
    bad, good = _read(root, line + b"\na.py:1:2\n")
    assert isinstance(bad.place, UsageError)
    assert says in str(bad.place)
    assert good == Position("a.py:1:2", Place("a.py", 1, 2))


def test_a_line_without_end_is_not_kept(root: Path) -> None:
    pieces = [b"a.py:1:2\nb"] + [b"x" * 60_000] * 50 + [b":1:1\nc.py:1:2"]
    first, bad, last = (each for together in positions.arriving(Pieces(*pieces), root) for each in together)
    assert (first.text, last.text) == ("a.py:1:2", "c.py:1:2")
    assert bad.text == "b" + "x" * 199 + "…"


def test_lines_are_given_as_they_arrive(root: Path) -> None:
    stream = Pieces(b"a.py:1:1\nb.py:", b"1:1\n", b"c.py:1:1")
    assert [[each.text for each in together] for together in positions.arriving(stream, root)] == [
        ["a.py:1:1"], ["b.py:1:1"], ["c.py:1:1"],
    ]  # fmt: skip


def test_many_lines_are_given_in_parts(root: Path) -> None:
    given = [len(together) for together in positions.arriving(io.BytesIO(b"a.py:1:1\n" * (TOGETHER + 1)), root)]
    assert given == [TOGETHER, 1]
    assert list(positions.arriving(io.BytesIO(b""), root)) == []


def test_standard_input_may_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UsageError, match="closed"):
        positions.standard_input()
