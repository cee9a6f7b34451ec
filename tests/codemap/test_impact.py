"""`impact` on the shop: worked out by hand from its sources."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codemap import CodeMap, UsageError
from queries.tokens import Measure

Run = Callable[..., subprocess.CompletedProcess[str]]
Validate = Callable[[str, object], None]


@pytest.fixture
def work(shop: Path, tmp_path: Path) -> Path:
    """A copy of the shop to change."""
    return Path(shutil.copytree(shop, tmp_path / "shop", symlinks=True))


@pytest.fixture
def ask(run: Run, validate: Validate) -> Callable[..., dict[str, Any]]:
    def asked(folder: Path, *arguments: str) -> dict[str, Any]:
        done = run("-C", str(folder), "impact", "--json", *arguments)
        assert (done.returncode, done.stderr) == (0, "")
        answer: dict[str, Any] = json.loads(done.stdout)
        validate("impact", answer)
        return answer

    return asked


Ask = Callable[..., dict[str, Any]]


def _replace(folder: Path, path: str, old: str, new: str) -> None:
    text = (folder / path).read_text(encoding="utf-8")
    assert old in text
    (folder / path).write_text(text.replace(old, new), encoding="utf-8")


def _names(answer: dict[str, Any], part: str) -> list[str]:
    return [each["qualname"] for each in answer[part]]


def _reasons(answer: dict[str, Any], part: str = "dependents") -> list[tuple[str, int, str, int, str]]:
    return [
        (each["qualname"], each["distance"], each["via"]["kind"], each["via"]["line"], each["via"]["qualname"])
        for each in answer[part]
    ]


def test_of_a_symbol_with_the_tests_apart(shop: Path, ask: Ask) -> None:
    answer = ask(shop, "with_tax")
    assert _names(answer, "changed") == ["with_tax"]
    assert _reasons(answer) == [
        ("Cart.total", 1, "calls", 18, "with_tax"),
        ("checkout", 2, "calls", 27, "Cart.total"),
        ("require_login.guarded", 3, "calls", 36, "checkout"),
        ("require_login", 4, "references", 38, "require_login.guarded"),
    ]
    (tests,) = answer["tests"]
    assert (answer["files"][tests["file"]], tests["total"], tests["distance"]) == ("tests/test_cart.py", 1, 2)
    assert tests["symbols"][0]["via"]["qualname"] == "Cart.total"


def test_a_class_stands_for_its_members(shop: Path, ask: Ask) -> None:
    answer = ask(shop, "shop/sessions.py:Session", "--hops", "1")
    assert _names(answer, "changed") == ["Session"]
    reasons = {(name, kind, target) for name, _, kind, _, target in _reasons(answer)}
    assert {
        ("RememberedSession", "inherits", "Session"),
        ("RememberedSession.is_expired", "overrides", "Session.is_expired"),
        ("logout", "calls", "Session.flush"),
    } <= reasons
    assert not any(name.startswith("Session.") for name, *_ in _reasons(answer))


def test_of_uncommitted_work(work: Path, run: Run, ask: Ask) -> None:
    _replace(work, "shop/sessions.py", "return self.touched + self.timeout", "return self.touched + self.timeout + 1")
    (work / "shop/fresh.py").write_text(
        "from shop.prices import discount\n\n\ndef half(cents):\n    return discount(cents, 50)\n"
    )
    assert run("-C", str(work), "update").returncode == 0
    answer = ask(work)
    assert answer["of"] == "uncommitted changes"
    assert _names(answer, "changed") == ["<module>", "half", "Session.expires_at"]
    assert _reasons(answer)[:2] == [
        ("Session.is_expired", 1, "calls", 29, "Session.expires_at"),
        ("login", 2, "calls", 9, "Session.is_expired"),
    ]
    assert answer["gone"] == []


def test_comments_and_blank_lines_outside_of_functions_are_no_change(work: Path, run: Run, ask: Ask) -> None:
    _replace(work, "shop/prices.py", "def discount", "# cheaper\n\n\ndef discount")
    assert run("-C", str(work), "update").returncode == 0
    answer = ask(work)
    assert (answer["changed"], answer["notes"]) == ([], ["no symbol of the map changed"])


def test_what_is_gone_and_who_still_refers_to_it(work: Path, run: Run, ask: Ask) -> None:
    _replace(work, "shop/prices.py", "def with_tax(", "def with_taxes(")
    _replace(work, "shop/sessions.py", "    def touch(self)", "    def touch_again(self)")
    (work / "shop/sessions.py").rename(work / "shop/visits.py")
    assert run("-C", str(work), "update").returncode == 0
    answer = ask(work, "--diff", "HEAD")
    gone = {
        (each["path"], each["qualname"]): (
            each.get("now"),
            [(answer["files"][m["file"]], m["line"], m["kind"], m.get("resolution")) for m in each["mentions"]],
        )
        for each in answer["gone"]
    }
    assert gone == {
        ("shop/prices.py", "with_tax"): (
            None,
            [("shop/cart.py", 3, "imports", None), ("shop/cart.py", 18, "calls", None)],
        ),
        ("shop/sessions.py", "<module>"): ("shop/visits.py", [("shop/auth.py", 3, "imports", None)]),
        ("shop/sessions.py", "Session.touch"): ("shop/visits.py", [("shop/visits.py", 35, "calls", None)]),
    }
    text = run("-C", str(work), "impact").stdout
    assert "\nshop/prices.py:with_tax, named by shop/cart.py:3+18\n" in text
    assert "\nshop/sessions.py (now shop/visits.py), named by shop/auth.py:3\n" in text


def test_a_deleted_file(work: Path, run: Run, ask: Ask) -> None:
    (work / "shop/prices.py").unlink()
    assert run("-C", str(work), "update").returncode == 0
    answer = ask(work)
    mentions = {each["qualname"]: [m["line"] for m in each["mentions"]] for each in answer["gone"]}
    assert mentions == {"<module>": [3]}


def test_the_present_map_is_asked_about_an_old_difference(work: Path, run: Run, ask: Ask) -> None:
    import pygit2

    repository = pygit2.Repository(work)
    _replace(work, "shop/prices.py", "round(cents * (1 + rate))", "int(cents * (1 + rate))")
    repository.index.add("shop/prices.py")
    author = pygit2.Signature("Test", "test@example.org", 1_700_000_100, 0)
    head = repository.head.target
    repository.create_commit("HEAD", author, author, "truncate", repository.index.write_tree(), [head])
    repository.index.write()
    _replace(work, "shop/prices.py", '"""Prices, in cents."""\n', '"""Prices, in cents."""\n\nRATE = 0.19\n')
    assert run("-C", str(work), "update").returncode == 0
    answer = ask(work, "--diff", "HEAD~1..HEAD")
    assert [(each["qualname"], each["lines"]) for each in answer["changed"]] == [("with_tax", [6, 8])]


@pytest.mark.parametrize("revision", ["-x", "nothing", "a..b"])
def test_a_revision_that_is_not_there(shop: Path, run: Run, revision: str) -> None:
    done = run("-C", str(shop), "impact", "--diff", revision)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("codemap: there is no commit ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
@pytest.mark.parametrize("budget", [100, 200, 300, 400, 600])
def test_the_budget_holds(shop: Path, run: Run, budget: int, form: list[str]) -> None:
    done = run("-C", str(shop), "impact", "shop/sessions.py", "--budget", str(budget), *form)
    if done.returncode == 5:
        smallest = done.stderr.split("works is ")[1].strip()
        assert run("-C", str(shop), "impact", "shop/sessions.py", "--budget", smallest, *form).returncode == 0
        return
    assert (done.returncode, done.stderr) == (0, "")
    assert Measure().count(done.stdout) <= budget


def test_more_budget_shows_all_that_less_does(shop: Path) -> None:
    with CodeMap.open(shop, build=False) as code_map:
        before: set[str] = set()
        for budget in (130, 160, 200, 260, 400, 4000):
            answer = code_map.impact("shop/sessions.py", budget=budget)
            shown = {each.node.qualname for each in answer.dependents}
            assert before <= shown
            assert len(answer.dependents) + sum(answer.omitted.dependents.values()) == answer.totals["dependents"]
            before = shown
        assert before


def test_an_incremental_map_gives_the_same_answer(work: Path) -> None:
    _replace(work, "shop/sessions.py", "def touch", "def touched")
    CodeMap.index(work)
    _replace(work, "shop/sessions.py", "def touched", "def touch")
    CodeMap.index(work)
    with CodeMap.open(work) as code_map:
        incremental = code_map.impact("shop/sessions.py")
        code_map.update(full=True)
        clean = code_map.impact("shop/sessions.py")
    plain = [
        [(each.node.path, each.node.qualname, each.edge.line) for each in a.dependents] for a in (incremental, clean)
    ]
    assert plain[0] == plain[1]


def test_outside_of_git_a_symbol_is_needed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f():\n    pass\n\n\ndef g():\n    f()\n")
    with CodeMap.open(tmp_path) as code_map:
        with pytest.raises(UsageError, match="name a symbol"):
            code_map.impact()
        assert [each.node.qualname for each in code_map.impact("f").dependents] == ["g"]
