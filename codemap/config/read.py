"""From the files of a repository to its settings. Nothing in them is trusted; a mistake is told, never passed over."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace

from codemap.config.values import DEFAULT, Config
from indexer.blobs import UnreadableError, read_regular
from indexer.errors import ConfigError

OWN = "codemap.toml"
SHARED = "pyproject.toml"
TABLE = "tool.codemap"

_NAME = b"codemap"
_HEADER = re.compile(rb"^[ \t]*\[[ \t]*[\"']?tool[\"']?[ \t]*\.[ \t]*[\"']?codemap[\"']?[ \t]*[.\]]", re.M)


def load(root: str | os.PathLike[str]) -> Config:
    """The settings of the repository or folder `root`; the defaults where neither file says anything.

    `codemap.toml` goes before `[tool.codemap]` in `pyproject.toml`; where both are there a note says so. Raises
    ConfigError, which names file and key: for a file that cannot be used, an unknown key, a value that is not allowed.
    """
    folder = os.fspath(root)
    try:
        own = _content(folder, OWN)
    except UnreadableError as error:
        raise ConfigError(f"{OWN} cannot be used as configuration: {error.reason}") from error
    notes: list[str] = []
    shared = None
    try:
        shared = _shared_table(_content(folder, SHARED), required=own is None)
    except UnreadableError as error:  # somebody else's file, as a rule, and what it says of us is not known
        notes.append(f"{SHARED} is not looked into for settings: {error.reason}")
    if own is None and shared is None:
        return replace(DEFAULT, notes=tuple(notes)) if notes else DEFAULT
    if own is None:
        return _config(shared or {}, SHARED, f"{TABLE}.")
    if shared is not None:
        notes.append(f"settings are in {OWN} and in {SHARED}: those of {OWN} count, those of [{TABLE}] do not")
    return replace(_config(_document(own, OWN), OWN, ""), notes=tuple(notes))


def _content(folder: str, name: str) -> bytes | None:
    """The bytes of a file; None where there is none. Raises UnreadableError."""
    try:
        return read_regular(os.path.join(folder, name))
    except (FileNotFoundError, NotADirectoryError):
        return None


def _shared_table(raw: bytes | None, *, required: bool) -> Mapping[str, object] | None:
    """`[tool.codemap]`; a file that never says the name is not even parsed, since nearly every project has one."""
    if raw is None or _NAME not in raw:
        return None
    try:
        document = _document(raw, SHARED)
    except ConfigError:
        if required and _HEADER.search(raw):
            raise
        return None  # broken, but not ours to say
    tool = document.get("tool")
    table = tool.get("codemap") if isinstance(tool, dict) else None
    if table is None or isinstance(table, dict):
        return table
    raise ConfigError(f"{SHARED}: {TABLE} has to be a table: write [{TABLE}] and the keys below it")


def _document(raw: bytes, name: str) -> Mapping[str, object]:
    import tomllib

    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name} is not UTF-8: save it as UTF-8") from error
    try:
        return tomllib.loads(text)
    except ValueError as error:  # also a number that is too long to be one
        raise ConfigError(f"{name} is not TOML: {error}") from error
    except RecursionError as error:
        raise ConfigError(f"{name} is not usable: it nests too deeply") from error


def _config(table: Mapping[str, object], name: str, prefix: str) -> Config:
    from codemap.config.keys import KEYS

    found: dict[str, object] = {}
    for key, given in table.items():
        if key not in KEYS:
            raise ConfigError(_unknown(key, name, prefix))
        try:
            found[KEYS[key].field] = KEYS[key].value(given)
        except ValueError as error:
            raise ConfigError(f"{name}: {prefix}{key} has to be {KEYS[key].allowed}, not {_shown(given)}") from error
    return replace(DEFAULT, source=name, **found)  # type: ignore[arg-type]  # each value was checked for its field


def _unknown(key: str, name: str, prefix: str) -> str:
    from difflib import get_close_matches

    from codemap.config.keys import KEYS

    near = get_close_matches(key.lower().replace("_", "-"), KEYS, n=1, cutoff=0.0)
    return (
        f"{name}: there is no key {prefix}{_cut(key)}; the nearest is {near[0]}, and all are {', '.join(sorted(KEYS))}"
    )


def _shown(given: object) -> str:
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, str):
        return f'"{_cut(given)}"'
    if isinstance(given, dict):
        return "a table"
    if isinstance(given, int) and given.bit_length() > 128:  # its digits may be more than can be written
        return "so large a number"
    return "a list" if isinstance(given, list) else _cut(str(given))


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
