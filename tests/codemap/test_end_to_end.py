"""Every command on a real map of the fixture `shop`."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from queries.tokens import of_answers

Validate = Callable[[str, object], None]
Run = Callable[..., subprocess.CompletedProcess[str]]

SESSION = {"path": "shop/sessions.py", "qualname": "Session", "start_line": 12, "end_line": 38}


@pytest.fixture
def ask(shop: Path, run: Run) -> Callable[..., str]:
    """The output of a command on the shop, which must succeed without a word on standard error."""

    def answer(*arguments: str, text: str = "") -> str:
        done = run("-C", str(shop), *arguments, text=text)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return answer


Ask = Callable[..., str]


def _lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(row) for row in text.splitlines()]


def _place(value: dict[str, Any]) -> tuple[str, str]:
    return value["path"], value["qualname"]


def _places(shown: dict[str, Any]) -> list[tuple[str, str]]:
    """The symbols of a subgraph, which name their file by its index."""
    return [(shown["files"][node["file"]]["path"], node["qualname"]) for node in shown["nodes"]]


def test_subgraph_finds_what_the_words_mean(ask: Ask) -> None:
    shown = ask("subgraph", "session", "login", "timeout")
    assert "\nshop/auth.py # Who is asking: login and logout.\n" in shown
    assert re.search(r"^\*\d+-\d+ def login\(request, user, remember: bool = False\) # Remember the user", shown, re.M)
    assert re.search(r"^ *\*\d+-\d+ def (Session\.)?is_expired\(self, now=None\)", shown, re.M)
    assert shown.splitlines()[-1].endswith(", fresh")


def test_subgraph_as_json(ask: Ask, validate: Validate) -> None:
    shown = json.loads(ask("subgraph", "--json", "login"))
    validate("subgraph", shown)
    places = _places(shown)
    assert places[0] == ("shop/auth.py", "login")
    calls = {
        (places[e["source"]][1], places[e["target"]][1], e["line"]) for e in shown["edges"] if e["kind"] == "calls"
    }
    assert ("login", "current_session", 8) in calls


@pytest.mark.parametrize("budget", [120, 200, 400, 1000, 4000])
@pytest.mark.parametrize("form", [[], ["--json"], ["--include-bodies"]], ids=["text", "json", "bodies"])
def test_the_budget_holds_for_the_whole_output(shop: Path, run: Run, budget: int, form: list[str]) -> None:
    done = run("-C", str(shop), "subgraph", "session expired", "--budget", str(budget), *form)
    if done.returncode == 5:
        smallest = re.search(r"smallest that works is (\d+)", done.stderr)
        assert smallest is not None
        assert int(smallest[1]) > budget
        assert run("-C", str(shop), "subgraph", "session expired", "--budget", smallest[1], *form).returncode == 0
        return
    assert done.returncode == 0
    cost = of_answers().count(done.stdout)
    assert cost <= budget
    said = re.search(r'(?:tokens: |"estimate":)(\d+)', done.stdout)
    assert said is not None
    assert cost <= int(said[1]) <= budget


def test_words_from_standard_input(ask: Ask) -> None:
    trace = 'Traceback:\n  File "/srv/shop/auth.py", line 9, in login\n    if session.is_expired():\nSessionExpired'
    shown = json.loads(ask("subgraph", "--json", "-", text=trace))
    assert "login" in [node["qualname"] for node in shown["nodes"]][:3]


def test_shown_symbols_are_written_best_first(ask: Ask, tmp_path: Path, validate: Validate) -> None:
    file = tmp_path / "shown.jsonl"
    answer = json.loads(ask("subgraph", "--json", "--shown", str(file), "login"))
    rows = _lines(file.read_text(encoding="utf-8"))
    for row in rows:
        validate("shown-line", row)
    assert [_place(row) for row in rows] == _places(answer)


def test_bodies_are_shown_when_asked_for(ask: Ask) -> None:
    assert "    self.store.delete(self)" in ask("subgraph", "--include-bodies", "Session.flush")
    for bodies in (["--include-bodies", "auto"], ["--include-bodies=auto"]):
        assert ask("subgraph", *bodies, "Session.flush") == ask("subgraph", "--include-bodies", "Session.flush")


def test_symbol(ask: Ask, validate: Validate) -> None:
    shown = json.loads(ask("symbol", "--json", "Session.flush"))
    validate("symbol", shown)
    assert [(_place(s), s["start_line"], s["end_line"], s["doc"]) for s in shown["symbols"]] == [
        (("shop/sessions.py", "Session.flush"), 31, 35, "Forget everything and take a new key.")
    ]
    assert ask("symbol", "Session.flush").startswith("shop/sessions.py:Session.flush:31-35 method\n  def flush(self)\n")


def test_callers_and_callees(ask: Ask, validate: Validate) -> None:
    callers = json.loads(ask("callers", "--json", "current_session"))
    validate("relations", callers)
    assert {(e["symbol"]["qualname"], e["line"]) for e in callers["edges"]} == {
        ("login", 8),
        ("logout", 18),
        ("require_login.guarded", 33),
    }
    callees = json.loads(ask("callees", "--json", "login"))
    validate("relations", callees)
    called = {(e["symbol"]["qualname"], e["line"]) for e in callees["edges"] if e["resolution"] == "resolved"}
    assert {("current_session", 8), ("rotate_token", 12), ("Session.flush", 10)} <= called
    assert "  login:8\n" in ask("callers", "current_session")


def test_references(ask: Ask, validate: Validate) -> None:
    shown = json.loads(ask("references", "--json", "SessionExpired"))
    validate("relations", shown)
    assert "require_login.guarded" in {e["symbol"]["qualname"] for e in shown["edges"]}


def test_dependencies_and_dependents(ask: Ask, validate: Validate) -> None:
    needs = json.loads(ask("dependencies", "--json", "shop/cart.py"))
    validate("files", needs)
    assert {f["path"] for f in needs["files"]} == {"shop/auth.py", "shop/prices.py"}
    needed = json.loads(ask("dependents", "--json", "web/src/money.ts"))
    validate("files", needed)
    assert {f["path"] for f in needed["files"]} == {"web/src/cart.ts"}
    assert "  web/src/cart.ts:" in ask("dependents", "web/src/money.ts")


def test_path(ask: Ask, validate: Validate) -> None:
    shown = json.loads(ask("path", "--json", "login", "new_token"))
    validate("path", shown)
    assert [node["qualname"] for node in shown["nodes"]] == ["login", "rotate_token", "new_token"]
    assert "  ↓ calls:12\n" in ask("path", "login", "new_token")


def test_definition(ask: Ask, validate: Validate) -> None:
    # `from shop.prices import with_tax`, and `with_tax(` in the body of Cart.total
    for place in ("shop/cart.py:3:25", "shop/cart.py:18:20"):
        shown = json.loads(ask("definition", "--json", place))
        validate("definition", shown)
        assert [(_place(s), s["start_line"], s["column"]) for s in shown] == [(("shop/prices.py", "with_tax"), 4, 4)]
    assert ask("definition", "shop/cart.py:3:25").startswith("shop/prices.py:4:4 with_tax function\n")


def test_no_definition_is_an_empty_list(shop: Path, run: Run) -> None:
    assert run("-C", str(shop), "definition", "--json", "shop/cart.py:1:0").stdout == "[]\n"
    told = run("-C", str(shop), "definition", "shop/cart.py:1:0")
    assert (told.returncode, told.stdout) == (0, "")
    assert told.stderr == "codemap: no definition is known for shop/cart.py:1:0\n"


def test_edges_are_complete_and_stable(ask: Ask, validate: Validate) -> None:
    text = ask("edges", "--json")
    rows = _lines(text)
    for row in rows:
        validate("edge-line", row)
    assert text == ask("edges", "--json")
    found = {(r["kind"], _place(r["caller"]), _place(r["callee"]), r["resolution"]) for r in rows}
    sessions, cart = "shop/sessions.py", "web/src/cart.ts"
    assert ("contains", (sessions, "<module>"), (sessions, "Session"), "resolved") in found
    assert ("contains", (sessions, "Session"), (sessions, "Session.flush"), "resolved") in found
    assert ("inherits", (sessions, "RememberedSession"), (sessions, "Session"), "resolved") in found
    assert ("overrides", (sessions, "RememberedSession.is_expired"), (sessions, "Session.is_expired"), "resolved") in (
        found
    )
    assert ("calls", ("shop/cart.py", "checkout"), ("shop/cart.py", "Cart.__init__"), "resolved") in found
    assert ("calls", (cart, "BrowserCart.label"), ("web/src/money.ts", "format"), "resolved") in found
    assert ("calls", ("web/src/CartView.tsx", "CartView"), ("web/src/CartView.tsx", "CartLine"), "resolved") in found
    assert next(r["callee"] for r in rows if _place(r["callee"]) == (sessions, "Session")) == SESSION


def test_edges_of_some_kinds(ask: Ask) -> None:
    every = _lines(ask("edges", "--json"))
    for kinds in (["calls"], ["contains"], ["inherits", "overrides"]):
        some = _lines(ask("edges", "--json", *(part for kind in kinds for part in ("--kind", kind))))
        assert some == [row for row in every if row["kind"] in kinds]
        assert some


def test_symbols_lists_all(ask: Ask, validate: Validate) -> None:
    rows = _lines(ask("symbols", "--json"))
    for row in rows:
        validate("symbol-line", row)
    places = [_place(row) for row in rows]
    assert len(places) == len(set(places))
    assert ("web/src/cart.ts", "BrowserCart.label") in places
    assert ("tests/test_cart.py", "test_empty_cart_costs_nothing") in places
    assert {row["path"] for row in rows if row["test"]} == {"tests/test_cart.py"}
    assert len(ask("symbols").splitlines()) == len(rows)


def test_status(ask: Ask, validate: Validate, shop: Path) -> None:
    shown = json.loads(ask("status", "--json"))
    validate("status", shown)
    assert shown["root"] == str(shop.resolve())
    assert shown["files"] == 10
    assert sum(shown["languages"].values()) == 10
    edges = _lines(ask("edges", "--json"))
    assert sum(shown["edges"].values()) == len(
        [e for e in edges if e["resolution"] == "resolved" and e["evidence"] != "dispatch"]
    )
    assert sum(shown["symbols"].values()) == len(_lines(ask("symbols", "--json")))
    assert sum(shown["references"]["reasons"].values()) == shown["references"]["unresolved"]
    assert shown["staleness"]["fresh"] is True
    assert "files: 10 with " in ask("status")


def test_index_and_update_with_nothing_to_do(ask: Ask, validate: Validate) -> None:
    assert "; nothing changed, " in ask("update")
    shown = json.loads(ask("index", "--json"))
    validate("report", shown)
    assert shown["unchanged"] is True


def test_verify(ask: Ask, validate: Validate) -> None:
    assert ask("verify").startswith("the map equals one built from nothing: ")
    shown = json.loads(ask("verify", "--json"))
    validate("verification", shown)
    assert shown["equal"] is True


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["symbol", "lgoin"], 3, ["did you mean", "    login"]),
        (["symbol", "is_expired"], 4, ["type one of", "    shop/sessions.py:RememberedSession.is_expired"]),
        (["subgraph", "login", "--budget", "1"], 5, ["the smallest that works is"]),
        (["dependencies", "shop/carts.py"], 3, ["shop/carts.py is not in the map"]),
        (["dependents", "../elsewhere.py"], 2, ["outside of"]),
        (["definition", "shop/auth.py:1"], 2, ["PATH:LINE:COLUMN"]),
        (["definition", "shop/auth.py:999:0"], 3, ["there is no line 999"]),
        (["definition", "nowhere.py:1:0"], 3, ["nowhere.py is not in the map"]),
        (["path", "new_token", "BrowserCart"], 3, ["nothing connects"]),
        (["subgraph", "--shown", "/no/such/folder/x", "login"], 1, ["No such file"]),
    ],
)
def test_errors(shop: Path, run: Run, arguments: list[str], code: int, says: list[str]) -> None:
    done = run("-C", str(shop), *arguments)
    assert done.returncode == code
    assert done.stderr.startswith("codemap: ")
    assert "Traceback" not in done.stderr
    for said in says:
        assert said in done.stderr


def test_a_first_question_builds_the_map_and_says_so(
    tmp_path: Path, run: Run, repository: Callable[[Path], None]
) -> None:
    folder = tmp_path / "new"
    repository(folder)
    early = run("-C", str(folder), "status")
    assert (early.returncode, early.stdout) == (8, "")
    assert "run `codemap index`" in early.stderr
    done = run("-C", str(folder / "shop"), "subgraph", "login")
    assert done.returncode == 0
    assert done.stderr == f"codemap: there is no map yet: building one of {folder.resolve()}\n"
    assert "def login(" in done.stdout


def test_an_edit_makes_the_answer_say_that_it_is_behind(
    tmp_path: Path, run: Run, repository: Callable[[Path], None]
) -> None:
    folder = tmp_path / "edited"
    repository(folder)
    run("-C", str(folder), "index")
    auth = folder / "shop" / "auth.py"
    auth.write_text(auth.read_text(encoding="utf-8") + "\n\ndef extra():\n    pass\n", encoding="utf-8")
    last = run("-C", str(folder), "subgraph", "login", "--on-stale", "warn").stdout.splitlines()[-1]
    assert "NOT FRESH" in last
    assert "shop/auth.py" in last
    done = run("update", "--repo", str(folder))
    assert done.returncode == 2, "--repo stands before the command"
    assert "1 parsed" in run("-C", str(folder), "update").stdout
    last = run("-C", str(folder), "subgraph", "login").stdout.splitlines()[-1]
    assert last.endswith(" + 1 uncommitted file, fresh")


def test_a_plain_folder_works_too(tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.py").write_text("def login(timeout):\n    return timeout\n")
    done = run("subgraph", "login", "timeout", cwd=tmp_path)
    assert done.returncode == 0
    assert "\n*1-2 def login(timeout)\n" in done.stdout
    assert "map: no commit" in done.stdout
    assert (tmp_path / ".codemap").is_dir()
