"""What a command may import: a warm answer must not pay for what it does not use."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {
    "anyio",
    "asyncio",
    "concurrent.futures",
    "fastapi",
    "httpx",
    "hypothesis",
    "importlib.metadata",
    "jsonschema",
    "mcp",
    "multiprocessing",
    "networkx",
    "numpy",
    "pydantic",
    "pygit2",
    "pygments",
    "rich",
    "starlette",
    "tree_sitter",
    "tree_sitter_javascript",
    "tree_sitter_python",
    "tree_sitter_typescript",
    "uvicorn",
}

QUERIES = [
    ["subgraph", "login", "timeout"],
    ["subgraph", "--json", "login"],
    ["symbol", "login"],
    ["callers", "current_session"],
    ["callees", "login"],
    ["references", "login"],
    ["dependencies", "shop/auth.py"],
    ["dependents", "shop/auth.py"],
    ["path", "checkout", "current_session"],
    ["impact", "current_session"],
    ["context", "shop/auth.py:9"],
    ["status"],
    ["edges", "--json"],
    ["symbols", "--json"],
]


def _imported(*arguments: str, cwd: Path | None = None) -> set[str]:
    """The modules that are loaded once a command is done."""
    code = (
        "import json, os, sys\n"
        "from codemap.cli import main\n"
        "out = os.dup(1); os.dup2(os.open(os.devnull, os.O_WRONLY), 1)\n"
        "code = main(sys.argv[1:])\n"
        "os.write(out, json.dumps([code, sorted(sys.modules)]).encode())\n"
    )
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True, cwd=cwd or root
    )
    exit_code, modules = json.loads(done.stdout)
    assert exit_code == 0, done.stderr
    return set(modules)


def test_the_version_needs_click_alone() -> None:
    loaded = _imported("--version")
    assert not {m for m in loaded if m.startswith(("indexer.", "queries")) and m != "indexer.errors"}
    assert not loaded & (HEAVY | {"sqlite3", "orjson"})


@pytest.mark.parametrize("arguments", QUERIES, ids=" ".join)
def test_a_query_imports_nothing_heavy(shop: Path, arguments: list[str]) -> None:
    assert _imported("-C", str(shop), *arguments) & HEAVY == set()
