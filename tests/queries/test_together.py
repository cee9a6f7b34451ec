"""What commits changed together, in the graph around matches and as a reason."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codemap.home import find
from indexer.pipeline import follow, update
from queries.expand import TOGETHER, expand, together
from queries.graph import whole
from queries.search import search
from queries.session import Session
from queries.subgraph import subgraph
from queries.tokens import Measure
from queries.wish import Wish
from queries.words import understand
from tests.indexer.repositories import Past
from tests.queries.conftest import PlainRenderer

STOP = "def stop():\n    return {0}\n"
PARSE = "class Reader:\n    def parse(self):\n        return {0}\n\ndef other():\n    pass\n"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """Four commits changed both `stop` and `parse`, which no edge joins; one of them speaks of penguins."""
    made = Past(tmp_path_factory.mktemp("together") / "repository")
    for number in range(4):
        said = "Feed the penguins" if number == 2 else f"Step {number}"
        made.commit(said, {"a.py": STOP.format(number), "b.py": PARSE.format(number)})
    for number in range(30):
        made.commit(f"Chores {number}", {"c.py": f"x = {number}\n"})
    update(str(made.root), jobs=1)
    follow(str(made.root))
    with find(made.root).open() as opened:
        yield opened


def test_relevance_passes_to_what_changed_with_a_match(session: Session) -> None:
    found = search(session, understand("stop"))
    (flow,) = together(session, [found[0].row])
    names = {each.row.id: each.row.qualname for each in expand(session, found, 1)}
    assert [names[end] for end in flow[:2]] == ["stop", "Reader.parse"]
    assert flow[2] == TOGETHER
    assert "other" not in names.values()


def test_the_reasons_name_it(session: Session) -> None:
    answer = _explained(session, "stop")
    assert answer["stop"] == ("named", "stop:name")
    assert answer["Reader.parse"] == ("changes_with<stop",)


def test_the_reasons_name_what_messages_brought_in(session: Session) -> None:
    answer = _explained(session, "penguins")
    assert set(answer["stop"]) == set(answer["Reader.parse"]) == {"history"}


def test_the_whole_graph_has_it(session: Session) -> None:
    edges = [(a, b, data) for a, b, data in whole(session).edges(data=True) if data["kind"] == "changes_with"]
    assert ("a.py:stop", "b.py:Reader.parse", 4, 1.0) in [(a, b, d["support"], d["confidence"]) for a, b, d in edges]
    assert whole(session, ["changes_with"]).number_of_edges() == len(edges)
    assert not [1 for *_, kind in whole(session, ["calls"]).edges(data="kind") if kind == "changes_with"]


def _explained(session: Session, query: str) -> dict[str, tuple[str, ...]]:
    wish = Wish(explain=True)
    answer = subgraph(session, query, budget=100_000, wish=wish, measure=Measure(), renderer=PlainRenderer())
    return {node.qualname: node.why for node in answer.nodes}
