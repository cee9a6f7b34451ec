"""Read the text index: which symbols hold a word, in which column.

The index keeps no text and no positions, so that SQLite's own ranking has nothing to count; `queries.search` ranks.
"""

from __future__ import annotations

from collections.abc import Iterable

import orjson

from indexer.store.reader import Reader, listed

COLUMNS = ("name", "path", "doc", "often", "body")


class Postings:
    """Words as the tokenizer keeps them: one token each, lower case, without diacritics."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._last: tuple[int, frozenset[str], dict[str, dict[str, int]]] = 0, frozenset(), {}
        reader.rows("CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab('main', 'text', 'col')")

    def frequencies(self, words: Iterable[str]) -> dict[str, dict[str, int]]:
        """word → column → number of symbols that hold it there; words that nothing holds are absent.

        What was read last is kept: one question asks several times.
        """
        asked, state = frozenset(words), self._reader.version()
        last, known, counts = self._last
        if last == state and asked <= known:
            return {word: dict(counts[word]) for word in asked if word in counts}
        found: dict[str, dict[str, int]] = {}
        sql = "SELECT w.term, w.col, w.doc FROM json_each(?) j JOIN temp.words w ON w.term = j.value"
        for word, column, count in self._reader.rows(sql, (listed(sorted(asked)),)):
            found.setdefault(word, {})[column] = count
        self._last = state, asked, {word: dict(each) for word, each in found.items()}
        return found

    def starting_with(self, prefix: str, limit: int) -> list[str]:
        """Words with a prefix, alphabetically."""
        sql = "SELECT DISTINCT term FROM temp.words WHERE term >= ? AND term < ? ORDER BY term LIMIT ?"
        return [word for (word,) in self._reader.rows(sql, (prefix, prefix + "\U0010ffff", limit))]

    def holding(self, words: Iterable[str], column: str) -> list[int]:
        """Ids of the symbols that hold one of some words in a column."""
        quoted = " OR ".join('"' + word.replace('"', '""') + '"' for word in words)
        # One value for thousands of rows: a third of the time.
        sql = "SELECT json_group_array(rowid) FROM text WHERE text MATCH ?"
        found: list[int] = orjson.loads(self._reader.rows(sql, (f"{column} : ({quoted})",))[0][0])
        return found

    def sizes(self, ids: Iterable[int]) -> dict[int, int]:
        """Number of distinct words of each symbol's body, from the index's own size records."""
        sql = "SELECT id, sz FROM text_docsize WHERE id IN (SELECT value FROM json_each(?))"
        return {symbol: last_varint(sizes) for symbol, sizes in self._reader.rows(sql, (listed(ids),))}


def last_varint(record: bytes) -> int:
    """The last of a row of SQLite varints: the size of the last column."""
    value = last = 0
    for byte in record:
        value = value << 7 | byte & 0x7F
        if not byte & 0x80:
            last, value = value, 0
    return last
