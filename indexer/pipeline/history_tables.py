"""Make the tables of a worktree's history hold the commits that count, by as few changes as that takes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from indexer.history.window import Visited, Window
    from indexer.ports import CommitFacts
    from indexer.store.commits import CommitCache
    from indexer.store.history import HistoryWriter

_SHARE_REBUILT = 5  # where more than one in so many commits comes or goes, all is arranged anew


def arrange(
    writer: HistoryWriter, cache: CommitCache, found: Window, wanted: dict[str, str], lacking: int, *, files_only: bool
) -> int:
    """Make the tables hold those commits of the window that are cached; gives their number.

    wanted       what the tables are a function of, to be kept beside them
    lacking      commits of the window that are not there to be read
    files_only   that changes are known by file alone
    """
    from indexer.history.lineage import Lineage, Rename

    have = cache.known().keys()
    ids = [commit.id for commit in _oldest_first(found.commits) if commit.id in have]
    meta = {**wanted, **_figures(len(ids), len(found.commits) - lacking, lacking, cut=found.cut, files_only=files_only)}
    stored = writer.stored() if writer.meta().get("rules") == wanted["rules"] else set()
    added = [id for id in ids if id not in stored]
    removed = sorted(stored.difference(ids))
    few = (len(added) + len(removed)) * _SHARE_REBUILT <= len(ids)
    if stored and not added and not removed:
        writer.set_meta(meta)
        return len(ids)
    if stored and few and not writer.renaming(removed) and not _renaming(news := list(cache.facts(added))):
        gone = list(cache.facts(removed))
        if len(gone) == len(removed):
            writer.change(news, gone, Lineage(Rename(*each) for each in writer.renames()).now, meta)
            return len(ids)
    _rebuild(writer, cache, ids, meta)
    return len(ids)


def clear(writer: HistoryWriter, wanted: dict[str, str] | None = None) -> None:
    """Empty the tables. `wanted` as in `arrange`; None: they are a function of nothing yet."""
    figures = {} if wanted is None else {**wanted, **_figures(0, 0, 0, cut=False, files_only=False)}
    writer.rebuild((), lambda path, moment: path, figures)


def _rebuild(writer: HistoryWriter, cache: CommitCache, ids: list[str], meta: dict[str, str]) -> None:
    from indexer.history.lineage import Lineage, Rename

    facts = list(cache.facts(ids))
    renames = (
        Rename((each.time, each.id), change.before, change.path)
        for each in facts
        for change in each.files
        if change.before
    )
    writer.rebuild(facts, Lineage(renames).now, meta)


def _figures(indexed: int, window: int, lacking: int, *, cut: bool, files_only: bool) -> dict[str, str]:
    figures = {"indexed": indexed, "window": window, "lacking": lacking, "cut": cut, "files_only": files_only}
    return {key: str(int(value)) for key, value in figures.items()}


def _oldest_first(commits: Iterable[Visited]) -> list[Visited]:
    return sorted(commits, key=lambda commit: (commit.time, commit.id))


def _renaming(commits: Iterable[CommitFacts]) -> bool:
    return any(change.before for commit in commits for change in commit.files)
