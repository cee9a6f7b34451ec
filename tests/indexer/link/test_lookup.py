"""Which reference stands at a position."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from indexer.link.index import FileIndex
from indexer.link.lookup import _References
from indexer.model import Reference, Role

READ = int(Role.READ)
# 0: a.bé (five bytes) at 10 and 30; 1: the member `name` of an expression at 20; 2: a call without a name at 20;
# 3: a at 10, which row 0 covers as well; 4: é at 40
REFERENCES: list[Reference] = [
    (0, "a.bé", READ, (10, 30)),
    (0, 0, READ, (20,)),
    (0, 1, READ, (20,)),
    (0, "a", READ, (10,)),
    (0, "é", READ, (40,)),
    (0, None, READ, (12,)),
]
INDEX = cast(FileIndex, SimpleNamespace(facts=SimpleNamespace(expressions=(("member", "x", "name"), ("call", "x")))))


def _linear(position: int) -> tuple[int, int] | None:
    widths: list[int] = [5, 4, 0, 1, 2, 0]
    for number, row in enumerate(REFERENCES):
        for start in row[3]:
            if start <= position < start + widths[number]:
                return number, start
    return None


@pytest.mark.parametrize("position", range(45))
def test_the_first_reference_that_covers_a_position(position: int) -> None:
    found: Any = _References(INDEX, REFERENCES).at(position)
    assert (found and (REFERENCES.index(found[0]), found[1])) == _linear(position)


def test_a_file_without_references() -> None:
    assert _References(INDEX, ()).at(0) is None
