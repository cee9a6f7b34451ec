"""The history of a symbol as text and JSON; messages are strangers' text."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from codemap.render.history import coverage, json_history, text_history
from queries.answers import Node, Staleness
from queries.history import Change, Companion, Coverage, History
from queries.tokens import Measure

Validate = Callable[[str, object], None]


@pytest.fixture
def answer(nodes: dict[str, Node]) -> History:
    commits = (
        Change("a" * 40, 1_700_000_000, "Fix \x1b[31mlogin\u202e", 2),
        Change("b" * 40, 10**15, "Begin", 1),  # no calendar has that year
    )
    companions = (Companion(nodes["flush"], 3, 0.75), Companion(nodes["module"], 1, 0.25))
    return History((nodes["login"],), 4, 1_600_000_000, 1_700_000_000, commits, companions, Coverage(400, 5000, ("x",)))


def test_text(answer: History, fresh: Staleness, measure: Measure) -> None:
    assert text_history(answer, fresh, measure).splitlines()[:-2] == [
        "history of shop/auth.py:login:6-13: 4 commits, 2020-09-13 to 2023-11-14",
        "  2023-11-14 aaaaaaaaaa Fix \\x1b[31mlogin\\u202e (2 files)",
        "  unknown bbbbbbbbbb Begin (1 file)",
        "  … and 2 commits more",
        "changes with:",
        "  shop/sessions.py:Session.flush:31-35 3 commits, 75%",
        "  shop/cart.py 1 commit, 25%",
        "history: 400 of 5,000 commits are indexed, more with every update; x",
    ]


def test_json(answer: History, fresh: Staleness, measure: Measure, validate: Validate) -> None:
    text = json_history(answer, fresh, measure)
    assert "\x1b" not in text
    shown = json.loads(text)
    validate("history", shown)
    assert (shown["changes"], shown["first"], shown["last"]) == (4, "2020-09-13T12:26:40Z", "2023-11-14T22:13:20Z")
    assert [commit["time"] for commit in shown["commits"]] == ["2023-11-14T22:13:20Z", None]
    assert [(each["symbol"]["qualname"], each["support"], each["confidence"]) for each in shown["changes_with"]] == [
        ("Session.flush", 3, 0.75),
        ("<module>", 1, 0.25),
    ]
    assert shown["coverage"] == {"indexed": 400, "window": 5000, "complete": False, "notes": ["x"]}


def test_nothing_known(nodes: dict[str, Node], fresh: Staleness, measure: Measure, validate: Validate) -> None:
    answer = History((nodes["login"],), 0, None, None, (), (), Coverage(0, 0, ()))
    shown = text_history(answer, fresh, measure).splitlines()
    assert shown[:2] == [
        "history of shop/auth.py:login:6-13: no commit that is indexed touched it",
        "history: not indexed",
    ]
    validate("history", json.loads(json_history(answer, fresh, measure)))


def test_coverage_in_a_line() -> None:
    assert coverage(Coverage(1, 1, ())) == "history: 1 commit indexed"
    assert coverage(Coverage(5, 5, ("older commits are not in this clone",))) == (
        "history: 5 commits indexed; older commits are not in this clone"
    )
