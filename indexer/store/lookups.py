"""What a link asked of other files, as it is stored: a line for each file, which is read without the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import orjson

from indexer.compressed import SMALL, compress, decompress


def encoded(lookups: Mapping[str, Sequence[str]]) -> bytes:
    """{path: [binding, …]}, in the order given, as bytes."""
    return compress(b"".join([_head(path) + orjson.dumps(names) for path, names in lookups.items()]), SMALL)


def lines(data: bytes) -> bytes:
    """What `encoded` gave, for `asked_of`. Raises `indexer.compressed.DamagedBytesError`."""
    return decompress(data)


def asked_of(text: bytes, path: str) -> list[str]:
    """The bindings that were asked of a file. text: what `lines` gave."""
    head = _head(path)
    start = text.find(head)
    if start < 0:
        return []
    end = text.find(b"\n", start + 1)
    names: list[str] = orjson.loads(text[start + len(head) : None if end < 0 else end])
    return names


def _head(path: str) -> bytes:
    """What stands before the bindings. In JSON there are no such line breaks and tabs."""
    return b"\n" + orjson.dumps(path) + b"\t"
