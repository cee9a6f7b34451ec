"""A task as an agent does it, through the SDK's client, on the sources of a real package into which a bug was put."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pygit2
import pytest
from mcp_types import CallToolResult, TextContent

Connect = Callable[..., Any]

ISSUE = """\
IntRange refuses its own maximum

With `click.option("--level", type=click.IntRange(0, 10))` the call `tool --level 10` ends in

    Error: Invalid value for '--level': 10 is not in the range 0<=x<=10.

The range is not open, so the boundary should be converted like any other number. The minimum works.
"""
RIGHT = "operator.ge if self.max_open else operator.gt"
WRONG = "operator.ge if self.max_open else operator.ge"
MENDED = "_exceeds_maximum"


@pytest.fixture
def click_with_a_bug(tmp_path: Path) -> Path:
    """The package that runs the command line, as a repository of one commit, with a bug in one method."""
    folder = tmp_path / "click"
    sources = Path(click.__file__).parent
    shutil.copytree(sources, folder / "src" / "click", ignore=shutil.ignore_patterns("__pycache__"))
    types = folder / "src" / "click" / "types.py"
    text = types.read_text(encoding="utf-8")
    assert text.count(RIGHT) == 1
    types.write_text(text.replace(RIGHT, WRONG), encoding="utf-8")
    repository = pygit2.init_repository(folder)
    repository.index.add_all()
    repository.index.write()
    author = pygit2.Signature("Test", "test@example.org", 1_700_000_000, 0)
    repository.create_commit("HEAD", author, author, "click", repository.index.write_tree(), [])
    return folder


def test_an_issue_is_found_mended_and_seen_again(click_with_a_bug: Path, connect: Connect) -> None:
    bindings = pytest.importorskip("bpe_openai._bindings", reason="the extra `exact` is not installed")
    count = bindings.tokenizer_for_encoding("o200k_base").count
    types = click_with_a_bug / "src" / "click" / "types.py"
    spent: list[str] = []

    async def main() -> None:
        async with connect(click_with_a_bug) as client:
            tools = (await client.list_tools()).tools
            spent.append(json.dumps([tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools]))

            async def call(tool: str, /, **arguments: Any) -> str:
                result: CallToolResult = await client.call_tool(tool, arguments)
                assert not result.is_error, result
                (content,) = result.content
                assert isinstance(content, TextContent)
                spent.extend([json.dumps(arguments), content.text])
                return content.text

            first = await call("subgraph", text=ISSUE, budget=2000)
            assert count(first) <= 2000
            file = first.partition("src/click/types.py")[2].partition("\n\n")[0]
            assert re.search(r"class _NumberRangeBase\b", file)
            assert re.search(r"convert\b", file.partition("class _NumberRangeBase")[2])
            assert first.endswith(", fresh\n")

            suspect = await call("symbol", name="_NumberRangeBase.convert")
            span = re.match(r"src/click/types\.py:_NumberRangeBase\.convert:(\d+)-(\d+) ", suspect)
            assert span is not None
            lines = types.read_text(encoding="utf-8").splitlines()[int(span[1]) - 1 : int(span[2])]
            spent.append("\n".join(lines))  # what the agent reads
            assert WRONG in " ".join(spent[-1].split())
            callers = await call("symbol", name="_NumberRangeBase.convert", show="callers")
            assert "ParamType.__call__" in callers

            impact = await call("impact", symbols=["_NumberRangeBase.convert"], budget=1000)
            assert "ParamType.__call__" in impact

            text = types.read_text(encoding="utf-8").replace(WRONG, RIGHT)
            place = "    def convert(\n"
            head, _, tail = text.partition("class _NumberRangeBase(")
            helper = f"    def {MENDED}(self, value: float) -> bool:\n        return value > self.max\n\n"
            types.write_text(f"{head}class _NumberRangeBase({tail.replace(place, helper + place, 1)}", encoding="utf-8")

            second = await call("subgraph", text="does a number exceed the maximum of its range", budget=2000)
            assert MENDED in second
            assert re.search(r"\+ 1 uncommitted file, fresh$", second.rstrip())

    asyncio.run(main())
    # The agent would have read these in whole: the ones the first answer names.
    named = set(re.findall(r"^\*?(src/click/\w+\.py)", spent[2], re.M))
    files = sum(count((click_with_a_bug / name).read_text(encoding="utf-8")) for name in named)
    assert "src/click/types.py" in named
    conversation = sum(map(count, spent))
    assert conversation * 5 < files, f"{conversation} tokens against {files} of {sorted(named)}"
