"""The tables of the map and of the facts cache, as constants.

`map.db` is one worktree's map; `facts.db` is shared by the worktrees of a repository. Ids are small integers, stable as
long as the thing they name exists; they never appear in an answer.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

MAP_NAME = "map.db"
FACTS_NAME = "facts.db"

MAP_VERSION = 6
FACTS_VERSION = 3
FACTS_PAGE = 1024
"""Bytes of a page of the facts cache: rows are a few thousand, and the last page of each is half empty."""

APPLICATION_ID = 0x636D6170  # "cmap" in the file's header: the file is ours

FACTS_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE facts (
    blob TEXT NOT NULL,             -- git blob id of the raw bytes, hex
    language TEXT NOT NULL,
    fingerprint TEXT NOT NULL,      -- of the extractor; another fingerprint is another row
    reason TEXT NOT NULL,           -- why these bytes are not mapped (binary, minified, …); "" where they are
    definitions BLOB NOT NULL,      -- all of FileFacts but references and documents (msgpack)
    uses BLOB NOT NULL,             -- references (msgpack)
    documents BLOB NOT NULL,        -- documents (msgpack)
    PRIMARY KEY (blob, language, fingerprint)
);
-- Keys of its meta: born (a random word), deletions (of rows, ever: as long as both are the same, no row has gone),
-- in_use (see indexer.pipeline.pruning).
INSERT INTO meta VALUES ('born', lower(hex(randomblob(16)))), ('deletions', '0');
CREATE TRIGGER count_deletions AFTER DELETE ON facts BEGIN
    UPDATE meta SET value = value + 1 WHERE key = 'deletions';
END;
"""

# Keys of the map's meta: version, code (fingerprint of the indexer), installation (see indexer.program), fingerprints
# (JSON {language: fingerprint}), configs and read (JSON {path: blob}: configuration listed by discover, read by
# resolvers), commit and head_time ("" without commits), built_at (ISO 8601, UTC), submodules (yes: they are part of it;
# no), facts (the state of the cache when it held those of all files), files, symbols, edges (counts), next_file and
# next_symbol (ids are not used twice), state (another with every write).
MAP_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,      -- relative to the root, "/" between parts, NFC not applied: as git has it
    blob TEXT NOT NULL,
    language TEXT NOT NULL,
    size INTEGER NOT NULL,          -- bytes
    lines INTEGER NOT NULL,
    state TEXT NOT NULL,            -- committed | modified | untracked
    test INTEGER NOT NULL,          -- 1 for test code
    header TEXT NOT NULL,
    errors TEXT NOT NULL,           -- JSON [[first line, last line], …]
    notes TEXT NOT NULL             -- JSON [text, …]
);
CREATE TABLE skipped (path TEXT PRIMARY KEY, reason TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE symbols (
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL,
    position INTEGER NOT NULL,      -- index in FileFacts.symbols
    name TEXT NOT NULL,
    qualname TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    kind TEXT NOT NULL,
    parent INTEGER NOT NULL,        -- id of the enclosing symbol; 0 for a module
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    name_line INTEGER NOT NULL,
    start_byte INTEGER NOT NULL,
    end_byte INTEGER NOT NULL,
    signature TEXT NOT NULL,
    doc TEXT NOT NULL,
    flags INTEGER NOT NULL          -- indexer.model.Flag
);
CREATE TABLE edges (
    source INTEGER NOT NULL,        -- symbol id of the caller, importer, subclass, …
    target INTEGER NOT NULL,        -- symbol id
    kind TEXT NOT NULL,             -- imports calls inherits overrides references
    line INTEGER NOT NULL,          -- 1-based, in the source's file; where another file's link made the edge, the
                                    -- source's first line minus it (0 or less), which stays true when the source moves
    file INTEGER NOT NULL,          -- the file whose link made the edge: as a rule, that of the source
    evidence INTEGER NOT NULL,      -- how it was reached: index in indexer.evidence.EVIDENCE
    receiver INTEGER NOT NULL       -- class whose instance it is called on, where subclasses may stand in; of a base
                                    -- among several: its place, from 1; else 0
);
CREATE TABLE pending (
    source INTEGER NOT NULL,        -- symbol id
    name TEXT NOT NULL,             -- member called on a receiver that is not known; "super.name": see evidence.AFTER
    line INTEGER NOT NULL,
    file INTEGER NOT NULL,
    receiver INTEGER NOT NULL       -- as that of an edge; less than 0: the class surely has no such member itself
);
CREATE TABLE links (
    file INTEGER PRIMARY KEY,
    counts TEXT NOT NULL,           -- JSON {state or "state: reason": number of references}
    lookups BLOB NOT NULL,          -- what it asked of other files, found or not, as in store/lookups.py
    modules BLOB NOT NULL           -- compressed JSON [[question, answer], …]: what it asked of the resolver
);
CREATE TABLE asked (                -- which files' links asked something of a file
    target INTEGER NOT NULL,        -- file id
    file INTEGER NOT NULL,
    PRIMARY KEY (target, file)
) WITHOUT ROWID;
-- often: words of the body that it says several times; what few words tell is told by these
CREATE VIRTUAL TABLE text USING fts5(
    name, path, doc, often, body, content = '', detail = column, tokenize = "unicode61 remove_diacritics 2"
);
"""

# Made after a first build, when sorting once is cheaper than inserting in order.
SYMBOL_INDEXES = """
CREATE INDEX IF NOT EXISTS symbols_by_file ON symbols (file, position);
CREATE INDEX IF NOT EXISTS symbols_by_name ON symbols (name);
"""
LINK_INDEXES = """
CREATE INDEX IF NOT EXISTS edges_by_target ON edges (target);
CREATE INDEX IF NOT EXISTS edges_by_source ON edges (source);
CREATE INDEX IF NOT EXISTS edges_inherits ON edges (source, receiver, target) WHERE kind = 'inherits';
CREATE INDEX IF NOT EXISTS edges_registered ON edges (target, source) WHERE kind = 'overrides' AND evidence = 11;
CREATE INDEX IF NOT EXISTS edges_elsewhere ON edges (file) WHERE line <= 0;
CREATE INDEX IF NOT EXISTS pending_by_name ON pending (name);
CREATE INDEX IF NOT EXISTS pending_typed ON pending (name) WHERE receiver <> 0;
CREATE INDEX IF NOT EXISTS pending_by_source ON pending (source);
CREATE INDEX IF NOT EXISTS asked_by_file ON asked (file);
"""


def statements(script: str) -> Iterable[str]:
    """The statements of a script, one by one: `executescript` would commit."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
