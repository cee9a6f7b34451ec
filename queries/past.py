"""What commits said of the words of a question → the symbols they touched.

People describe a problem in the words of those who described the ones before. A commit counts by the rarest words it
shares with the question (BM25 over messages, a word counted once); what it touched counts less the more that is, and
neither for being old nor for being new. That it touched a file says nothing of the definitions in it: with file recall
where it is, such evidence moved answers about and found no more.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping

from indexer.store.history_reader import HistoryReader
from queries.session import Session
from queries.units import symbol_of
from queries.words import Question, variants

COMMITS = 30  # that are looked at closely
WORDS = 28  # of a long text, the rarest
COMMON = 0.1  # share of all commits above which a word says nothing beside others
VARIANT = 0.8
LENGTH_B = 0.4
AVERAGE_WORDS = 30.0  # of a message
LEAST = 0.25  # of the weight of the question's words that a message has to say
SYMBOLS = 40  # more where several speak equally well
AGAIN = 0.35  # what a further commit that touched the same adds, and each after it
SPREAD = 3.0  # definitions of a commit that share its weight without loss


def past(session: Session, question: Question) -> Mapping[int, float]:
    """How much commits speak for symbols, by id: above 0, at most 1. Empty where the history is not known."""
    kept = session.history
    if kept is None or not question.words:
        return {}
    with kept.reading():
        worth = _worth(kept, _said(kept, question))
        least = heapq.nlargest(SYMBOLS, worth.values())[-1] if worth else 0.0
        units = kept.named(unit for unit, value in worth.items() if value >= least)
    with session.read() as reader:
        symbols = symbol_of(units.values(), reader)
    return {symbols[unit].id: worth[number] for number, unit in units.items() if unit in symbols}


def _said(kept: HistoryReader, question: Question) -> dict[int, float]:
    """The commits whose messages say most of the question → the share of its words' weight, by their rarity."""
    commits = kept.commit_count()
    forms = {word: {word: 1.0, **dict.fromkeys(variants(word), VARIANT)} for word in question.words}
    known = kept.frequencies(sorted({form for group in forms.values() for form in group}))
    ranked: list[tuple[float, str]] = []
    total = 0.0
    for word, weight in question.words.items():
        held = min(commits, sum(known.get(form, 0) for form in forms[word]))
        rarity = weight * math.log(1 + (commits - held + 0.5) / (held + 0.5))
        total += rarity
        if 0 < held <= COMMON * commits or (held and len(question.words) <= 2):
            ranked.append((rarity, word))
    ranked.sort(key=lambda pair: (-pair[0], pair[1]))
    sums: dict[int, float] = {}
    for rarity, word in ranked[:WORDS]:
        best = {}
        for share in (VARIANT, 1.0):
            spelt = [form for form, each in forms[word].items() if each == share and form in known]
            best.update(dict.fromkeys(kept.saying(spelt) if spelt else (), share))
        for commit, share in best.items():
            sums[commit] = sums.get(commit, 0.0) + rarity * share
    return _best(kept, {commit: value / total for commit, value in sums.items() if value >= LEAST * total})


def _best(kept: HistoryReader, shares: Mapping[int, float]) -> dict[int, float]:
    """The best commits, shorter messages first."""
    if not shares:
        return {}
    lengths = kept.lengths(shares)
    scored = {
        commit: min(1.0, share / (1 - LENGTH_B + LENGTH_B * lengths.get(commit, 0) / AVERAGE_WORDS))
        for commit, share in shares.items()
    }
    least = heapq.nlargest(COMMITS, scored.values())[-1]
    return {commit: value for commit, value in scored.items() if value >= least}


def _worth(kept: HistoryReader, said: Mapping[int, float]) -> dict[int, float]:
    """Definition → evidence of the commits that touched it, the best one whole."""
    sizes = kept.sizes(said)
    values: dict[int, list[float]] = {}
    for commit, unit in kept.touched_by(said, names=True):
        values.setdefault(unit, []).append(said[commit] / math.sqrt(max(1.0, sizes[commit] / SPREAD)))
    found = {}
    for unit, each in values.items():
        each.sort(reverse=True)
        found[unit] = min(1.0, sum(value * AGAIN**place for place, value in enumerate(each[:4])))
    return found
