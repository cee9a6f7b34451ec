"""The words of a query, from the command line and from standard input."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import BinaryIO

from codemap.render import escape
from indexer.errors import UsageError

LIMIT = 200_000  # bytes read of standard input: an issue with its comments, a long trace
STANDARD_INPUT = "-"


def query(words: Sequence[str]) -> str:
    """The words joined, "-" standing for what is on standard input. Raises UsageError when there are none."""
    parts = []
    read = False
    for word in words:
        if word != STANDARD_INPUT:
            parts.append(word)
        elif not read:
            parts.append(_standard_input(sys.stdin.buffer))
            read = True
    text = " ".join(parts)
    if not text.strip():
        raise UsageError("no words to look for: write some, or `-` and pipe text in")
    return text


def _standard_input(stream: BinaryIO) -> str:
    data = stream.read(LIMIT + 1)
    if len(data) > LIMIT:
        print(f"codemap: only the first {LIMIT:,} bytes of standard input are read", file=sys.stderr)
        data = data[:LIMIT]
    return decode(data)


def decode(data: bytes) -> str:
    """Text from UTF-8, with or without a mark, or from UTF-16 with one. Raises UsageError for what is no text."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    text = data.decode("utf-8-sig", "replace")
    if "\0" in text or text.count("\ufffd") > len(text) // 3:
        raise UsageError(f"standard input is not text: it begins with {escape.line(text[:20])}")
    return text
