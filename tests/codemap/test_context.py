"""`context` on the shop: worked out by hand from its sources."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from queries.tokens import Measure

Run = Callable[..., subprocess.CompletedProcess[str]]
Validate = Callable[[str, object], None]


def _related(answer: dict[str, Any], relation: str) -> list[tuple[str, str, int]]:
    return [(each["qualname"], each["via"]["kind"], each["via"]["line"]) for each in answer[relation]]


@pytest.fixture
def ask(shop: Path, run: Run, validate: Validate) -> Callable[..., dict[str, Any]]:
    def asked(*arguments: str) -> dict[str, Any]:
        done = run("-C", str(shop), "context", "--json", *arguments)
        assert (done.returncode, done.stderr) == (0, "")
        answer: dict[str, Any] = json.loads(done.stdout)
        validate("context", answer)
        return answer

    return asked


Ask = Callable[..., dict[str, Any]]


def test_a_method_with_all_around_it(ask: Ask) -> None:
    answer = ask("shop/sessions.py:29")
    assert (answer["line"], answer["symbol"]["qualname"]) == (29, "Session.is_expired")
    assert [each["qualname"] for each in answer["around"]] == ["Session"]
    assert _related(answer, "calls") == [("Session.expires_at", "calls", 29)]
    assert _related(answer, "callers") == [("login", "calls", 9)]
    assert _related(answer, "overrides") == [("RememberedSession.is_expired", "overrides", 44)]
    assert answer["omitted"] == {}


def test_a_function_and_the_tests_that_reach_it(ask: Ask) -> None:
    answer = ask("shop/prices.py:6")
    assert _related(answer, "callers") == [("Cart.total", "calls", 18)]
    (test,) = answer["tests"]
    assert (test["qualname"], test["distance"], test["via"]["target"]) == (
        "test_empty_cart_costs_nothing",
        2,
        "Cart.total",
    )


def test_types_and_other_names(ask: Ask) -> None:
    answer = ask("shop/auth.py:36")
    assert answer["symbol"]["qualname"] == "require_login.guarded"
    assert [each["qualname"] for each in answer["around"]] == ["require_login"]
    assert [name for name, *_ in _related(answer, "calls")] == ["current_session", "checkout"]
    assert {name for name, *_ in _related(answer, "types")} == {"Session", "SessionExpired"}
    assert ("Session.data", "references", 34) in _related(answer, "uses")


def test_module_level_code(shop: Path, run: Run) -> None:
    shown = run("-C", str(shop), "context", "shop/cart.py:1").stdout
    assert shown.startswith("shop/cart.py:1 is in module-level code\n")
    assert "\n  require_login:29-38 shop/auth.py " in shown


def test_as_text(shop: Path, run: Run) -> None:
    rows = run("-C", str(shop), "context", "shop/prices.py:6:2").stdout.splitlines()
    assert rows[:5] == [
        "shop/prices.py:6 is in with_tax:4-6",
        "  def with_tax(cents: int, rate: float = 0.19) -> int # The price the customer pays.",
        "callers",
        "  Cart.total:16-18 shop/cart.py calls:18 # The sum with tax, in cents.",
        "tests",
    ]
    assert rows[5] == "  test_empty_cart_costs_nothing:4-5 tests/test_cart.py calls:5 Cart.total"
    assert rows[-1].endswith(", fresh")


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
@pytest.mark.parametrize("budget", [60, 100, 150, 200, 300])
def test_the_budget_holds(shop: Path, run: Run, budget: int, form: list[str]) -> None:
    done = run("-C", str(shop), "context", "shop/auth.py:9", "--budget", str(budget), *form)
    if done.returncode == 5:
        smallest = done.stderr.split("works is ")[1].strip()
        assert run("-C", str(shop), "context", "shop/auth.py:9", "--budget", smallest, *form).returncode == 0
        return
    assert (done.returncode, done.stderr) == (0, "")
    assert Measure().count(done.stdout) <= budget


@pytest.mark.parametrize(
    ("place", "code", "said"),
    [
        ("shop/auth.py", 2, "is not PATH:LINE"),
        ("shop/auth.py:0", 2, "counted from 1"),
        ("shop/auth.py:x", 2, "is not PATH:LINE"),
        (":3", 2, "is not PATH:LINE"),
        ("shop/auth.py:99999", 3, "there is no line 99999"),
        ("shop/gone.py:1", 3, "is not in the map"),
    ],
)
def test_what_is_no_place(shop: Path, run: Run, place: str, code: int, said: str) -> None:
    done = run("-C", str(shop), "context", place)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
