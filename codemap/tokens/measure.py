"""How much code people wrote, and what reading it would cost in tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from codemap.home import find
from codemap.tokens.measure_sources import Source, of_commit, of_worktree
from codemap.tokens.ratios import Ratios
from indexer.errors import NotFoundError, UsageError
from queries.tokens import Measure

if TYPE_CHECKING:
    from indexer.discover import Location

ROOT = "."  # the folder of files that lie in none


@dataclass(slots=True)
class Amount:
    """Of some files. Characters are those of the decoded text, a line end counting as one."""

    files: int = 0
    characters: int = 0
    tokens: int = 0

    def add(self, text: str, tokens: int) -> None:
        self.files += 1
        self.characters += len(text)
        self.tokens += tokens


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of a repository or a part of it. Languages and folders each add up to the total.

    path       what was measured, relative to the root; "." for all of it
    revision   commit id; None for the working tree
    left_out   by reason: generated and minified files with their size, others with their number alone
    measure    how tokens were counted
    """

    root: str
    path: str
    revision: str | None
    total: Amount
    languages: dict[str, Amount]  # most tokens first
    folders: dict[str, Amount]  # likewise; the folders directly beneath `path`
    left_out: dict[str, Amount]
    measure: Measure


def measure(
    folder: str | Path = ".", path: str | None = None, *, rev: str | None = None, model: str | None = None
) -> Measured:
    """Measure the repository around `folder`.

    path    a file or folder relative to the root; None for all
    rev     a commit, branch or tag; None for the working tree
    model   whose calibrated ratio counts; None for a named heuristic

    Raises NotFoundError for a model that is not calibrated here, a revision or a path that is not there, and
    RepositoryError.
    """
    location = find(folder).location
    how = Measure() if model is None else Ratios(location.facts_dir).of(model).measure("source")
    revision: str | None = None
    if rev is None:
        sources = of_worktree(location)
    else:
        revision, sources = of_commit(location, rev)
    return _summed(location, path or ROOT, revision, sources, how)


def _summed(location: Location, path: str, revision: str | None, sources: Iterable[Source], how: Measure) -> Measured:
    total, found = Amount(), False
    languages: dict[str, Amount] = {}
    folders: dict[str, Amount] = {}
    left_out: dict[str, Amount] = {}
    for source in _beneath(path, sources):
        found = True
        tokens = how.count(source.text) if source.text else 0
        if source.reason:
            left_out.setdefault(source.reason, Amount()).add(source.text, tokens)
            continue
        for amount in (
            total,
            languages.setdefault(source.language, Amount()),
            folders.setdefault(_folder(path, source.path), Amount()),
        ):
            amount.add(source.text, tokens)
    if not found and path != ROOT:
        raise NotFoundError(f"there is no source at {path}")
    return Measured(
        location.root, path, revision, total, _largest(languages), _largest(folders), _largest(left_out), how
    )


def _beneath(path: str, sources: Iterable[Source]) -> Iterator[Source]:
    if path == ROOT:
        yield from sources
        return
    if path.startswith(("../", "/")) or path == "..":
        raise UsageError(f"{path} is outside of the repository")
    for source in sources:
        if source.path == path or source.path.startswith(path + "/"):
            yield source


def _folder(path: str, file: str) -> str:
    """The folder directly beneath `path` that a file lies in."""
    inner = file if path == ROOT else file[len(path) + 1 :]
    first, slash, _ = inner.partition("/")
    if not slash:
        return path
    return first if path == ROOT else f"{path}/{first}"


def _largest(amounts: dict[str, Amount]) -> dict[str, Amount]:
    return dict(sorted(amounts.items(), key=lambda item: (-item[1].tokens, -item[1].characters, item[0])))
