"""git itself makes the files that are looked for."""

from __future__ import annotations

from indexer.hooks.operations import under_way
from tests.hooked import Repository


def test_operations_of_git_are_seen_and_end(repository: Repository) -> None:
    git_dir = str(repository.root / ".git")
    repository.git("checkout", "-q", "-b", "side")
    repository.commit("a.py", "def side(): ...\n")
    repository.git("checkout", "-q", "main")
    repository.commit("a.py", "def main(): ...\n")
    assert under_way(git_dir) is None
    for command, said in (
        (("merge", "side"), "merge"),
        (("rebase", "side"), "rebase"),
        (("rebase", "--apply", "side"), "rebase"),
        (("cherry-pick", "side"), "cherry-pick"),
        (("revert", "HEAD~1"), "revert"),
    ):
        assert repository.git(*command, check=False).returncode != 0
        assert under_way(git_dir) == said
        repository.git(command[0], "--abort")
        assert under_way(git_dir) is None
    repository.git("bisect", "start", "HEAD", "HEAD~1")
    assert under_way(git_dir) == "bisect"
    repository.git("bisect", "reset")
    assert under_way(git_dir) is None
