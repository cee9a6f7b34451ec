"""The replay: distributions become commits in their order, and every event leaves a worktree that can be mapped."""

from __future__ import annotations

import tarfile
from pathlib import Path
from random import Random

from tests.benchmarks.distributions import from_distributions
from tests.benchmarks.events import EVENTS
from tests.benchmarks.history import Replay, history
from tests.benchmarks.worktree import Worktree
from tests.indexer.pipeline.generated import BASE


def _distribution(folder: Path, name: str, text: str) -> None:
    (folder / name).mkdir(parents=True)
    (folder / name / "a.py").write_text(text)


def test_distributions_are_commits_by_version(tmp_path: Path) -> None:
    folder = tmp_path / "dists"
    for number, name in enumerate(("p-1.10.0", "p-1.9.0", "p-1.10.0rc1", "p-1.10.1")):
        _distribution(folder, name, f"x = {number}\n")
    with tarfile.open(folder / "p-1.2.tar.gz", "w:gz") as tar:
        tar.add(folder / "p-1.9.0", "p-1.2")
    tree = from_distributions(folder, tmp_path / "root")
    assert tree is not None
    assert tree.run("log", "--reverse", "--format=%s").splitlines() == [
        "p-1.2.tar.gz", "p-1.9.0", "p-1.10.0rc1", "p-1.10.0", "p-1.10.1",
    ]  # fmt: skip
    assert tree.run("show", "HEAD:a.py") == "x = 3"


def test_a_repository_is_no_folder_of_distributions(tmp_path: Path) -> None:
    tree = Worktree.empty(tmp_path / "root")
    _distribution(tree.root, "p-1.0", "x = 1\n")
    assert from_distributions(tree.root, tmp_path / "other") is None


def test_every_event_can_happen_and_every_map_is_right(tmp_path: Path) -> None:
    tree = Worktree.empty(tmp_path / "repository")
    for path, text in BASE.items():
        (tree.root / path).parent.mkdir(parents=True, exist_ok=True)
        (tree.root / path).write_text(text)
    first = tree.commit("first")
    (tree.root / "b.py").write_text(BASE["b.py"].replace("def n", "def o"))
    second = tree.commit("second")
    replay = Replay(tree, tmp_path, every=1, jobs=1)
    chance = Random(1)
    for label in history(tree, chance, 2, 0.0):
        assert replay.holds(label)
    assert tree.run("rev-list", "HEAD").split() == [second, first]
    for _, event in EVENTS:
        for label in event(tree, chance):
            assert replay.holds(label)
        tree.go(second)
    assert replay.holds("the end", apart=True)
    assert "compared with a clean map" in replay.summary()
