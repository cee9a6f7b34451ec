"""The tables of what is known of commits, as constants.

`commits.db` is shared by the worktrees of a repository: what a commit touched and said is a function of its id.
`history.db` is one worktree's: the commits that count for its HEAD, arranged for questions. Nothing in it refers to the
map by id; paths and qualified names join the two when a question is asked.
"""

from __future__ import annotations

COMMITS_NAME = "commits.db"
HISTORY_NAME = "history.db"
COMMITS_VERSION = 2
HISTORY_VERSION = 1

COMMITS_TABLES = """
CREATE TABLE commits (
    id BLOB NOT NULL,
    rules TEXT NOT NULL,            -- fingerprint of how commits are read; another one is another row
    time INTEGER NOT NULL,          -- of the commit, seconds since 1970 UTC
    parents BLOB NOT NULL,          -- ids, one after the other
    facts BLOB NOT NULL,            -- compressed JSON [message, total, [file, …]]
    PRIMARY KEY (id, rules)
);
"""

# Keys of meta: head, limit, rules, shallow (what the tables were made for), objects (when the repository's store of
# objects last changed), window (commits that count), indexed (of those, in the tables), lacking (not there to be read),
# cut (1: others would count, but are not there), files_only (1: a partial clone, content was not read).
HISTORY_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE commits (
    number INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    time INTEGER NOT NULL,
    subject TEXT NOT NULL,
    files INTEGER NOT NULL,         -- source files touched
    names INTEGER NOT NULL          -- definitions touched
);
CREATE TABLE units (                -- what a commit can touch: a file, or a definition in it
    number INTEGER PRIMARY KEY,
    path TEXT NOT NULL,             -- as the file is called now
    name TEXT NOT NULL,             -- qualified; "" for the file
    UNIQUE (path, name)
);
CREATE TABLE touched (
    unit INTEGER NOT NULL,
    "commit" INTEGER NOT NULL,
    PRIMARY KEY (unit, "commit")
) WITHOUT ROWID;
CREATE INDEX touched_by_commit ON touched ("commit", unit);
CREATE TABLE renames (
    "commit" INTEGER NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    PRIMARY KEY ("commit", after)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5(
    message, content = '', detail = none, tokenize = "unicode61 remove_diacritics 2"
);
"""
