from __future__ import annotations

from indexer.model import Flag
from indexer.store.dispatch import EdgeRow
from indexer.store.reader import SymbolRow
from queries.answers import Edge, Node
from queries.nodes import TEST_FLAG, edges, in_order, is_test, node

ROW = SymbolRow(
    id=7,
    file=2,
    path="a.py",
    language="python",
    test_file=0,
    name="save",
    qualname="Cart.save",
    ordinal=1,
    kind="method",
    parent=6,
    start_line=3,
    end_line=9,
    name_line=4,
    signature="def save(self)",
    doc="Keep it.",
    flags=0,
)
OTHER = ROW._replace(id=8, path="b.py", qualname="load", ordinal=0, start_line=1)
NODES = {7: node(ROW), 8: node(OTHER)}


def test_a_row_as_a_node() -> None:
    assert node(ROW, hop=2, score=0.5, body="pass") == Node(
        7, "a.py", "Cart.save", "method", 3, 9, 4, "def save(self)", "Keep it.", False, 2, 0.5, "pass"
    )


def test_test_code_is_told_by_its_file_or_its_flag() -> None:
    assert int(Flag.TEST) == TEST_FLAG
    assert not is_test(ROW._replace(flags=int(~Flag.TEST & 0xFFFF)))
    assert is_test(ROW._replace(flags=int(Flag.TEST | Flag.ASYNC)))
    assert is_test(ROW._replace(test_file=1))


def test_ties_are_broken_by_place_and_never_by_id() -> None:
    again = ROW._replace(id=1, ordinal=2)
    assert sorted([OTHER, again, ROW], key=in_order) == [ROW, again, OTHER]


def test_an_edge_counts_once_with_its_least_evidence() -> None:
    rows = [EdgeRow(7, 8, "calls", 5, "type"), EdgeRow(7, 8, "calls", 5, "scope"), EdgeRow(7, 99, "calls", 5, "scope")]
    certain, possible = edges(rows, [], NODES)
    assert certain == (Edge(NODES[7], NODES[8], "calls", "resolved", 5, "scope"),)
    assert possible == ()


def test_no_candidate_where_the_edge_is_resolved() -> None:
    resolved = [EdgeRow(7, 8, "calls", 5, "scope")]
    candidates = [
        EdgeRow(7, 8, "calls", 5, "name"),
        EdgeRow(7, 8, "calls", 6, "name"),
        EdgeRow(8, 7, "calls", 2, "name"),
    ]
    _, possible = edges(resolved, candidates, NODES)
    assert [(edge.source.id, edge.target.id, edge.line, edge.resolution) for edge in possible] == [
        (7, 8, 6, "candidate"),
        (8, 7, 2, "candidate"),
    ]
