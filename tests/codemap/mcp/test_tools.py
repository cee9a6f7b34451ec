"""What a model has to read before it can ask anything."""

from __future__ import annotations

import json

import pytest

from codemap.mcp.arguments import checked
from codemap.mcp.server import definitions
from codemap.mcp.tools import TOOLS
from codemap.service.questions import ImpactOf, PathOf, RelationsOf, StatusOf, SubgraphOf, SymbolOf
from indexer.errors import UsageError

MOST_TOKENS = 900


def test_the_tools_cost_fewer_than_900_tokens() -> None:
    bindings = pytest.importorskip("bpe_openai._bindings", reason="the extra `exact` is not installed")
    sent = [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in definitions()]
    assert [set(tool) for tool in sent] == [{"name", "description", "inputSchema"}] * len(TOOLS)
    counted = bindings.tokenizer_for_encoding("o200k_base").count(json.dumps(sent))
    assert 400 < counted < MOST_TOKENS
    assert len(TOOLS) <= 5


def test_arguments_make_questions() -> None:
    def question(tool_name: str, **given: object) -> object:
        tool, arguments = checked(tool_name, given)
        return tool.question(arguments)

    assert question("subgraph", text="t") == SubgraphOf("t", 2000)
    assert question("subgraph", text="t", source=True, budget=500, repo="r") == SubgraphOf(
        "t", 500, include_bodies=True
    )
    assert question("subgraph", text="t", after="c") == SubgraphOf("t", 2000, after="c")
    assert question("symbol", name="n") == SymbolOf("n", 2000)
    assert question("symbol", name="n", show="definition") == SymbolOf("n", 2000)
    assert question("symbol", name="n", show="callees", budget=300) == RelationsOf("n", "callees", 300)
    assert question("path", **{"from": "a", "to": "b"}) == PathOf("a", "b", 2000)
    assert question("impact") == ImpactOf(budget=2000)
    assert question("impact", symbols=["a", "b"], since="HEAD~2") == ImpactOf(("a", "b"), "HEAD~2", budget=2000)
    assert question("map_status") == StatusOf(2000)


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("nothing", {}, "there is no tool nothing: there are subgraph, symbol"),
        ("subgraph", {}, "subgraph needs the argument text"),
        ("path", {}, "path needs the argument from and to"),
        ("path", {"from": "a"}, "path needs the argument to"),
        ("subgraph", {"text": 5}, "subgraph: text has to be of type string"),
        ("subgraph", {"text": ""}, "subgraph: text must not be empty"),
        ("subgraph", {"text": "x" * 100_001}, "subgraph: text may have 100000 characters at most"),
        ("subgraph", {"text": "x", "budget": 199}, "subgraph: budget has to be at least 200"),
        ("subgraph", {"text": "x", "budget": 100_001}, "subgraph: budget has to be at most 100000"),
        ("subgraph", {"text": "x", "budget": "many"}, "subgraph: budget has to be of type integer"),
        ("subgraph", {"text": "x", "bodies": True}, "subgraph has no argument bodies: there are text, budget"),
        ("impact", {"symbols": "x"}, "impact: symbols has to be of type array"),
        ("impact", {"symbols": ["x"] * 51}, "impact: symbols may have 50 entries at most"),
        ("symbol", {"name": "x", "show": "caller"}, "symbol: show has to be one of ['definition', 'callers'"),
    ],
)
def test_what_is_wrong_with_arguments_is_said(name: str, given: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError) as raised:
        checked(name, given)
    assert str(raised.value).startswith(said)
