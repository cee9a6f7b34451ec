"""What holds of answers whatever the budget, on the map of a real package: that of the queries themselves."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import queries
from codemap.home import find
from codemap.render.formats import Format, renderer
from indexer.errors import BudgetTooSmallError
from indexer.pipeline import update
from queries.answers import Node, Subgraph
from queries.pack import Material, pack
from queries.session import Session
from queries.subgraph import subgraph
from queries.tokens import of_answers

BUDGETS = (*range(60, 300, 2), *range(300, 380), *range(380, 1500, 17), *range(1500, 4500, 250))
QUESTION = "the answer is larger than the budget in tokens when a body is shown"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    folder = tmp_path_factory.mktemp("package")
    for file in Path(str(queries.__file__)).parent.glob("*.py"):
        shutil.copy(file, folder)
    update(str(folder), jobs=1)
    with find(folder).open() as opened:
        yield opened


def answers(
    session: Session, form: Format, monkeypatch: pytest.MonkeyPatch, *, include_bodies: bool
) -> Iterator[tuple[int, Subgraph]]:
    """Answers to one question at rising budgets, from the least that works; what there is to show is gathered once."""
    gathered: list[Material] = []
    with monkeypatch.context() as patch:
        patch.setattr("queries.subgraph.pack", lambda material, *_: gathered.append(material))
        subgraph(session, QUESTION, include_bodies=include_bodies, measure=of_answers(), renderer=renderer(form))
    with session.read(), pytest.raises(BudgetTooSmallError) as caught:
        pack(gathered[0], of_answers(), renderer(form), 1)
    for budget in (caught.value.smallest, *(each for each in BUDGETS if each > caught.value.smallest)):
        with session.read():
            yield budget, pack(gathered[0], of_answers(), renderer(form), budget)


def detail(node: Node) -> tuple[int, int, int]:
    """Characters of the signature and of the documentation, and lines of the source."""
    parts = [node.body] if node.body is not None else [text for _, text in node.passages]
    return len(node.signature), len(node.doc), sum(part.count("\n") + 1 for part in parts)


@pytest.mark.parametrize(
    ("form", "bodies"), [("text", False), ("json", False), ("text", True)], ids=["text", "json", "bodies"]
)
def test_a_larger_budget_loses_nothing(
    session: Session, form: Format, bodies: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Symbols with all that was shown of them, and edges; the budget holds each time."""
    shown: dict[int, tuple[int, int, int]] = {}
    edges: set[tuple[int, int, str]] = set()
    for budget, answer in answers(session, form, monkeypatch, include_bodies=bodies):
        assert of_answers().count(renderer(form).render(answer)) <= answer.tokens.estimate <= budget
        now = {node.id: detail(node) for node in answer.nodes}
        for symbol, before in shown.items():
            assert all(a >= b for a, b in zip(now[symbol], before, strict=True))
        joined = {(edge.source.id, edge.target.id, edge.kind) for edge in answer.edges}
        assert joined >= edges
        shown, edges = now, joined
    assert len(shown) > (20 if bodies else 80)
    assert edges or bodies
    if bodies:
        assert any(node.passages for node in answer.nodes)
        assert any(node.body for node in answer.nodes)
