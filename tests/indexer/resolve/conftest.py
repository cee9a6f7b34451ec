"""A repository as a dictionary: path → content. Python and script files are mapped, the rest is configuration."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from indexer.ports import Resolver
from indexer.resolve import build_resolvers, is_configuration

MAPPED = (".py", ".pyi", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts")
Build = Callable[..., Resolver]


def _build(family: str, tree: str | list[str], configs: dict[str, str | bytes] | None = None) -> Resolver:
    """`tree`: paths of mapped files, separated by blanks if one string."""
    paths = tree.split() if isinstance(tree, str) else tree
    contents = {path: text.encode() if isinstance(text, str) else text for path, text in (configs or {}).items()}
    assert all(path.endswith(MAPPED) for path in paths)
    wanted = [path for path in contents if is_configuration(path)]
    return build_resolvers(dict.fromkeys(paths, "any"), contents.get, wanted)[family]


@pytest.fixture
def python() -> Build:
    return partial(_build, "python")


@pytest.fixture
def javascript() -> Build:
    return partial(_build, "javascript")
