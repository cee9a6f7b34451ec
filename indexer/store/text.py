"""The words under which a symbol is found: one pure function, used to add a row to the text index and to delete it.

The index keeps no text ("contentless"), so deleting a row means giving the very values it was made from; they are
worked out again from the old facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from indexer import documents

TextRow: TypeAlias = tuple[str, str, str, str]
"""name, path, doc, body: the columns of the index."""


class Described(NamedTuple):
    """What the map keeps of a file's facts."""

    symbols: Sequence[tuple[Any, ...]]  # rows of `indexer.model.Symbol`
    documents: Sequence[str]
    header: str
    lines: int
    errors: Sequence[tuple[int, int]]
    notes: Sequence[str]


_WORDS = re.compile(r"[^\W_]+")
_PARTS = re.compile(r"\d+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_FOLDER_MODULES = frozenset({"__init__", "index", "mod", "__main__"})

_split: dict[str, str] = {}
"""Names already split. They repeat a lot, and are few beside what else a run holds."""


def split_name(name: str) -> str:
    """Words of an identifier, lower case: "getHTTPStatus_code2" → "get http status gethttpstatus code 2 code2"."""
    known = _split.get(name)
    if known is None:
        if len(_split) > 200_000:
            _split.clear()
        words: dict[str, None] = {}
        for word in _WORDS.findall(name):
            parts = _PARTS.findall(word) if word.isascii() else documents.words(word)
            if len(parts) > 1:
                words.update(dict.fromkeys(part.lower() for part in parts))
            words[word.lower()] = None
        known = _split[name] = " ".join(words)
    return known


def text_rows(path: str, facts: Described) -> Iterator[TextRow]:
    """A row for each symbol of a file, in order."""
    words = split_name(path)
    symbols = facts.symbols
    yield _module_row(path, words, symbols[0], facts.header, facts.documents[0])
    for symbol, document in zip(symbols[1:], facts.documents[1:], strict=True):
        yield text_row(words, symbol, document)


def text_row(path_words: str, symbol: tuple[Any, ...], document: str) -> TextRow:
    """The row of a symbol other than a module."""
    return split_name(symbol[0]), path_words, f"{symbol[12]}\n{symbol[13]}", document


def _module_row(path: str, words: str, symbol: tuple[Any, ...], header: str, document: str) -> TextRow:
    *folders, name = path.split("/")
    stem = name.split(".")[0]
    named = folders[-1] if stem in _FOLDER_MODULES and folders else stem
    return split_name(named), words, header or symbol[13], document


def zipped(ids: Sequence[int], rows: Iterator[TextRow]) -> Iterator[tuple[int, str, str, str, str]]:
    """Rows with the symbol's id in front, ready to be stored."""
    return ((symbol, *row) for symbol, row in zip(ids, rows, strict=True))
