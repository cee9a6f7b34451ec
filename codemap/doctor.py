"""What is installed, what is missing, and what to do about it."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path

from codemap import __version__
from codemap.findings import Finding
from codemap.home import Home, find
from indexer.errors import CodemapError, NotFoundError, StoreError

DISTRIBUTION = "codemap-subgraph"
EXTRAS = {
    "exact": "exact counts of two encodings in `codemap estimate`",
    "meter": "transports that meter clients built on httpx",
    "server": "`codemap mcp` and `codemap serve`",
    "watch": "being woken by the system in `codemap watch`",
}
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_EXTRA = re.compile(r"""extra\s*==\s*['"]([^'"]+)['"]""")


def examine(folder: Path) -> tuple[Finding, ...]:
    """Look at the installation, and at the repository of `folder`."""
    return (*_installation(), *_extras(), *_repository(folder), _ledger())


def _installation() -> Iterator[Finding]:
    yield Finding("codemap", "ok", f"{__version__} in {Path(__file__).parent}")
    yield Finding("python", "ok", f"{sys.version.split()[0]} at {sys.executable}")
    yield _linker()
    yield _sqlite()
    for name in _required(None):
        yield _package(name, f"install {DISTRIBUTION} again: codemap does not work without it")
    git = shutil.which("git")
    if git is not None:
        yield Finding("git", "ok", git)
    else:
        yield Finding("git", "missing", "not found", "install git: hooks and some kinds of repositories need it")


def _linker() -> Finding:
    found = find_spec("indexer.link.memo")
    if found is not None and str(found.origin).endswith(tuple(EXTENSION_SUFFIXES)):
        return Finding("linker", "ok", "compiled")
    return Finding(
        "linker",
        "ok",
        "not compiled: with a C compiler at installation it is, as are extractors, and takes 60 % of the time",
    )


def _sqlite() -> Finding:
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE t USING fts5(text)")
        except sqlite3.OperationalError:
            advice = "use a Python whose SQLite has FTS5: codemap cannot search without it"
            return Finding("sqlite", "wrong", f"{sqlite3.sqlite_version} without FTS5", advice)
    return Finding("sqlite", "ok", f"{sqlite3.sqlite_version} with FTS5")


def _extras() -> Iterator[Finding]:
    for extra, purpose in EXTRAS.items():
        needed = _required(extra)
        lacking = [name for name in needed if _version(name) is None]
        if lacking or not needed:
            text = f"not there: {', '.join(lacking)}" if lacking else "not known to what was installed"
            yield Finding(f"extra {extra}", "missing", text, f"for {purpose}, install {DISTRIBUTION}[{extra}]")
        else:
            yield Finding(f"extra {extra}", "ok", ", ".join(f"{name} {_version(name)}" for name in needed))


def _repository(folder: Path) -> Iterator[Finding]:
    try:
        home = find(folder)
    except CodemapError as error:
        yield Finding("repository", "wrong", str(error), "name another folder with -C")
        return
    kind = "git" if home.location.is_git else "a folder outside git"
    yield Finding("repository", "ok", f"{home.root} ({kind})")
    yield _configuration(home)
    yield _map(home)


def _configuration(home: Home) -> Finding:
    from codemap.config import load

    try:
        found = load(home.root)
    except CodemapError as error:
        return Finding("configuration", "wrong", str(error), "correct the file: questions are refused until then")
    return Finding("configuration", "ok", found.source or "none, the defaults hold")


def _map(home: Home) -> Finding:
    place = home.location.map_dir
    writable = next((parent for parent in (Path(place), *Path(place).parents) if parent.exists()), None)
    if writable is None or not os.access(writable, os.W_OK):
        return Finding("map", "wrong", f"{place} cannot be written", "make it writable: the map is kept there")
    from codemap.api import CodeMap

    try:
        with CodeMap.open(home.root, build=False) as code_map:
            state = code_map.staleness()
            current = state.fresh and code_map.current()
    except (StoreError, NotFoundError) as error:
        if not os.path.exists(home.map):
            return Finding(
                "map", "missing", "there is none yet", "`codemap index` makes it; so does the first question"
            )
        return Finding("map", "wrong", str(error), "`codemap index --full` builds it anew")
    if current:
        return Finding("map", "ok", f"{home.map}, up to date")
    reason = state.reason or "files may have changed since it was made"
    return Finding("map", "ok", f"{home.map}: {reason}", "nothing: the next question brings it up to date")


def _ledger() -> Finding:
    from codemap.tokens.meter import place

    path = place.ledger_path()
    existing = path if path.exists() else next(parent for parent in path.parents if parent.exists())
    if os.access(existing, os.W_OK):
        return Finding("ledger", "ok", f"{path}{'' if path.exists() else ', not begun yet'}")
    return Finding("ledger", "wrong", f"{path} cannot be written", "set CODEMAP_LEDGER to a file that can")


def _required(extra: str | None) -> list[str]:
    """The distributions that codemap, or an extra of it, asks for."""
    try:
        lines = requires(DISTRIBUTION) or []
    except PackageNotFoundError:  # run from its sources without being installed
        return []
    found = []
    for line in lines:
        mark = _EXTRA.search(line)
        name = _NAME.match(line)
        if name is not None and (mark[1] if mark else None) == extra:
            found.append(name[0])
    return found


def _package(name: str, advice: str) -> Finding:
    held = _version(name)
    return Finding(name, "wrong", "not installed", advice) if held is None else Finding(name, "ok", held)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
