"""Facts as bytes: what the cache keeps and what workers send.

Three parts, so that each reader decodes only what it needs: definitions (all but the next two), uses (references) and
documents. Each is MessagePack, compressed. Rows of named tuples are kept by column, which is smaller and quicker.
`decode` gives what `encode` was given: tuples are tuples again, at every depth.
"""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

from msgpack import Packer, unpackb

from indexer.compressed import compress, decompress
from indexer.model import (
    Attribute,
    Binding,
    Call,
    Class,
    Export,
    FileFacts,
    Function,
    Import,
    Narrowing,
    Reference,
    Scope,
    Store,
    Symbol,
)

_NAMED: dict[str, Any] = {
    "symbols": Symbol,
    "scopes": Scope,
    "bindings": Binding,
    "attributes": Attribute,
    "functions": Function,
    "classes": Class,
    "imports": Import,
    "exports": Export,
    "calls": Call,
    "stores": Store,
    "narrowings": Narrowing,
}
_APART = frozenset({"references", "documents"})
_FIELDS = tuple(field for field in FileFacts._fields if field not in _APART)

_LAYOUT = ("msgpack", "zstd", "columns", FileFacts._fields, [kind._fields for kind in _NAMED.values()])
FORMAT = sha256(repr(_LAYOUT).encode()).hexdigest()[:8]
"""Names the layout of encoded facts; bytes of another layout cannot be decoded."""


class Encoded(NamedTuple):
    definitions: bytes
    uses: bytes
    documents: bytes
    described: bytes  # what the map keeps, for `decode_described`; not compressed, since it is not kept


def encode(facts: FileFacts) -> Encoded:
    """Facts as bytes, those that are kept compressed. Equal facts give equal bytes, as long as the library is the same.

    Raises OverflowError for integers beyond 64 bits, UnicodeEncodeError for strings with lone surrogates.
    """
    pack = Packer().pack
    fields = {
        field: pack(value if field not in _NAMED or not value else tuple(zip(*value, strict=True)))
        for field, value in zip(FileFacts._fields, facts, strict=True)
    }
    definitions = _array([fields[field] for field in _FIELDS])
    rest = (facts.header, len(facts.line_lengths), facts.error_lines, facts.notes)
    return Encoded(
        definitions=compress(definitions),
        uses=compress(fields["references"]),
        documents=compress(fields["documents"]),
        described=_array([fields["symbols"], fields["documents"], *map(pack, rest)]),
    )


def _array(packed: list[bytes]) -> bytes:
    """An array of values that are packed already."""
    return b"".join([Packer().pack_array_header(len(packed)), *packed])


def decode(definitions: bytes, uses: bytes | None = None, documents: bytes | None = None) -> FileFacts:
    """The facts back; references and documents are empty where their bytes are not given."""
    values: dict[str, Any] = dict(zip(_FIELDS, _unpacked(decompress(definitions)), strict=True))
    for field, value in values.items():
        if field in _NAMED and value:
            # `kind._make` without its length check takes half the time; FORMAT vouches for the length.
            values[field] = tuple(map(partial(tuple.__new__, _NAMED[field]), zip(*value, strict=True)))
    return FileFacts(
        references=() if uses is None else decode_uses(uses),
        documents=() if documents is None else decode_documents(documents),
        **values,
    )


def decode_uses(uses: bytes) -> tuple[Reference, ...]:
    """The references alone."""
    references: tuple[Reference, ...] = _unpacked(decompress(uses))
    return references


def decode_documents(documents: bytes) -> tuple[str, ...]:
    """The documents alone, one per symbol."""
    words: tuple[str, ...] = _unpacked(decompress(documents))
    return words


def decode_described(described: bytes) -> list[Any]:
    """[rows of symbols, documents, header, number of lines, error lines, notes]."""
    symbols, *rest = _unpacked(described)
    return [list(zip(*symbols, strict=True)), *rest]


def _unpacked(packed: bytes) -> Any:
    return unpackb(packed, use_list=False)
