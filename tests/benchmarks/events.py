"""What happens to a worktree between two commits of its history, besides the next commit.

An event is a generator: after each thing it does it gives one line that says what, and the map is held against a clean
one. It may leave any mess; the replay goes on from a commit.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from random import Random

from tests.benchmarks.edits import edit_files, tracked
from tests.benchmarks.worktree import Worktree

Event = Callable[[Worktree, Random], Iterator[str]]


def _edits(tree: Worktree, chance: Random) -> Iterator[str]:
    number = chance.choice((1, 3, 10))
    edit_files(tree.root, number, chance)
    yield f"{number} random edits"


def _branch_switch(tree: Worktree, chance: Random) -> Iterator[str]:
    here = tree.run("rev-parse", "HEAD")
    there = chance.choice(tree.run("rev-list", "-n", "400", "HEAD").split())
    tree.run("checkout", "-q", "-f", there)
    yield f"switch to {there[:10]}"
    tree.run("checkout", "-q", "-f", here)
    yield "switch back"


def _reset(tree: Worktree, chance: Random) -> Iterator[str]:
    here = tree.run("rev-parse", "HEAD")
    back = chance.choice(tree.run("rev-list", "-n", "12", "HEAD").split())
    tree.run("reset", "-q", "--hard", back)
    yield f"reset --hard to {back[:10]}"
    tree.run("reset", "-q", "--mixed", here)
    yield "reset --mixed: the files of one commit in another"


def _revert(tree: Worktree, chance: Random) -> Iterator[str]:
    target = chance.choice(tree.run("rev-list", "--no-merges", "-n", "5", "HEAD").split())
    done = tree.tries("revert", "--no-edit", target)
    yield f"revert of {target[:10]}" + ("" if done else ", in conflict")
    if done:
        tree.run("revert", "--no-edit", "HEAD")
        yield "revert of the revert"


def _pick_upon_older(tree: Worktree, chance: Random) -> Iterator[str]:
    """A step of a rebase; often it stops in a conflict, with its marks in the files."""
    commits = tree.run("rev-list", "--no-merges", "-n", "30", "HEAD").split()
    tree.run("checkout", "-q", "-f", chance.choice(commits))
    done = tree.tries("cherry-pick", commits[0])
    yield "cherry-pick upon an older commit" + ("" if done else ", in conflict")


def _amend(tree: Worktree, chance: Random) -> Iterator[str]:
    edit_files(tree.root, 2, chance)
    tree.run("add", "-A")
    tree.run("commit", "-q", "--amend", "--allow-empty", "-m", "amended")
    yield "amend"


def _stash(tree: Worktree, chance: Random) -> Iterator[str]:
    edit_files(tree.root, 4, chance)
    yield "edits"
    if not tree.tries("stash", "-q", "-u"):
        return
    yield "stash"
    tree.tries("stash", "pop", "-q")
    yield "stash pop"


def _rename_file(tree: Worktree, chance: Random) -> Iterator[str]:
    path = PurePosixPath(chance.choice(tracked(tree.root)))
    tree.run("mv", str(path), str(path.with_stem(f"{path.stem}_moved")))
    yield f"rename of {path}"
    tree.commit("renamed")
    yield "the rename committed"


def _rename_case(tree: Worktree, chance: Random) -> Iterator[str]:
    path = PurePosixPath(chance.choice(tracked(tree.root)))
    tree.tries("mv", "-f", str(path), str(path.with_stem(path.stem.swapcase())))
    yield f"rename of {path} in case alone"


def _folder(tree: Worktree, chance: Random) -> PurePosixPath | None:
    folders = {parent for path in tracked(tree.root) for parent in PurePosixPath(path).parents}
    some = sorted(folders - {PurePosixPath(".")})
    return chance.choice(some) if some else None


def _rename_folder(tree: Worktree, chance: Random) -> Iterator[str]:
    folder = _folder(tree, chance)
    if folder is not None:
        tree.run("mv", str(folder), f"{folder}_moved")
        yield f"rename of the folder {folder}"


def _delete_folder(tree: Worktree, chance: Random) -> Iterator[str]:
    """Others go on importing what was there."""
    folder = _folder(tree, chance)
    if folder is not None:
        tree.run("rm", "-q", "-r", "-f", str(folder))
        yield f"removal of the folder {folder}"


def _folder_for_file(tree: Worktree, chance: Random) -> Iterator[str]:
    path = PurePosixPath(chance.choice(tracked(tree.root)))
    here = tree.run("rev-parse", "HEAD")
    inner = "__init__.py" if path.suffix == ".py" else f"index{path.suffix}"
    text = (tree.root / path).read_bytes()
    (tree.root / path).unlink()
    (tree.root / path).mkdir()
    (tree.root / path / inner).write_bytes(text)
    yield f"a folder in place of the file {path}"
    package = (tree.root / path).with_suffix("")
    if not package.exists():
        (tree.root / path).rename(package)
        yield f"a package in place of the module {path}"
    tree.run("clean", "-q", "-f", "-d")
    tree.run("reset", "-q", "--hard", here)
    yield "the file again"


def _mode(tree: Worktree, chance: Random) -> Iterator[str]:
    path = tree.root / chance.choice(tracked(tree.root))
    os.chmod(path, path.stat().st_mode ^ 0o111)
    tree.commit("mode")
    yield "a commit of a mode alone"


def _rewritten(tree: Worktree, chance: Random) -> Iterator[str]:
    """As after `filter-branch`: the same files, in a history that shares no commit with the one before."""
    new = tree.run("commit-tree", "HEAD^{tree}", "-m", "rewritten")
    tree.run("reset", "-q", "--soft", new)
    yield "a rewritten history"
    edit_files(tree.root, 2, chance)
    tree.commit("on top")
    yield "a commit upon it"


def _collect(tree: Worktree, chance: Random) -> Iterator[str]:
    tree.run("gc", "-q", "--prune=now")
    yield "git gc"


EVENTS: tuple[tuple[int, Event], ...] = (
    (4, _edits),
    (4, _branch_switch),
    (3, _reset),
    (3, _revert),
    (3, _pick_upon_older),
    (2, _amend),
    (2, _stash),
    (3, _rename_file),
    (1, _rename_case),
    (2, _rename_folder),
    (2, _delete_folder),
    (2, _folder_for_file),
    (1, _mode),
    (1, _rewritten),
    (1, _collect),
)
"""Each with how often it happens, in proportion."""


def event(chance: Random) -> Event:
    """One of them, at random."""
    weights, events = zip(*EVENTS, strict=True)
    chosen: Event = chance.choices(events, weights)[0]
    return chosen
