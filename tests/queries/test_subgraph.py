from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.errors import BudgetTooSmallError, NotFoundError, UsageError
from queries.answers import Subgraph
from queries.pack import Renderer
from queries.session import Session
from queries.subgraph import subgraph
from queries.tokens import Measure
from tests.queries.conftest import MapBuilder

SHARED = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def places(answer: Subgraph) -> list[str]:
    return [f"{node.path}:{node.qualname}" for node in answer.nodes]


def ask(session: Session, renderer: Renderer, text: str, budget: int = 4000, **options: int | bool) -> Subgraph:
    return subgraph(session, text, budget=budget, measure=Measure(), renderer=renderer, **options)  # type: ignore[arg-type]


def test_what_matches_both_words_comes_before_what_matches_one(session: Session, renderer: Renderer) -> None:
    shown = places(ask(session, renderer, "session timeout"))
    assert shown[0] == "shop/sessions.py:SessionStore.set_expiry"
    assert shown.index("shop/sessions.py:SessionStore") < shown.index("shop/views.py:cart")


def test_a_class_that_bears_a_word_comes_before_a_function_that_does(tmp_path: Path, renderer: Renderer) -> None:
    make = MapBuilder(tmp_path)
    make.file("a.py", "x\n" * 9)
    make.symbol("a.py:session_gate", "function", (1, 2), signature="def session_gate()")
    make.symbol("a.py:SessionGate", "class", (3, 4), signature="class SessionGate")
    with Session.open(str(make.done()), str(tmp_path)) as session:
        assert places(ask(session, renderer, "session"))[:2] == ["a.py:SessionGate", "a.py:session_gate"]


def test_tests_come_after_the_code_they_test(session: Session, renderer: Renderer) -> None:
    shown = places(ask(session, renderer, "login timeout"))
    assert shown.index("shop/auth.py:login") < shown.index("tests/test_auth.py:test_login_timeout")


def test_tests_come_first_when_asked_for(session: Session, renderer: Renderer) -> None:
    assert places(ask(session, renderer, "test login timeout"))[0] == "tests/test_auth.py:test_login_timeout"


def test_two_hops_reach_what_the_words_do_not(session: Session, renderer: Renderer) -> None:
    found = ask(session, renderer, "rotate_token")
    hops = {f"{node.path}:{node.qualname}": node.hop for node in found.nodes}
    assert hops["shop/auth.py:rotate_token"] == 0
    assert hops["shop/auth.py:login"] <= 1
    assert hops["shop/views.py:index"] == 2
    assert "shop/views.py:index" not in places(ask(session, renderer, "rotate_token", hops=0))


def test_no_hops_show_what_matches_and_nothing_around_it(session: Session, renderer: Renderer) -> None:
    answer = ask(session, renderer, "login session timeout", hops=0)
    assert answer.seeds == answer.nodes
    assert {node.hop for node in answer.nodes} == {0}
    assert answer.omitted.symbols == 0
    assert places(ask(session, renderer, "rotate_token", hops=0)) == ["shop/auth.py:rotate_token"]


def test_candidates_are_edges_of_their_own_and_never_cross_languages(session: Session, renderer: Renderer) -> None:
    edges = {
        (edge.source.path, edge.source.qualname, edge.target.path, edge.target.qualname): edge.resolution
        for edge in ask(session, renderer, "login flush").edges
        if edge.kind == "calls"
    }
    login = ("shop/auth.py", "login")
    assert edges[(*login, "shop/auth.py", "rotate_token")] == "resolved"
    assert edges[(*login, "shop/sessions.py", "SessionStore.flush")] == "candidate"
    assert edges[(*login, "shop/sessions.py", "CachedStore.flush")] == "candidate"
    assert not [edge for edge in edges if edge[0] == "web/login.js"]


def test_a_stack_trace_leads_to_its_innermost_frame(session: Session, renderer: Renderer) -> None:
    trace = (
        "Traceback (most recent call last):\n"
        '  File "/srv/app/shop/views.py", line 5, in index\n'
        '  File "/srv/app/shop/auth.py", line 9, in login\n'
        '  File "/usr/lib/python3/json.py", line 3, in loads\n'
        "ValueError: no\n"
    )
    assert places(ask(session, renderer, trace))[:2] == ["shop/auth.py:login", "shop/views.py:index"]


def test_a_misspelt_word_and_a_plural_still_find(session: Session, renderer: Renderer) -> None:
    assert places(ask(session, renderer, "rotat_tokens"))[0] == "shop/auth.py:rotate_token"
    assert places(ask(session, renderer, "roatte"))[0] == "shop/auth.py:rotate_token"


@pytest.mark.parametrize(
    "text", ['"; DROP login', "name : login*", "NEAR(login b)", "login AND", "(((login", "a\0b login"]
)
def test_no_text_breaks_the_search(session: Session, renderer: Renderer, text: str) -> None:
    assert "shop/auth.py:login" in places(ask(session, renderer, text))


@SHARED
@given(text=st.text())
def test_any_text_is_answered_or_not_found(session: Session, renderer: Renderer, text: str) -> None:
    with suppress(NotFoundError):
        assert ask(session, renderer, text).nodes


def test_nothing_found_is_an_error_with_near_names(session: Session, renderer: Renderer) -> None:
    with pytest.raises(NotFoundError) as caught:
        ask(session, renderer, "xylophones")
    assert caught.value.suggestions == ()
    with pytest.raises(NotFoundError):
        ask(session, renderer, "")


def test_every_file_shown_bears_its_header_when_there_is_room(session: Session, renderer: Renderer) -> None:
    headers = {card.path: card.header for card in ask(session, renderer, "login session").files}
    assert headers["shop/sessions.py"] == "Sessions and how long they live."
    assert headers["shop/auth.py"].startswith("Who is asking.")


def test_bodies_are_the_source(session: Session, renderer: Renderer) -> None:
    nodes = ask(session, renderer, "rotate_token", include_bodies=True).nodes
    assert nodes[0].body == "def rotate_token(request):\n    request.token = 1"


@SHARED
@given(budget=st.integers(1, 900), words=st.sampled_from(["login timeout", "session", "flush", "rotate_token login"]))
def test_the_budget_holds_and_the_figure_is_the_cost(
    session: Session, renderer: Renderer, budget: int, words: str
) -> None:
    found = smallest = None
    try:
        found = ask(session, renderer, words, budget)
    except BudgetTooSmallError as error:
        smallest = error.smallest
    if smallest is not None:
        assert budget < smallest
        assert ask(session, renderer, words, smallest).tokens.estimate <= smallest
        with pytest.raises(BudgetTooSmallError):
            ask(session, renderer, words, smallest - 1)
        return
    assert found is not None
    assert found.tokens.estimate == Measure().count(renderer.render(found))
    assert found.tokens.estimate <= budget == found.tokens.budget
    assert found.nodes


@SHARED
@given(budgets=st.tuples(st.integers(60, 900), st.integers(60, 900)))
def test_a_larger_budget_keeps_every_symbol(session: Session, renderer: Renderer, budgets: tuple[int, int]) -> None:
    small, large = sorted(budgets)
    try:
        fewer = places(ask(session, renderer, "login session timeout", small))
    except BudgetTooSmallError:
        return
    assert set(fewer) <= set(places(ask(session, renderer, "login session timeout", large)))


def test_what_is_left_out_is_counted(session: Session, renderer: Renderer) -> None:
    whole, part = (ask(session, renderer, "login", budget) for budget in (4000, 120))
    assert whole.omitted.symbols == 0
    assert whole.omitted.edges == {}
    assert part.omitted.symbols == len(whole.nodes) - len(part.nodes) > 0
    assert part.omitted.files == len(whole.files) - len(part.files)
    kinds = {edge.kind for edge in whole.edges}
    for kind in kinds:
        shown = sum(1 for edge in part.edges if edge.kind == kind)
        assert part.omitted.edges.get(kind, 0) + shown == sum(1 for edge in whole.edges if edge.kind == kind)


def test_the_same_question_gives_the_same_text(session: Session, renderer: Renderer) -> None:
    assert renderer.render(ask(session, renderer, "login", 300)) == renderer.render(
        ask(session, renderer, "login", 300)
    )


def test_senseless_numbers_are_refused(session: Session, renderer: Renderer) -> None:
    with pytest.raises(UsageError):
        ask(session, renderer, "login", 0)
    with pytest.raises(UsageError):
        ask(session, renderer, "login", hops=-1)
