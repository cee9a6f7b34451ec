"""What paths are called now."""

from __future__ import annotations

from indexer.history.lineage import Lineage, Rename


def at(time: int) -> tuple[int, str]:
    return time, "c"


def test_renames_are_followed_from_old_to_new() -> None:
    lineage = Lineage([Rename(at(20), "b", "c"), Rename(at(10), "a", "b")])
    assert lineage.now("a", at(5)) == "c"
    assert lineage.now("b", at(15)) == "c"
    assert lineage.now("c", at(5)) == "c"


def test_a_name_that_is_used_again_is_another_file() -> None:
    lineage = Lineage([Rename(at(10), "a", "b")])
    assert lineage.now("a", at(10)) == "a"  # after the renaming commit, which may have made a new one
    assert lineage.now("a", at(30)) == "a"
    assert lineage.now("a", at(9)) == "b"


def test_there_and_back_ends() -> None:
    lineage = Lineage([Rename(at(10), "a", "b"), Rename(at(20), "b", "a")])
    assert lineage.now("a", at(1)) == "a"
    assert lineage.now("b", at(15)) == "a"
