"""The facts cache."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from indexer.store.connect import open_facts, read_facts
from indexer.store.facts import FactsCache, FactsRow, Key


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[FactsCache]:
    cache = FactsCache(open_facts(str(tmp_path)))
    yield cache
    cache.close()


def test_what_is_put_is_found_by_its_whole_key(cache: FactsCache) -> None:
    cache.put([FactsRow("b1", "python", "f1", "", b"defs", b"uses", b"docs")])
    key = Key("b1", "python", "f1")
    assert cache.definitions(key) == b"defs"
    assert cache.uses(key) == b"uses"
    assert cache.described(key) == (b"defs", b"docs")
    for other in (Key("b2", "python", "f1"), Key("b1", "javascript", "f1"), Key("b1", "python", "f2")):
        assert cache.definitions(other) is None
        assert cache.known([other]) == {}


def test_reasons_are_known_and_have_no_facts(cache: FactsCache) -> None:
    cache.put(
        [FactsRow("b1", "python", "f1", "minified", b"", b"", b""), FactsRow("b2", "python", "f1", "", b"", b"", b"")]
    )
    skipped, whole = Key("b1", "python", "f1"), Key("b2", "python", "f1")
    assert cache.known([skipped, whole, Key("b3", "python", "f1")]) == {skipped: "minified", whole: ""}
    assert cache.definitions(skipped) is None
    assert cache.described(skipped) is None


def test_putting_again_replaces(cache: FactsCache) -> None:
    for definitions in (b"one", b"two"):
        cache.put([FactsRow("b1", "python", "f1", "", definitions, b"", b"")])
    assert cache.definitions(Key("b1", "python", "f1")) == b"two"


def test_the_state_changes_when_a_row_goes_and_not_when_one_comes(cache: FactsCache, tmp_path: Path) -> None:
    state = cache.state()
    cache.put([FactsRow(blob, "python", "f1", "", b"x", b"", b"") for blob in ("b1", "b1", "b2")])
    assert cache.state() == state
    cache.prune([Key("b1", "python", "f1")], 0, 0)
    assert cache.known([Key("b2", "python", "f1")]) == {}
    assert cache.state() != state
    (tmp_path / "other").mkdir()
    with closing(FactsCache(open_facts(str(tmp_path / "other")))) as other:
        assert other.state() not in (state, cache.state())


def test_workers_and_other_worktrees_see_what_is_committed(cache: FactsCache, tmp_path: Path) -> None:
    cache.put([FactsRow("b1", "python", "f1", "", b"one", b"", b"")])
    reader, other = FactsCache(read_facts(str(tmp_path))), FactsCache(open_facts(str(tmp_path)))
    other.put([FactsRow("b2", "python", "f1", "", b"two", b"", b"")])
    assert reader.definitions(Key("b1", "python", "f1")) == b"one"
    assert reader.definitions(Key("b2", "python", "f1")) == b"two"
    reader.close()
    other.close()


def test_pages_are_small_and_a_cache_with_others_is_used_as_it_is(tmp_path: Path) -> None:
    rows = [FactsRow("b1", "python", "f1", "", b"d" * 9000, b"uses", b"docs")]
    for name, pages in (("new", 1024), ("old", 4096)):
        folder = tmp_path / name
        folder.mkdir()
        cache = FactsCache(open_facts(str(folder)))
        cache.put(rows)
        cache.close()
        if name == "old":  # as they were made before
            with closing(sqlite3.connect(folder / "facts.db")) as connection:
                connection.executescript("PRAGMA journal_mode = DELETE; PRAGMA page_size = 4096; VACUUM;")
        connection = open_facts(str(folder))
        assert connection.execute("PRAGMA page_size").fetchone() == (pages,)
        cache = FactsCache(connection)
        cache.put([rows[0]._replace(blob="b2")])
        assert (
            cache.definitions(Key("b1", "python", "f1")) == cache.definitions(Key("b2", "python", "f1")) == b"d" * 9000
        )
        cache.close()
