"""What the map depends on besides the repository: the indexer's own code."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path


@cache
def code_fingerprint() -> str:
    """Changes with any source file of the indexer, so that a map is never taken for what another version would make.

    Facts have fingerprints of their own (each language's), and outlive this one.
    """
    root = Path(__file__).resolve().parent.parent
    hooks = root / "hooks"  # say when maps are made, not how
    digest = sha256()
    for path in sorted(root.rglob("*")):
        if path.suffix in (".py", ".scm") and hooks not in path.parents:
            digest.update(path.relative_to(root).as_posix().encode() + b"\0")
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:32]
