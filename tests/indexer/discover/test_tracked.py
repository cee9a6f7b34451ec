from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from indexer.discover import Discovery, locate
from indexer.discover.tracked import Tracked

Scan = Callable[[Path], Discovery]


@pytest.fixture
def committed(checkout: Any) -> Any:
    checkout.write("a.py", "a\n")
    checkout.stage("a.py")
    checkout.commit()
    return checkout


def unread(checkout: Any) -> str | None:
    """The blob id that a.py is believed to have without being read."""
    tracked = Tracked(locate(str(checkout.root)))
    entry = tracked.find("a.py")
    assert entry is not None
    return tracked.unread_blob(entry, os.lstat(checkout.root / "a.py"))


def test_file_as_new_as_the_index_is_not_believed(committed: Any) -> None:
    assert unread(committed) is None
    committed.settle()
    assert unread(committed) == str(committed.repository.index["a.py"].id)


def test_any_difference_of_status_is_looked_into(committed: Any) -> None:
    committed.settle()
    status = os.lstat(committed.root / "a.py")
    os.utime(committed.root / "a.py", ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    assert unread(committed) is None


def test_object_that_is_not_there_is_not_believed(committed: Any) -> None:
    """As in a partial clone: its size cannot be compared."""
    committed.settle()
    blob = str(committed.repository.index["a.py"].id)
    os.chmod(committed.root / ".git" / "objects" / blob[:2] / blob[2:], 0o600)
    (committed.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert unread(committed) is None


def test_conflict(committed: Any, scan: Scan) -> None:
    index = committed.repository.index
    raw = Path(committed.root / ".git" / "index").read_bytes()
    assert index["a.py"].path == "a.py"
    at = raw.index(b"a.py\0") - 2  # the two bytes of flags before the name: stage 2 of a conflict
    Path(committed.root / ".git" / "index").write_bytes(raw[:at] + b"\x20" + raw[at + 1 :])
    committed.settle()
    assert [(file.path, file.state) for file in scan(committed.root).files] == [("a.py", "modified")]


def test_staged_and_reverted_on_disk(committed: Any, scan: Scan) -> None:
    """The index differs from the commit, the file from the index."""
    committed.write("a.py", "b\n")
    committed.stage("a.py")
    committed.write("a.py", "a\n")
    assert [file.state for file in scan(committed.root).files] == ["modified"]


def test_tracked_file_that_is_now_untracked(committed: Any, scan: Scan) -> None:
    committed.repository.index.remove("a.py")
    committed.repository.index.write()
    assert [(file.path, file.state) for file in scan(committed.root).files] == [("a.py", "untracked")]


def test_case_is_gits_where_the_file_system_ignores_it(committed: Any, scan: Scan) -> None:
    committed.write("Pkg/B.py", "b\n")
    committed.stage("Pkg/B.py")
    committed.commit()
    committed.repository.config["core.ignorecase"] = True
    (committed.root / "Pkg").rename(committed.root / "temporary")
    (committed.root / "temporary").rename(committed.root / "pkg")
    (committed.root / "a.py").rename(committed.root / "temporary.py")
    (committed.root / "temporary.py").rename(committed.root / "A.py")
    found = scan(committed.root)
    assert [(file.path, file.state) for file in found.files] == [("Pkg/B.py", "committed"), ("a.py", "committed")]


def test_composition_is_gits_where_the_file_system_has_its_own(committed: Any, scan: Scan) -> None:
    composed, decomposed = (unicodedata.normalize(form, "é.py") for form in ("NFC", "NFD"))
    committed.write(composed, "")
    committed.stage(composed)
    committed.commit()
    committed.repository.config["core.precomposeunicode"] = True
    (committed.root / composed).rename(committed.root / decomposed)
    assert [file.path for file in scan(committed.root).files] == ["a.py", composed]


def test_exclude_file_of_the_person(committed: Any, scan: Scan, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("/private.py\n/shared.py\n")
    (committed.root / ".git" / "info" / "exclude").write_text("!shared.py\n")
    committed.repository.config["core.excludesFile"] = str(tmp_path / "mine")
    committed.write("private.py", "")
    committed.write("shared.py", "")
    assert [file.path for file in scan(committed.root).files] == ["a.py", "shared.py"]
