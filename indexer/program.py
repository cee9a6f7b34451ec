"""What the map depends on besides the repository: the indexer's own code."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

import orjson

_ROOT = Path(__file__).resolve().parent


@cache
def code_fingerprint() -> str:
    """Changes with any source file of the indexer, so that a map is never taken for what another version would make.

    Facts have fingerprints of their own (each language's), and outlive this one.
    """
    hooks = _ROOT / "hooks"  # say when maps are made, not how
    digest = sha256()
    for path in sorted(_ROOT.rglob("*")):
        if path.suffix in (".py", ".scm") and hooks not in path.parents:
            digest.update(path.relative_to(_ROOT).as_posix().encode() + b"\0")
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:32]


def code_of(meta: Mapping[str, str]) -> str:
    """`code_fingerprint`, which a map with this `meta` has noted where the same installation wrote it."""
    code = meta.get("code")
    return code if code is not None and meta.get("installation") == installation() else code_fingerprint()


@cache
def installation() -> str:
    """Changes when the indexer or a library beside it is installed anew, and differs from one installation to another.

    Made of time stamps: half a millisecond, where `code_fingerprint` reads every file. Another one says that a map may
    have been made by another version; the same one, that nobody has installed anything since. Folders of the package do
    not count: Python itself puts its caches there.
    """
    libraries = os.path.dirname(os.path.dirname(os.path.abspath(orjson.__file__)))
    stamps = [(libraries, os.stat(libraries).st_mtime_ns), *sorted(_stamps(str(_ROOT)))]
    return sha256(repr(stamps).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _stamps(folder: str) -> Iterator[tuple[str, int]]:
    """Each file of a package that is no cache, and when it was changed."""
    for entry in os.scandir(folder):
        if not entry.is_dir():
            yield entry.path, entry.stat().st_mtime_ns
        elif entry.name[:1] != "_":
            yield from _stamps(entry.path)


def of_another_version(meta: Mapping[str, str]) -> bool:
    """Whether a map with this `meta` was made by other code than this."""
    code = meta.get("code")
    return code is not None and meta.get("installation") != installation() and code != code_fingerprint()
