"""What a package.json says of its folder: names, entries, conditional exports and imports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from indexer.resolve.settings import Read, read_json, table, texts

# The condition that leads to source is wanted; the order says which of several is tried first.
_CONDITIONS = ("source", "types", "import", "require", "default", "node", "browser")
_MAX_DEPTH = 20
_MAX_TARGETS = 100

_ENTRY_FIELDS = ("source", "main", "module", "types", "typings")
_DEPENDENCY_FIELDS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_LINKS = ("file:", "link:", "portal:")


class Package(NamedTuple):
    """One package.json. Paths in it are as written: relative to `folder`."""

    folder: str
    name: str
    exports: dict[str, Any] | None  # subpath → target; None when there are none, and everything may be imported
    imports: dict[str, Any]  # "#name" → target
    entries: tuple[str, ...]
    dependencies: frozenset[str]
    links: dict[str, str]  # dependency → folder it is taken from
    workspaces: tuple[str, ...]  # globs of member folders


def read_package(path: str, read: Read) -> Package:
    """The package.json at `path`; without content when it makes no sense."""
    data = read_json(read, path)
    name = data.get("name")
    dependencies = {key: value for field in _DEPENDENCY_FIELDS for key, value in table(data, field).items()}
    workspaces = data.get("workspaces")
    return Package(
        folder=path.rpartition("/")[0],
        name=name if isinstance(name, str) else "",
        exports=_exports(data.get("exports")),
        imports=table(data, "imports"),
        entries=tuple(data[field] for field in _ENTRY_FIELDS if isinstance(data.get(field), str)),
        dependencies=frozenset(dependencies),
        links={
            key: value.partition(":")[2]
            for key, value in dependencies.items()
            if isinstance(value, str) and value.startswith(_LINKS)
        },
        workspaces=texts(workspaces.get("packages") if isinstance(workspaces, dict) else workspaces),
    )


def _exports(value: Any) -> dict[str, Any] | None:
    if value is None:
        return None
    if isinstance(value, dict) and all(key.startswith(".") for key in value):
        return value
    return {".": value}


def targets(entries: dict[str, Any], wanted: str) -> list[str] | None:
    """Targets of the entry that fits `wanted` ("./sub", "#name"), the preferred first; None when no entry fits.

    As Node.js does: an exact key, else the pattern with the longest part before its `*`.
    """
    if wanted in entries and "*" not in wanted:
        return _flat(entries[wanted], "")
    best = ""
    for key in entries:
        before, star, after = key.partition("*")
        fits = star and wanted.startswith(before) and wanted.endswith(after) and len(wanted) >= len(before) + len(after)
        if not star and key.endswith("/"):  # a folder mapping, of old
            fits, before = wanted.startswith(key), key
        if fits and len(before) >= len(best.partition("*")[0]):
            best = key
    if not best:
        return None
    before, star, after = best.partition("*")
    if star:
        return _flat(entries[best], wanted[len(before) : len(wanted) - len(after)])
    return [target + wanted[len(best) :] for target in _flat(entries[best], "") if target.endswith("/")]


def _flat(value: Any, middle: str) -> list[str]:
    found: list[str] = []
    for target in _strings(value, 0):
        if len(found) == _MAX_TARGETS:
            break
        filled = target.replace("*", middle) if target.count("*") <= _MAX_DEPTH else target
        if filled not in found:
            found.append(filled)
    return found


def _strings(value: Any, depth: int) -> Iterator[str]:
    """Every target under a value of conditions and alternatives, in the order of preference."""
    if isinstance(value, str):
        yield value
    elif depth < _MAX_DEPTH and isinstance(value, list):
        for item in value:
            yield from _strings(item, depth + 1)
    elif depth < _MAX_DEPTH and isinstance(value, dict):
        known = [value[condition] for condition in _CONDITIONS if condition in value]
        for item in known + [item for condition, item in value.items() if condition not in _CONDITIONS]:
            yield from _strings(item, depth + 1)
