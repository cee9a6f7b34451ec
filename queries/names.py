"""Near names for one that nothing bears."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from queries.words import parts

if TYPE_CHECKING:
    import difflib

MOST = 6


def near(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """Names that a mistyped or half-remembered one may mean, nearest first.

    Those that differ in case or underscores, then those it begins or that begin it, then those spelt much alike, then
    those made of its words.
    """
    folded = _folded(name)
    if not folded:
        return ()
    import difflib

    words = set(parts(name))
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(folded)
    ranked = []
    for other in names:
        closeness = _closeness(folded, _folded(other), words, other, matcher)
        if closeness > 0:
            ranked.append((-closeness, len(other), other))
    return tuple(other for _, _, other in sorted(ranked)[:MOST])


def _closeness(folded: str, other: str, words: set[str], spelling: str, matcher: difflib.SequenceMatcher[str]) -> float:
    if not other:
        return 0.0
    if folded == other:
        return 3.0
    if len(folded) >= 3 and other.startswith(folded):
        return 1.0 + len(folded) / len(other)
    similar = 0.0
    if abs(len(folded) - len(other)) <= 3 and (folded[0] == other[0] or folded[-1] == other[-1]):
        matcher.set_seq1(other)
        if matcher.real_quick_ratio() >= 0.75 and matcher.quick_ratio() >= 0.75:
            similar = matcher.ratio()
    if similar >= 0.75:
        return 1.0 + similar
    if len(words) > 1:
        shared = words & set(parts(spelling))
        if len(shared) > 1:
            return len(shared) / (len(words) + 1)
    return 0.0


def _folded(name: str) -> str:
    return name.replace("_", "").lower()
