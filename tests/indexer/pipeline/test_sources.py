"""Where the linker's facts come from."""

from __future__ import annotations

from pathlib import Path

from indexer.codec import encode
from indexer.extract import extract
from indexer.model import FileFacts
from indexer.pipeline.sources import CachedFacts
from indexer.store.connect import open_facts
from indexer.store.facts import FactsCache, FactsRow, Key

STORED, KEPT, LOST = Key("1", "python", "p"), Key("2", "python", "p"), Key("3", "python", "p")


def facts_of(source: bytes) -> FileFacts:
    facts = extract(source, "python")
    assert isinstance(facts, FileFacts)
    return facts


def test_facts_are_taken_from_memory_or_read(tmp_path: Path) -> None:
    cache = FactsCache(open_facts(str(tmp_path)))
    stored, kept = facts_of(b"a = b\n"), facts_of(b"c = d\n")
    definitions, uses, documents, _ = encode(stored)
    cache.put([FactsRow(*STORED, "", definitions, uses, documents)])
    keys = {"stored.py": STORED, "kept.py": KEPT, "lost.py": LOST}
    sources = CachedFacts(cache, keys, lambda path: (len(path),), {("2", "python"): kept})
    found = sources.facts("stored.py")
    assert found is not None
    assert found.symbols == stored.symbols
    assert [row[1] for row in sources.references("stored.py")] == ["b"]
    assert sources.facts("kept.py") is kept
    assert sources.references("kept.py") == kept.references
    assert sources.facts("lost.py") is None
    assert sources.references("lost.py") == ()
    assert sources.facts("unmapped.py") is None
    assert sources.symbol_ids("kept.py") == (7,)
    cache.close()
