"""The words under which a symbol is found: one pure function, used to add a row to the text index and to delete it.

The index keeps no text ("contentless"), so deleting a row means giving the very values it was made from; they are
worked out again from the old facts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from indexer import documents

TextRow: TypeAlias = tuple[int, str, str, str, str, str]
"""Symbol id; name, path, doc, often, body: the columns of the index."""

TEXT_INSERT = "INSERT INTO text (rowid, name, path, doc, often, body) VALUES (?, ?, ?, ?, ?, ?)"
TEXT_DELETE = "INSERT INTO text (text, rowid, name, path, doc, often, body) VALUES ('delete', ?, ?, ?, ?, ?, ?)"


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


class _Split(dict[str, str]):
    """Names already split. They repeat a lot, and are few beside what else a run holds."""

    def __missing__(self, name: str) -> str:
        if len(self) > 200_000:
            self.clear()
        plain = name.replace("_", " ")
        if plain.islower() and plain.isascii() and plain.replace(" ", "").isalpha():
            split = plain.strip()
        else:
            split = " ".join(_words(name))
        self[name] = split
        return split


_split = _Split().__getitem__


def split_name(name: str) -> str:
    """Words of an identifier, lower case: "getHTTPStatus_code2" → "get http status gethttpstatus code 2 code2"."""
    return _split(name)


def _words(name: str) -> dict[str, None]:
    words: dict[str, None] = {}
    for word in _WORDS.findall(name):
        parts = _PARTS.findall(word) if word.isascii() else documents.words(word)
        if len(parts) > 1:
            words.update(dict.fromkeys(part.lower() for part in parts))
        words[word.lower()] = None
    return words


def text_rows(path: str, facts: Described, ids: Sequence[int]) -> list[TextRow]:
    """A row for each symbol of a file, in order: the words of its name, of its path, of signature and documentation,
    and of its own code. A module is named after its file and documented by its header."""
    words, split = split_name(path), _split
    rows = [
        (number, split(symbol[0]), words, f"{symbol[12]}\n{symbol[13]}", *_counted(document))
        for number, symbol, document in zip(ids, facts.symbols, facts.documents, strict=True)
    ]
    module = facts.symbols[0]
    rows[0] = (ids[0], split(_module_name(path)), words, facts.header or module[13], *_counted(facts.documents[0]))
    return rows


def _counted(document: str) -> tuple[str, str]:
    """The words that a document says often, and all of them."""
    body, _, often = document.partition("\n")
    return often, body


def _module_name(path: str) -> str:
    *folders, name = path.split("/")
    stem = name.split(".")[0]
    return folders[-1] if stem in _FOLDER_MODULES and folders else stem
