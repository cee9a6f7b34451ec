"""What a look at a worktree found, kept beside the stamps of what it was found by."""

from __future__ import annotations

from typing import NamedTuple

import orjson

from indexer.discover.git import Head
from indexer.discover.scan import Discovery
from indexer.discover.tracked import Again
from indexer.ports import SourceFile


class Found(NamedTuple):
    """See `Discovery`."""

    files: dict[str, SourceFile]
    configs: dict[str, str]
    skipped: dict[str, str]
    head: Head
    again: Again


def pack(discovery: Discovery, program: str) -> bytes:
    """For `unpack` by the same `program`; nothing where a later look has to look at everything."""
    if discovery.again is None:
        return b""
    head = discovery.head, discovery.head_time, discovery.branch
    row = program, discovery.files, discovery.configs, discovery.skipped, head, discovery.again
    try:
        return orjson.dumps(row, default=list)
    except orjson.JSONEncodeError:  # a staged path that is no UTF-8
        return b""


def unpack(packed: bytes, program: str) -> Found | None:
    """What was packed; None for nothing, what another program packed, and what is damaged."""
    try:
        by, files, configs, skipped, head, again = orjson.loads(packed)
        if by != program:
            return None
        return Found(
            {row[0]: SourceFile(*row) for row in files}, dict(configs), dict(skipped), Head(*head), Again(*again)
        )
    except (ValueError, TypeError):
        return None
