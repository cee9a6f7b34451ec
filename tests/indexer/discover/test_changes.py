"""Differences between commits and the working tree; the expected lines are those `git diff -U0` shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.discover import locate
from indexer.discover.changes import FileChange, changes
from indexer.errors import UsageError
from tests.indexer.discover.conftest import Checkout


def _python(path: str) -> bool:
    return path.endswith(".py")


def _changes(checkout: Checkout, revision: str | None = None) -> list[FileChange]:
    return list(changes(locate(str(checkout.root)), revision, _python).files)


@pytest.fixture
def committed(checkout: Checkout) -> Checkout:
    checkout.write("a.py", "one\ntwo\nthree\nfour\n")
    checkout.write("b.py", "".join(f"line {number}\n" for number in range(30)))
    checkout.write("c.txt", "text\n")
    checkout.stage("a.py", "b.py", "c.txt")
    checkout.commit()
    return checkout


def test_lines_that_were_changed_added_and_removed(committed: Checkout) -> None:
    committed.write("a.py", "one\n2\nthree\nfour\nfive\nsix\n")
    committed.write("c.txt", "other\n")
    found = changes(locate(str(committed.root)), None, _python)
    assert [(each.removed, each.added) for each in found.files] == [(((2, 2),), ((2, 2), (5, 6)))]
    assert found.others == 1
    committed.write("a.py", "one\nfour\n")
    assert _changes(committed)[0][4:] == (((2, 3),), ())


def test_renamed_deleted_and_untracked_files(committed: Checkout) -> None:
    text = (committed.root / "b.py").read_text().replace("line 7\n", "line seven\n")
    (committed.root / "b.py").unlink()
    (committed.root / "a.py").unlink()
    committed.write("pkg/moved.py", text)
    committed.write("new.py", "x = 1\n")
    found = {(each.old_path, each.new_path): (each.removed, each.added) for each in _changes(committed)}
    assert found == {
        ("a.py", None): (((1, 4),), ()),
        (None, "new.py"): ((), ((1, 1),)),
        ("b.py", "pkg/moved.py"): (((8, 8),), ((8, 8),)),
    }


def test_between_commits(committed: Checkout) -> None:
    committed.write("a.py", "one\ntwo\nthree\nfour\nfive\n")
    committed.stage("a.py")
    committed.commit()
    committed.write("a.py", "uncommitted\n")
    (between,) = _changes(committed, "HEAD~1..HEAD")
    assert (between.added, between.new) == (((5, 5),), b"one\ntwo\nthree\nfour\nfive\n")
    assert _changes(committed, "HEAD~1..") == _changes(committed, "HEAD~1...HEAD") == [between]
    assert _changes(committed, "HEAD~1")[0].new == b"uncommitted\n"


def test_binary_files_and_links_are_no_text(committed: Checkout) -> None:
    committed.write("a.py", b"\0\1\2")
    (committed.root / "link.py").symlink_to("a.py")
    found = changes(locate(str(committed.root)), None, _python)
    assert (found.files, found.others) == ((), 2)


def test_nothing_is_committed_yet_and_nothing_is_written(checkout: Checkout) -> None:
    checkout.write("a.py", "x\n")
    assert [(each.old_path, each.new_path) for each in _changes(checkout)] == [(None, "a.py")]
    assert [path for path in (checkout.root / ".git/objects").rglob("*") if path.is_file()] == []


@pytest.mark.parametrize(
    "revision", ["-x", "--output=x", "nothing", "HEAD..gone", "", "a\0b", "HEAD^{tree}", "..." + "z"]
)
def test_a_commit_that_is_not_there(committed: Checkout, revision: str) -> None:
    with pytest.raises(UsageError, match="there is no commit"):
        _changes(committed, revision)


def test_outside_of_git(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name a symbol"):
        changes(locate(str(tmp_path)), None, _python)
