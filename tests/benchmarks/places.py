"""Call sites of a Python corpus, by chance but always the same: what `definition -` is asked about."""

from __future__ import annotations

import ast
import random
import warnings
from collections.abc import Iterator
from pathlib import Path

COUNT = 300
SEED = 1


def sample(root: Path, count: int = COUNT, seed: int = SEED) -> list[str]:
    """`PATH:LINE:COLUMN` of the names that are called at some call sites; all where there are no more than `count`."""
    sites = list(call_sites(root))
    return random.Random(seed).sample(sites, min(count, len(sites)))


def call_sites(root: Path) -> Iterator[str]:
    """Every call of a name or an attribute, by path; what Python cannot parse has none."""
    for path in sorted(root.rglob("*.py")):
        try:
            source = path.read_bytes()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)
                tree = ast.parse(source)
            lines = source.decode("utf-8-sig").replace("\r\n", "\n").split("\n")
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                line, column = _name(node.func)
                characters = len(lines[line - 1].encode()[:column].decode())
                yield f"{path.relative_to(root).as_posix()}:{line}:{characters}"


def _name(function: ast.Name | ast.Attribute) -> tuple[int, int]:
    """Line and column, in bytes, of the name that is called: the last one of a chain."""
    if isinstance(function, ast.Name):
        return function.lineno, function.col_offset
    assert function.end_lineno is not None
    assert function.end_col_offset is not None
    return function.end_lineno, function.end_col_offset - len(function.attr.encode())
