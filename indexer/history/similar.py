"""Which added file a deleted one has become: equal bytes first, then most lines in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Mapping

PAIRS_LIMIT = 400
"""Comparisons of content in one commit; where more would be needed, only equal bytes count."""

LEAST_SHARE = 0.5
"""Of lines that two files have in common, below which they are two files: git's own measure for a rename."""

_LEAST_BYTES = 40  # less content than this is alike by chance


def renamed(
    deleted: Mapping[str, str], added: Mapping[str, str], read: Callable[[str], bytes | None]
) -> dict[str, str]:
    """New path → old path.

    deleted, added   path → blob id
    read             content of a blob; None where it is not to be read
    """
    found = _equal(deleted, added)
    taken = set(found.values())
    gone = {path: blob for path, blob in sorted(deleted.items()) if path not in taken}
    new = {path: blob for path, blob in sorted(added.items()) if path not in found}
    if gone and new and len(gone) * len(new) <= PAIRS_LIMIT:
        found.update(_alike(gone, new, read))
    return found


def _equal(deleted: Mapping[str, str], added: Mapping[str, str]) -> dict[str, str]:
    """Pairs of one content; where several files have it, only those whose name tells which is which."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for with_name in (True, False):
        olds = _by_content(deleted, taken, with_name)
        news = _by_content(added, found, with_name)
        for key, old in olds.items():
            new = news.get(key, [])
            if len(old) == len(new) == 1:
                found[new[0]] = old[0]
                taken.add(old[0])
    return found


def _by_content(paths: Mapping[str, str], known: Container[str], with_name: bool) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for path, blob in paths.items():
        if path not in known:
            found.setdefault((blob, path.rpartition("/")[2] if with_name else ""), []).append(path)
    return found


def _alike(deleted: Mapping[str, str], added: Mapping[str, str], read: Callable[[str], bytes | None]) -> dict[str, str]:
    old = {path: lines for path, blob in deleted.items() if (lines := _lines(read(blob)))}
    new = {path: lines for path, blob in added.items() if (lines := _lines(read(blob)))}
    scored: list[tuple[float, str, str]] = []
    for before, theirs in old.items():
        for after, ours in new.items():
            if before.rpartition(".")[2] == after.rpartition(".")[2]:
                share = 2 * sum((theirs & ours).values()) / (sum(theirs.values()) + sum(ours.values()))
                if share >= LEAST_SHARE:
                    scored.append((-share, before, after))
    found: dict[str, str] = {}
    taken: set[str] = set()
    for _, before, after in sorted(scored):
        if after not in found and before not in taken:
            found[after] = before
            taken.add(before)
    return found


def _lines(content: bytes | None) -> Counter[bytes]:
    if content is None or len(content) < _LEAST_BYTES:
        return Counter()
    return Counter(line for line in map(bytes.strip, content.split(b"\n")) if line)
