"""Facts as bytes: what the cache keeps and what workers send.

Three parts, so that each reader decodes only what it needs: definitions (all but the next two), uses (references) and
documents. Each is JSON, lightly deflated: under a third of the size. Rows of named tuples are kept by column, which is
smaller and quicker. After `decode` they are the named tuples of `indexer.model` again; what is nested in a row
(expressions, `returns`, `bases`, positions) is a list where the extractor made a tuple, with the same values in order.
"""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple
from zlib import compress, decompress

import orjson

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
_PAIRS = frozenset({"error_lines", "blocks"})
_TEXTS = frozenset({"language", "header"})
_APART = frozenset({"references", "documents"})
_FIELDS = tuple(field for field in FileFacts._fields if field not in _APART)
_SYMBOLS = _FIELDS.index("symbols")

_LAYOUT = ("columns", FileFacts._fields, [kind._fields for kind in _NAMED.values()])
FORMAT = sha256(repr(_LAYOUT).encode()).hexdigest()[:8]
"""Names the layout of encoded facts; bytes of another layout cannot be decoded."""


class Encoded(NamedTuple):
    definitions: bytes
    uses: bytes
    documents: bytes
    described: bytes  # what the map keeps, as JSON for `decode_described`; not deflated, since it is not kept


def encode(facts: FileFacts) -> Encoded:
    """Facts as JSON texts, those that are kept deflated. Equal facts give equal bytes, as long as zlib is the same.

    Raises TypeError for values JSON does not have: integers beyond 64 bits, strings with lone surrogates.
    """
    fields: list[Any] = [
        value if field not in _NAMED or not value else list(zip(*value, strict=True))
        for field, value in zip(FileFacts._fields, facts, strict=True)
        if field not in _APART
    ]
    symbols = fields[_SYMBOLS] = orjson.Fragment(orjson.dumps(fields[_SYMBOLS]))
    documents = orjson.dumps(facts.documents)
    rest = facts.header, len(facts.line_lengths), facts.error_lines, facts.notes
    return Encoded(
        definitions=compress(orjson.dumps(fields), 1),
        uses=compress(orjson.dumps(facts.references), 1),
        documents=compress(documents, 1),
        described=orjson.dumps((symbols, orjson.Fragment(documents), *rest)),
    )


def decode(definitions: bytes, uses: bytes | None = None, documents: bytes | None = None) -> FileFacts:
    """The facts back; references and documents are empty where their bytes are not given."""
    values: dict[str, Any] = dict(zip(_FIELDS, orjson.loads(decompress(definitions)), strict=True))
    for field, value in values.items():
        if field in _TEXTS or value is None:
            continue
        if field in _NAMED:
            # `kind._make` without its length check takes half the time; FORMAT vouches for the length.
            values[field] = tuple(map(partial(tuple.__new__, _NAMED[field]), zip(*value, strict=True)))
        else:
            values[field] = tuple(map(tuple, value)) if field in _PAIRS else tuple(value)
    return FileFacts(
        references=() if uses is None else decode_uses(uses),
        documents=() if documents is None else decode_documents(documents),
        **values,
    )


def decode_uses(uses: bytes) -> tuple[Reference, ...]:
    """The references alone; each row is a list [scope, expression, role, [position, …]]."""
    return tuple(orjson.loads(decompress(uses)))


def decode_documents(documents: bytes) -> tuple[str, ...]:
    """The documents alone, one per symbol."""
    return tuple(orjson.loads(decompress(documents)))


def decode_described(described: bytes) -> list[Any]:
    """[rows of symbols, documents, header, number of lines, error lines, notes]."""
    symbols, *rest = orjson.loads(described)
    return [list(zip(*symbols, strict=True)), *rest]
