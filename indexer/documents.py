"""The words of each symbol's own text: what the text index searches beside names and documentation.

Comments and strings count. Text of a nested symbol belongs to that symbol alone, but for variables of one line, whose
words stay with the symbol around them (their names are indexed as names).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import chain

from indexer.model import Symbol

WORD_LIMIT = 400
"""Words a document holds at most: the first of its text. Tables of data say little after that."""

OFTEN = 3
"""Times from which a word is what a text is about, and not just in it. One step is enough: exact counts would find one
function in fifty more, and cost a number for each word of each symbol."""

_TOKEN_LIMIT = 60  # bytes; longer ASCII runs are keys, hashes or encoded data
_CACHE_LIMIT = 200_000  # identifiers, some 40 MB

# Words of the languages' syntax. Keywords that are also words of a subject (delete, import, type…) are kept.
_SYNTAX_TEXT = """
    and as async await bool break case class cls const continue def default do elif else enum except export extends
    false finally for from function if in instanceof int is lambda let new none nonlocal not null or pass raise return
    self static str super switch this throw true try typeof undefined var void while with yield
"""
_SYNTAX = frozenset(_SYNTAX_TEXT.split())

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_UNICODE_PARTS = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f]+")

_SHORT_KINDS = frozenset({"variable", "attribute"})

# Every ASCII byte that is no letter, digit or underscore becomes a blank; bytes of other scripts stay.
_BLANKS = bytes(b if b >= 0x80 or chr(b).isalnum() or b == 0x5F else 0x20 for b in range(256))


def documents(text: bytes, symbols: Sequence[Symbol]) -> tuple[str, ...]:
    """One document per symbol: the distinct words of its own text in order of appearance, joined by blanks; in a
    second line, where there are any, those that the text says often.

    `text` is the normalised text that the symbols' byte ranges point into.
    """
    return tuple([_document(tokens) if tokens else "" for tokens in _own_tokens(text.translate(_BLANKS), symbols)])


def words(text: str) -> list[str]:
    """The words of free text, split as documents are, in order of appearance, each once. For queries."""
    tokens = text.encode("utf-8", "replace").translate(_BLANKS).decode().split()
    return list(dict.fromkeys(chain.from_iterable(map(_words_of, tokens))))


def _own_tokens(text: bytes, symbols: Sequence[Symbol]) -> list[list[str]]:
    """For each symbol, the tokens of its range without those of symbols nested in it, by position alone: an attribute
    set in a method belongs to the class, but its text stands in the method."""
    tokens: list[list[str]] = [[] for _ in symbols]
    opened: list[tuple[int, list[str]]] = []  # (end, tokens) of the symbols around the cursor, innermost last
    cursor = 0
    ranges = [
        (symbol.start_byte, -symbol.end_byte, index)
        for index, symbol in enumerate(symbols)
        if symbol.end_line > symbol.start_line or symbol.kind not in _SHORT_KINDS
    ]
    ranges.sort()
    for start, negated_end, index in ranges:
        while opened and opened[-1][0] <= start:
            end, inner = opened.pop()
            inner += text[cursor:end].decode("utf-8", "replace").split()
            cursor = max(cursor, end)
        if opened and cursor < start:
            inner = opened[-1][1]
            inner += text[cursor:start].decode("utf-8", "replace").split()
        cursor = max(cursor, start)
        opened.append((-negated_end, tokens[index]))
    while opened:
        end, inner = opened.pop()
        inner += text[cursor:end].decode("utf-8", "replace").split()
        cursor = max(cursor, end)
    return tokens


def _document(tokens: list[str]) -> str:
    counts = Counter(chain.from_iterable(map(_words_of, tokens)))
    found = list(counts) if len(counts) <= WORD_LIMIT else list(counts)[:WORD_LIMIT]
    if max(counts.values(), default=0) < OFTEN:
        return " ".join(found)
    return " ".join(found) + "\n" + " ".join([word for word in found if counts[word] >= OFTEN])


class _Split(dict[str, tuple[str, ...]]):
    """Token → its words, remembered: a repository says the same identifiers over and over."""

    def __missing__(self, token: str) -> tuple[str, ...]:
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        split = self[token] = _ascii_words(token) if token.isascii() else _unicode_words(token)
        return split


_words_of = _Split().__getitem__


def _ascii_words(token: str) -> tuple[str, ...]:
    """`HTTPServerError2` → http, server, error, httpservererror2."""
    if len(token) > _TOKEN_LIMIT:
        return ()
    whole = token.lower()
    if whole.isalpha() and (whole == token or token.istitle() or token.isupper()):
        return (whole,) if len(whole) > 1 and whole not in _SYNTAX else ()
    whole = whole.replace("_", "")
    if token.islower() and whole.isalpha():
        parts = token.split("_")
    else:
        parts = [part.lower() for part in _PARTS.findall(token)]
    if not parts:
        return ()
    parts.append(whole)
    return tuple(dict.fromkeys([part for part in parts if len(part) > 1 and part not in _SYNTAX]))


def _unicode_words(token: str) -> tuple[str, ...]:
    """Likewise for other scripts; a run of ideographs or kana also as its pairs, since blanks do not part its words."""
    found: list[str] = []
    text = unicodedata.normalize("NFC", token)
    for run in _UNICODE_PARTS.findall(text):
        if run.isascii():
            found += _ascii_words(run)
            continue
        for part in _CAMEL.split(run):
            found += _script_words(part.lower())
    return tuple(dict.fromkeys(found))


def _script_words(part: str) -> list[str]:
    pairs = [run[i : i + 2] for run in _IDEOGRAPHS.findall(part) for i in range(len(run) - 1 if len(run) > 2 else 0)]
    alone = len(part) > 1 or _IDEOGRAPHS.match(part)
    return [part[:_TOKEN_LIMIT], *pairs] if alone else pairs
