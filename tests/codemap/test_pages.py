"""`--after`, `--expand` and `--explain` on the shop."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codemap import CodeMap

Run = Callable[..., subprocess.CompletedProcess[str]]
Validate = Callable[[str, object], None]


def _symbols(shown: dict[str, Any]) -> set[tuple[str, str]]:
    return {(shown["files"][node["file"]]["path"], node["qualname"]) for node in shown["nodes"]}


@pytest.fixture
def ask(shop: Path, run: Run, validate: Validate) -> Callable[..., dict[str, Any]]:
    def asked(*arguments: str) -> dict[str, Any]:
        done = run("-C", str(shop), "subgraph", "--json", "session", "login", *arguments)
        assert (done.returncode, done.stderr) == (0, "")
        answer: dict[str, Any] = json.loads(done.stdout)
        validate("subgraph", answer)
        return answer

    return asked


Ask = Callable[..., dict[str, Any]]


def test_pages_of_the_command_line_add_up(ask: Ask) -> None:
    whole, page = ask("--budget", "100000"), ask("--budget", "400")
    assert "after" not in whole["omitted"]
    seen = _symbols(page)
    while "after" in page["omitted"]:
        page = ask("--budget", "400", "--after", page["omitted"]["after"])
        assert seen.isdisjoint(_symbols(page))
        seen |= _symbols(page)
    assert seen == _symbols(whole)


def test_the_cursor_is_in_the_text_and_that_of_json(shop: Path, run: Run) -> None:
    shown = run("-C", str(shop), "subgraph", "session", "login", "--budget", "150").stdout
    cursor = re.search(r"^omitted: .*; --after (\d+)$", shown, re.M)
    assert cursor is not None
    more = run("-C", str(shop), "subgraph", "session", "login", "--budget", "150", "--after", cursor[1])
    assert more.returncode == 0
    refused = run("-C", str(shop), "subgraph", "logout", "--after", cursor[1])
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert "another question" in refused.stderr


def test_reasons_are_in_json_and_in_text(shop: Path, run: Run, ask: Ask) -> None:
    whys = {node["qualname"]: node["why"] for node in ask("--explain")["nodes"] if "why" in node}
    assert "login:name" in whys["login"]
    shown = run("-C", str(shop), "subgraph", "session", "login", "--explain").stdout
    assert re.search(r"def login\(.*\n  why: login:name, ", shown)
    assert "why" not in json.dumps(ask())


def test_expanding_by_path_and_name(ask: Ask) -> None:
    first = ask("--expand", "shop/prices.py:with_tax", "--budget", "700")["nodes"][:5]
    assert {"with_tax", "Cart.total"} <= {node["qualname"] for node in first}


def test_an_incremental_map_and_a_clean_one_give_the_same_bytes(shop: Path, tmp_path: Path) -> None:
    import shutil

    work = Path(shutil.copytree(shop, tmp_path / "shop", symlinks=True))
    source = work / "shop/auth.py"
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace("def rotate_token", "def turn_token"), encoding="utf-8")
    CodeMap.index(work)
    source.write_text(text, encoding="utf-8")
    CodeMap.index(work)

    def answers(code_map: CodeMap) -> list[str]:
        first = code_map.subgraph("session login", budget=150, expand=["rotate_token"], explain=True)
        after = first.omitted.after
        assert after is not None
        rest = code_map.subgraph("session login", expand=["rotate_token"], after=after, explain=True)
        impact, context = code_map.impact("shop/sessions.py"), code_map.context("shop/auth.py", 9)
        shown = [code_map.render(each, "json") for each in (first, rest)]
        shown += [code_map.render(impact, "json"), code_map.render(context, "json")]
        built = first.staleness.built_at  # the one thing that tells the two maps apart
        return [text.replace(built, "") for text in shown]

    with CodeMap.open(work) as code_map:
        incremental = answers(code_map)
        code_map.update(full=True)
        assert answers(code_map) == incremental
