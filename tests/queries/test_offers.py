"""What an answer could show: nothing stands before what it belongs to, so that any beginning is an answer."""

from __future__ import annotations

import pytest

from indexer.store.reader import SymbolRow
from queries.answers import FileCard
from queries.expand import Reached
from queries.offers import IN_FILE, LISTED, NAME, WORTH, Item, offers


def _row(number: int) -> SymbolRow:
    return SymbolRow(
        number, 1, f"{number % 7}.py", "python", 0, f"f{number}", f"f{number}", 0, "function", 0, 1, 2, 1,
        f"def f{number}()", "Short." if number % 2 else "", 0,
    )  # fmt: skip


def test_nothing_comes_before_its_symbol_however_many_there_are() -> None:
    """Symbols beyond the first 70 are spread out; what belongs to them has to follow."""
    count = 3 * LISTED
    nodes = [Reached(_row(number), 1.0, 0) for number in range(1, count + 1)]
    cards = {each.row.path: FileCard(each.row.path, "python", "Why.", "committed") for each in nodes}
    ties = [(number, (number * 31) % count + 1, "f") for number in range(1, count + 1)]
    items = offers(nodes, cards, ties, lambda _: (30, 400, 900))
    once = [(item.kind, item.subject) for item in items if item.kind != "lines"]
    assert len(set(once)) == len(once)
    assert sum(item.kind == "lines" for item in items) == 3 * count

    shown: set[int | str] = set()
    paths: set[int | str] = set()
    for item in items:
        if item.kind == "symbol":
            shown.add(item.subject)
            paths.add(nodes[int(item.subject) - 1].row.path)
        else:
            assert _needed(item, ties) <= (paths if item.kind in ("title", "header") else shown), item


@pytest.mark.parametrize("within", [1, 8.5, 40, 200, 10_000])
def test_a_beginning_of_the_list_is_that_of_the_whole(within: float) -> None:
    """The last symbol is the class around the fifth, which brings it forward."""
    rows = [_row(number) for number in range(1, 101)]
    rows[4] = rows[4]._replace(parent=100)
    nodes = [Reached(row, 1.0, 0) for row in rows]
    cards = {row.path: FileCard(row.path, "python", "Why.\nMore.", "committed") for row in rows}
    ties = [(number, (number * 31) % 100 + 1, "f") for number in range(1, 101)]
    whole = offers(nodes, cards, ties)
    assert offers(nodes, cards, ties, None, within) == [item for item in whole if item.place < within]
    assert [item.subject for item in whole if item.kind == "symbol"][3:6] == [4, 100, 5]


def test_detail_is_worth_less_for_each_symbol_of_a_file_after_the_second() -> None:
    """Signatures so long that each costs more than a name: the first ten places of the list lie 1 apart."""
    signature = "def f(" + "a" * 60 + ")"
    rows = [_row(number)._replace(path="one.py", name="f", signature=signature, doc="") for number in range(1, 5)]
    nodes = [Reached(row, 1.0, 0) for row in rows]
    items = offers(nodes, {"one.py": FileCard("one.py", "python", "", "committed")}, [])
    dear = (len(signature) - 1 + 4) / (NAME * WORTH["signature"])
    shares = [1.0, 1.0, IN_FILE, IN_FILE**2]
    want = [(rank + 10) * dear / share - 10 + 0.5 for rank, share in enumerate(shares)]
    assert [item.place for item in items if item.kind == "signature"] == pytest.approx(want)


def test_a_step_never_comes_before_the_one_it_adds_to() -> None:
    """144 characters are worth a name: 30 of the first step lie where the name is, 288 and 576 at 10 and 30."""
    row = _row(2)
    cards = {row.path: FileCard(row.path, "python", "", "committed")}
    items = offers([Reached(row, 1.0, 0)], cards, [], lambda _: (30, 288, 576))
    lines = [(item.place, item.size) for item in items if item.kind == "lines"]
    assert lines == [(0.5, 30), (10.5, 258), (30.5, 288)]


def _needed(item: Item, ties: list[tuple[int, int, str]]) -> set[int | str]:
    return set(ties[int(item.subject)][:2]) if item.kind == "edge" else {item.subject}
