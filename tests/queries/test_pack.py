from __future__ import annotations

from pathlib import Path

import pytest

from indexer.errors import BudgetTooSmallError
from queries.answers import Subgraph
from queries.offers import SHORT_SIGNATURE
from queries.pack import QUERY_ECHO, Renderer
from queries.session import Session
from queries.subgraph import subgraph
from queries.tokens import Measure
from tests.queries.conftest import MapBuilder, shop


def ask(session: Session, renderer: Renderer, text: str, budget: int = 4000) -> Subgraph:
    return subgraph(session, text, budget=budget, measure=Measure(), renderer=renderer)


@pytest.mark.parametrize("text", ["login timeout", "session", "flush store"])
@pytest.mark.parametrize("budget", [90, 200, 4000])
def test_answers_do_not_depend_on_ids(tmp_path: Path, renderer: Renderer, text: str, budget: int) -> None:
    rendered = []
    for name, first, step in (("up", 1, 1), ("down", 900, -7)):
        folder = tmp_path / name
        folder.mkdir()
        make = MapBuilder(folder, first=first, step=step)
        shop(make)
        with Session.open(str(make.done()), str(folder)) as session:
            rendered.append(renderer.render(ask(session, renderer, text, budget)))
    assert rendered[0] == rendered[1]


def test_a_long_signature_is_cut_when_there_is_no_room(tmp_path: Path, renderer: Renderer) -> None:
    make = MapBuilder(tmp_path)
    make.file("a.py", "def wide(): ...\n")
    signature = "def wide(" + ", ".join(f"argument_{n}" for n in range(20)) + ")"
    make.symbol("a.py:wide", "function", (1, 1), signature=signature)
    with Session.open(str(make.done()), str(tmp_path)) as session:
        small = ask(session, renderer, "wide", 80).nodes[0].signature
        assert ask(session, renderer, "wide").nodes[0].signature == signature
    assert len(small) == SHORT_SIGNATURE
    assert small.endswith("…")


def test_the_least_answer_is_a_name_alone(session: Session, renderer: Renderer) -> None:
    with pytest.raises(BudgetTooSmallError) as caught:
        ask(session, renderer, "login timeout", 1)
    (node,) = ask(session, renderer, "login timeout", caught.value.smallest).nodes
    assert (node.signature, node.doc) == ("", "")


def test_a_long_question_is_not_repeated_whole(session: Session, renderer: Renderer) -> None:
    answer = ask(session, renderer, "login\n" + "and some more words " * 500)
    assert len(answer.query) == QUERY_ECHO
    assert answer.query.startswith("login and some")


def test_edges_join_shown_symbols_once(session: Session, renderer: Renderer) -> None:
    answer = ask(session, renderer, "login session")
    shown = {node.id for node in answer.nodes}
    keys = [(edge.source.id, edge.target.id, edge.kind) for edge in answer.edges]
    assert keys
    assert len(set(keys)) == len(keys)
    assert {end for source, target, _ in keys for end in (source, target)} <= shown
