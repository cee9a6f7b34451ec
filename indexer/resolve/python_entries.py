"""Entry points: which objects Python projects declare for a group of plugins. Configuration is read, never run.

Source: https://packaging.python.org/en/latest/specifications/entry-points/
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from indexer.resolve.paths import parent
from indexer.resolve.python_projects import setup_calls
from indexer.resolve.settings import Read, read_ini, read_text, read_toml, table, texts

_SCRIPTS = {"scripts": "console_scripts", "gui-scripts": "gui_scripts"}


class EntryPoint(NamedTuple):
    """One object that a project declares."""

    group: str
    name: str
    module: str
    attribute: str  # dotted; "" for the module itself
    folder: str  # of the project


def entry_points(configs: Sequence[str], read: Read) -> tuple[EntryPoint, ...]:
    """The entry points of all projects of a repository, in order of group and name."""
    found = set()
    for path in configs:
        folder, name = parent(path), path.rpartition("/")[2]
        for group, key, target in _declared(path, name, read):
            module, _, attribute = target.partition("[")[0].partition(":")
            if module.strip():
                found.add(EntryPoint(group.strip(), key.strip(), module.strip(), attribute.strip(), folder))
    return tuple(sorted(found))


def _declared(path: str, name: str, read: Read) -> Iterator[tuple[str, str, str]]:
    """(group, name, object) as written."""
    if name == "pyproject.toml" and (
        "plugins" in (text := read_text(read, path)) or "scripts" in text or "entry" in text
    ):
        document = read_toml(read, path)
        project, poetry = table(document, "project"), table(document, "tool", "poetry")
        for tables in (table(project, "entry-points"), table(poetry, "plugins")):
            for group in tables:
                yield from _pairs(group, table(tables, group))
        for key, group in _SCRIPTS.items():
            yield from _pairs(group, table(project, key))
        yield from _pairs("console_scripts", table(poetry, "scripts"))
    elif name == "setup.cfg":
        settings = read_ini(read, path)
        if settings.has_section("options.entry_points"):
            for group, lines in settings.items("options.entry_points"):
                yield from _lines(group, lines.splitlines())
    elif name == "setup.py" and "entry_points" in (text := read_text(read, path)):
        for call in setup_calls(text):
            for keyword in call.keywords:
                if keyword.arg == "entry_points" and isinstance(keyword.value, ast.Dict):
                    yield from _literal(keyword.value)


def _pairs(group: str, entries: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    for name, target in entries.items():
        if isinstance(target, str):
            yield group, name, target


def _lines(group: str, lines: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    for line in lines:
        name, equals, target = line.partition("=")
        if equals:
            yield group, name, target


def _literal(groups: ast.Dict) -> Iterator[tuple[str, str, str]]:
    """`{"group": ["name = module:object"]}`."""
    try:
        written = ast.literal_eval(groups)
    except (ValueError, TypeError, RecursionError, MemoryError):
        return
    for group, lines in written.items():
        if isinstance(group, str):
            yield from _lines(group, lines.splitlines() if isinstance(lines, str) else texts(lines))
