"""Answers worked out by hand, the published schemas, and a real map of the fixture `shop`."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from codemap import CodeMap
from queries.answers import Edge, FileCard, Node, Omitted, Staleness, Subgraph, Tokens
from queries.tokens import Measure

ROOT = Path(__file__).resolve().parents[2]

Validate = Callable[[str, object], None]
Run = Callable[..., subprocess.CompletedProcess[str]]


def make_node(number: int, path: str, qualname: str, lines: tuple[int, int], **more: Any) -> Node:
    """A node whose other fields are plain."""
    fields = {"kind": "function", "signature": "", "doc": "", "test": False, "name_line": lines[0], **more}
    return Node(id=number, path=path, qualname=qualname, start_line=lines[0], end_line=lines[1], **fields)


@pytest.fixture
def nodes() -> dict[str, Node]:
    return {
        "login": make_node(
            1, "shop/auth.py", "login", (6, 13), signature="def login(request, user)", doc="Remember the user."
        ),
        "rotate": make_node(2, "shop/auth.py", "rotate_token", (21, 22), signature="def rotate_token(request)", hop=1),
        "session": make_node(3, "shop/sessions.py", "Session", (12, 38), kind="class", signature="class Session"),
        "flush": make_node(
            4, "shop/sessions.py", "Session.flush", (31, 35), kind="method", signature="def flush(self)", hop=1
        ),
        "module": make_node(5, "shop/cart.py", "<module>", (1, 40), kind="module", hop=2),
    }


@pytest.fixture
def fresh() -> Staleness:
    return Staleness("c" * 40, "c" * 40, 0, 0, (), "2025-01-02T03:04:05Z", 0, fresh=True, reason=None)


@pytest.fixture
def stale() -> Staleness:
    return Staleness(
        "c" * 40, "d" * 40, 2, 1, ("shop/auth.py", "b.py"), "2025-01-02T03:04:05Z", 60, fresh=False, reason="head moved"
    )


@pytest.fixture
def measure() -> Measure:
    return Measure()


@pytest.fixture
def edges(nodes: dict[str, Node]) -> tuple[Edge, ...]:
    login, flush, rotate, module = nodes["login"], nodes["flush"], nodes["rotate"], nodes["module"]
    return (
        Edge(login, flush, "calls", "candidate", 10, "name"),
        Edge(login, rotate, "calls", "resolved", 12, "scope"),
        Edge(login, rotate, "calls", "resolved", 11, "scope"),
        Edge(module, login, "imports", "resolved", 2, "import"),
    )


@pytest.fixture
def answer(nodes: dict[str, Node], edges: tuple[Edge, ...], fresh: Staleness) -> Subgraph:
    return Subgraph(
        query="login",
        seeds=(nodes["login"],),
        files=(
            FileCard("shop/auth.py", "python", "Who is asking:\nlogin.", "committed"),
            FileCard("shop/sessions.py", "python", "", "modified"),
            FileCard("shop/cart.py", "python", "", "untracked"),
        ),
        nodes=tuple(nodes.values()),
        edges=edges,
        omitted=Omitted(3, 1, {"imports": 1, "calls": 4}),
        tokens=Tokens(131, 4000, "heuristic-utf16/3", None, 3.0, None, None),
        staleness=fresh,
        notes=("near: «logn»",),
    )


@pytest.fixture(scope="session")
def validate() -> Validate:
    """Check a value against a schema of `docs/schema` by the schema's name."""
    schemas = {
        path.name: json.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "docs/schema").glob("*.json")
    }
    resources = [(name, Resource.from_contents(schema)) for name, schema in schemas.items()]
    registry: Registry[Any] = Registry().with_resources(resources)

    def check(name: str, value: object) -> None:
        Draft202012Validator(schemas[f"{name}.json"], registry=registry).validate(value)

    return check


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git repository with the fixture `shop` committed, and its map. Tests must not change it."""
    folder = tmp_path_factory.mktemp("repositories") / "shop"
    make_repository(folder)
    time.sleep(0.05)  # files as young as the look of an update are looked at once more by the first question
    result = run_codemap("-C", str(folder), "index", "--jobs", "1")
    assert result.returncode == 0, result.stderr
    return folder


def make_repository(folder: Path) -> None:
    """The fixture `shop` as a git repository with one commit."""
    import pygit2

    shutil.copytree(ROOT / "fixtures/shop", folder)
    repository = pygit2.init_repository(folder, initial_head="main")
    repository.index.add_all()
    repository.index.write()
    author = pygit2.Signature("Test", "test@example.org", 1_700_000_000, 0)
    repository.create_commit("HEAD", author, author, "shop", repository.index.write_tree(), [])


def run_codemap(*arguments: str, cwd: Path | None = None, text: str = "") -> subprocess.CompletedProcess[str]:
    """The command line, in this process but with streams of its own."""
    from codemap.cli import main

    streams = {name: io.TextIOWrapper(io.BytesIO(), encoding="cp1252") for name in ("stdout", "stderr")}
    with pytest.MonkeyPatch.context() as patch:
        for name, stream in streams.items():
            patch.setattr(sys, name, stream)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        patch.chdir(cwd or ROOT)
        code = main(arguments)
    said = {name: _written(stream) for name, stream in streams.items()}
    return subprocess.CompletedProcess(list(arguments), code, **said)


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()


@pytest.fixture(scope="session")
def run() -> Run:
    return run_codemap


@pytest.fixture(scope="session")
def repository() -> Callable[[Path], None]:
    """Make the fixture `shop` a git repository at a path."""
    return make_repository


@pytest.fixture
def shop_map(shop: Path) -> Iterator[CodeMap]:
    with CodeMap.open(shop, build=False) as code_map:
        yield code_map
