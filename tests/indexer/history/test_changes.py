"""What a commit touched, read from a repository made for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.history import changes
from indexer.history.changes import Changes, Rules
from indexer.languages import language_of
from indexer.pipeline.history_rules import outline_of
from indexer.ports import CommitFacts, FileChange
from tests.indexer.repositories import START, Past

A = "def f():\n    return 1\n\nclass C:\n    def m(self):\n        return 2\n"


@pytest.fixture
def past(tmp_path: Path) -> Past:
    return Past(tmp_path / "past")


def read(past: Past, commit: str, *, content: bool = True) -> CommitFacts:
    rules = Rules(lambda path: language_of(path) is not None, outline_of, content=content)
    found = Changes(past.repository, rules).of(commit)
    assert found is not None
    return found


def test_the_first_commit_adds_everything(past: Past) -> None:
    made = past.commit("First\n\nSigned-off-by: A <a@b.example>", {"a.py": A, "notes.txt": "x"})
    assert read(past, made) == CommitFacts(
        made, START + 60, (), "First", 2, (FileChange("a.py", "added", "", ("C", "C.m", "f")),)
    )


def test_hunks_tell_which_definitions(past: Past) -> None:
    first = past.commit("one", {"a.py": A, "b.py": "x = 1\n"})
    second = past.commit("two", {"a.py": A.replace("return 2", "return 3"), "b.py": "x = 2\n"})
    found = read(past, second)
    assert found.parents == (first,)
    assert found.files == (FileChange("a.py", "modified", "", ("C.m",)), FileChange("b.py", "modified", "", ()))


def test_what_is_taken_away_was_touched(past: Past) -> None:
    past.commit("one", {"a.py": A, "gone.py": A.replace("return", "yield")})
    made = past.commit("two", {"a.py": A[A.index("class") :], "gone.py": None})
    assert read(past, made).files == (
        FileChange("a.py", "modified", "", ("f",)),
        FileChange("gone.py", "deleted", "", ()),
    )


def test_a_renamed_file_that_was_changed_as_well(past: Past) -> None:
    body = A + "\n".join(f"x{n} = {n}" for n in range(20)) + "\n"
    past.commit("one", {"a.py": body, "b.py": A})
    made = past.commit("two", {"a.py": None, "b.py": None, "c.py": body.replace("return 1", "return 0"), "d/b.py": A})
    assert read(past, made).files == (
        FileChange("c.py", "renamed", "a.py", ("f",)),
        FileChange("d/b.py", "renamed", "b.py", ()),
    )
    # Without content, equal bytes alone tell.
    assert [(each.path, each.kind) for each in read(past, made, content=False).files] == [
        ("a.py", "deleted"),
        ("c.py", "added"),
        ("d/b.py", "renamed"),
    ]


def test_a_merge_carries_no_changes(past: Past) -> None:
    base = past.commit("base", {"a.py": A})
    left = past.commit("left", {"b.py": "x = 1\n"})
    merge = past.commit("Merge branch 'x'", parents=[base, left])
    assert read(past, merge) == CommitFacts(merge, START + 180, (base, left), "Merge branch 'x'", 0, ())


def test_a_giant_commit_names_no_definitions(past: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "GIANT", 2)
    monkeypatch.setattr(changes, "LISTED", 2)
    made = past.commit("format all", {f"{name}.py": A + name for name in "abc"})
    assert read(past, made).files == (FileChange("a.py", "added", "", ()), FileChange("b.py", "added", "", ()))


def test_links_and_binaries(past: Past) -> None:
    (past.root / "link.py").symlink_to("a.py")
    made = past.commit("one", {"a.py": b"\0\1", "b.py": A})
    assert [(each.path, each.names) for each in read(past, made).files] == [("a.py", ()), ("b.py", ("C", "C.m", "f"))]


def test_more_definitions_than_tell_anything(past: Past) -> None:
    made = past.commit("many", {"a.py": "".join(f"def f{n}(): pass\n" for n in range(41))})
    assert read(past, made).files == (FileChange("a.py", "added", "", ()),)


def test_what_is_not_there(past: Past) -> None:
    past.commit("one", {"a.py": A})
    rules = Rules(lambda path: True, outline_of)
    assert Changes(past.repository, rules).of("0" * 40) is None
    assert Changes(past.repository, rules).of("no id") is None
