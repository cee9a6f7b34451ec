"""Source that is broken, deep or odd: what stands outside the broken range is there, and nothing is raised."""

from __future__ import annotations

import time

import pytest
import tree_sitter
import tree_sitter_javascript
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.languages import by_name
from indexer.languages.javascript.kinds import UnknownKindError, kind_id
from indexer.model import FileFacts

_DEEP = 10_000


def facts(source: str, language: str = "javascript") -> FileFacts:
    return by_name(language).extract(source.encode())


def test_what_stands_outside_an_error_is_extracted() -> None:
    found = facts("function a() {}\nconst = = 5 +;\nfunction b() { c() }\n")
    assert [symbol.name for symbol in found.symbols[1:]] == ["a", "b"]
    assert found.error_lines == ((2, 2),)
    assert "c" in [expression for _, expression, _, _ in found.references]


def test_a_missing_token_is_an_error() -> None:
    assert facts("let a = (1\nlet b = 2").error_lines != ()
    assert facts("let a = (1)").error_lines == ()


@pytest.mark.parametrize(
    "source",
    [
        "[" * _DEEP + "]" * _DEEP,
        "[" * _DEEP,
        "f(" * _DEEP + ")" * _DEEP,
        "{" * _DEEP + "}" * _DEEP,
        "function f() {" * _DEEP + "}" * _DEEP,
        "x = " + "a => " * _DEEP + "1",
        "x = " + "{a:" * _DEEP + "1" + "}" * _DEEP,
        "x = " + "!" * _DEEP + "y",
        "x = y" + ".z()" * _DEEP,
        "class A { m() {" * 2000 + "}}" * 2000,
        "const " + "[" * _DEEP + "a" + "]" * _DEEP + " = b",
    ],
)
@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_depth_is_bounded(source: str, language: str) -> None:
    started = time.perf_counter()
    assert facts(source, language).error_lines
    assert time.perf_counter() - started < 5


def test_long_chains_of_operators_and_branches_are_not_deep() -> None:
    found = facts("x = " + "a + " * _DEEP + "b;" + "if (c) {} else " * _DEEP + "{}")
    assert found.error_lines == ()
    counts = {expression: len(positions) for _, expression, _, positions in found.references}
    assert counts == {"a": _DEEP, "b": 1, "c": _DEEP}


def test_a_grammar_that_lacks_a_kind_is_noticed() -> None:
    grammar = tree_sitter.Language(tree_sitter_javascript.language())
    with pytest.raises(UnknownKindError, match="no_such_kind"):
        kind_id(grammar, "no_such_kind")


_PIECES = """
{ } ( ) [ ] ; , . ?. => = class export import default from function new async await ... @ # : ? ! ` ${ ' /* */ // < >
extends static get set const let var if else for of in return yield this super a b c 1 'x' é require module.exports
interface type enum namespace declare abstract as <T> : T | & keyof infer readonly
"""


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(_PIECES.split()), max_size=40), st.sampled_from(["javascript", "typescript", "tsx"]))
def test_any_text_gives_consistent_facts(pieces: list[str], language: str) -> None:
    found = facts(" ".join(pieces), language)
    symbols, scopes, rows = len(found.symbols), len(found.scopes), len(found.expressions)
    assert all(-1 <= row.parent < number and row.scope < scopes for number, row in enumerate(found.symbols))
    assert all(row.scope < scopes and row.origin < scopes and row.block < len(found.blocks) for row in found.bindings)
    assert all(0 <= scope.symbol < symbols for scope in found.scopes)
    assert all(positions and expression != "" for _, expression, _, positions in found.references)
    assert all(expression < rows for _, expression, _, _ in found.references if isinstance(expression, int))
    assert facts(" ".join(pieces), language) == found
