"""Whatever discover would find changed is seen to have changed, and nothing else is."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.discover import discover, locate, seen
from indexer.discover.seen import GONE, UNSURE, Look, Seen
from tests.indexer.discover.conftest import Checkout

AGO = 60  # seconds


def _old(root: Path) -> None:
    """Give everything a past: what is young is not trusted, whatever its stamp."""
    time.sleep(0.05)


def _look(root: Path) -> Seen:
    location = locate(str(root))
    found = discover(
        location, lambda path: path.endswith("pyproject.toml"), lambda path: "python" if path.endswith(".py") else None
    )
    return found.seen


@pytest.fixture
def tree(checkout: Checkout) -> Path:
    checkout.write("a.py", "a = 1\n")
    checkout.write("pkg/b.py", "b = 1\n")
    checkout.write("pkg/deep/c.py", "c = 1\n")
    checkout.write("pyproject.toml", "[project]\n")
    checkout.write(".gitignore", "ignored/\n")
    checkout.write("ignored/d.py", "d = 1\n")
    checkout.write("README.md", "read\n")
    checkout.write("big.py", "x" * 1_000_001)
    checkout.write("env/pyvenv.cfg", "")
    checkout.write("env/e.py", "e = 1\n")
    checkout.stage("a.py", "pkg/b.py", "pyproject.toml")
    checkout.commit()
    _old(checkout.root)
    return checkout.root


def _same_length(root: Path) -> None:
    before = (root / "a.py").stat()
    (root / "a.py").write_text("a = 2\n")
    os.utime(root / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))


def _folder_instead(root: Path) -> None:
    (root / "a.py").unlink()
    (root / "a.py").mkdir()


CHANGES: dict[str, Callable[[Path], object]] = {
    "an edit": lambda root: (root / "pkg/deep/c.py").write_text("c = 12\n"),
    "an edit that keeps size and time": _same_length,
    "a new file": lambda root: (root / "pkg/deep/new.py").write_text(""),
    "a removed file": lambda root: (root / "pkg/b.py").unlink(),
    "a renamed file": lambda root: (root / "a.py").rename(root / "pkg/a.py"),
    "a folder that moves in": lambda root: (root / "ignored").rename(root / "sources"),
    "a file that becomes a folder": _folder_instead,
    "configuration": lambda root: (root / "pyproject.toml").write_text("[tool]\n"),
    "an ignore file": lambda root: (root / ".gitignore").write_text(""),
    "a new ignore file": lambda root: (root / "pkg/.gitignore").write_text("*\n"),
    "the repository's own ignore file": lambda root: (root / ".git/info/exclude").write_text("*.py\n"),
    "git's settings": lambda root: (root / ".git/config").write_text("[core]\nbare = false\nignorecase = true\n"),
    "git's index": lambda root: os.utime(root / ".git/index"),
    "what was too large": lambda root: (root / "big.py").write_text("x = 1\n"),
    "an environment that is none any more": lambda root: (root / "env/pyvenv.cfg").unlink(),
    "permissions": lambda root: (root / "a.py").chmod(0o400),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_is_seen(tree: Path, change: Callable[[Path], object]) -> None:
    before = _look(tree)
    assert list(before.changed(str(tree))) == []
    change(tree)
    assert list(before.changed(str(tree)))


def test_what_is_no_source_is_not_looked_at(tree: Path) -> None:
    before = _look(tree)
    (tree / "README.md").write_text("other")
    (tree / "ignored/d.py").write_text("other")
    (tree / "ignored/new.py").write_text("other")
    assert list(before.changed(str(tree))) == []


def test_what_is_as_young_as_the_look_counts_as_changed(tree: Path) -> None:
    (tree / "a.py").write_text("a = 3\n")
    assert list(_look(tree).changed(str(tree))) == ["a.py"]
    _old(tree)
    assert list(_look(tree).changed(str(tree))) == []


def test_a_clock_that_was_set_back_makes_it_look_again(tree: Path) -> None:
    future = time.time() + AGO
    os.utime(tree / "a.py", (future, future))
    assert list(_look(tree).changed(str(tree))) == ["a.py"]


def test_it_is_kept_and_read_back(tmp_path: Path) -> None:
    found = Seen({"a.py": (1, 2, 3, 4), "caf\udce9": UNSURE, "/gone": GONE, "": (2**62, -5, 0, 2**63 - 1)})
    assert seen.read(str(tmp_path)) is None
    seen.write(str(tmp_path), found)
    assert os.listdir(tmp_path) == ["seen"]
    back = seen.read(str(tmp_path))
    assert back is not None
    assert back.stamps == found.stamps
    seen.forget(str(tmp_path))
    seen.forget(str(tmp_path))
    assert seen.read(str(tmp_path)) is None


@pytest.mark.parametrize("cut", [0, 10, 20, 40, -1])
def test_a_damaged_record_is_none(tmp_path: Path, cut: int) -> None:
    seen.write(str(tmp_path), Seen({"a.py": (1, 2, 3, 4), "b.py": (1, 2, 3, 4)}))
    path = tmp_path / "seen"
    path.write_bytes(path.read_bytes()[:cut])
    assert seen.read(str(tmp_path)) is None
    path.write_bytes(b"something else\n1 1\n")
    assert seen.read(str(tmp_path)) is None


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "seen" / "in the way").mkdir(parents=True)
    with pytest.raises(OSError):  # noqa: PT011 - which one is up to the system
        seen.write(str(tmp_path), Seen({"a.py": GONE}))
    assert os.listdir(tmp_path) == ["seen"]


def test_what_others_read_later_counts_from_the_first_look(tmp_path: Path) -> None:
    look = Look()
    time.sleep(0.05)
    (tmp_path / "read.toml").write_text("")
    found = look.seen().with_others(str(tmp_path), ["read.toml", "gone.toml"])
    assert found.stamps == {"read.toml": UNSURE, "gone.toml": GONE}
