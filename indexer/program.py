"""What the map depends on besides the repository: the indexer's own code."""

from __future__ import annotations

import os
from collections.abc import Mapping
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


@cache
def installation() -> str:
    """Changes when the indexer or a library beside it is installed anew, and differs from one installation to another.

    Made of the time stamps of folders: a matter of microseconds, where `code_fingerprint` reads every file. Another one
    says that a map may have been made by another version; the same one, that nobody has installed anything since.
    """
    folders = [str(_ROOT), *sorted(each.path for each in os.scandir(_ROOT) if each.is_dir() and each.name[:1] != "_")]
    folders.append(os.path.dirname(os.path.dirname(os.path.abspath(orjson.__file__))))
    digest = sha256()
    for folder in folders:
        digest.update(f"{folder}\0{os.stat(folder).st_mtime_ns}\0".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:32]


def of_another_version(meta: Mapping[str, str]) -> bool:
    """Whether a map with this `meta` was made by other code than this."""
    code = meta.get("code")
    return code is not None and meta.get("installation") != installation() and code != code_fingerprint()
