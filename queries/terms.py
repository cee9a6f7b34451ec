"""The words of a question as the text index knows them: in which forms, how telling, and which symbols hold them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple

from indexer.store.postings import Postings
from queries.synonyms import SYNONYMS
from queries.words import Question, parts, variants

FIELD_WEIGHTS = {"body": 1.0, "path": 1.2, "often": 1.5, "doc": 1.6, "name": 1.7}
"""By rising weight: a word's later field takes the place of an earlier one."""

VARIANT_WEIGHT = 0.8
SYNONYM_WEIGHT = 0.35
FUZZY_WEIGHT = 0.5
OWN = 0.6  # of a word's letters that another form of it has
WORD_LIMIT = 28  # words of a long text that are looked up, the rarest
COMMON = 0.1  # share of all symbols above which a word in bodies or paths says nothing beside other words
TELLING = 6  # words of a phrase that are looked up, the rarest
LEAST_TELLING = 3
SELDOM = 25  # times: in a small repository, too
MOST_OF = 0.7  # of those words that a body has to have
SAID = 1.5  # as a field, of a body that has all
SAYING = 0.5  # of the weightiest word of the question
UNSAID = 0.5  # of the weightiest word: an identifier whose words all are common ones, as those of v-if
COMPOUND = 1.0  # of an identifier beside its words


class Term(NamedTuple):
    """A word of the question as the index knows it: which symbols hold it, at what weight (0–1 × field)."""

    word: str
    weight: float  # of the word in the question × its rarity
    fields: dict[int, float]
    forms: dict[str, float]  # the word and its other forms → how much each counts


def terms_of(postings: Postings, question: Question, symbols: int) -> list[Term]:
    """The words of the question with their postings, rarest first within the limit."""
    forms = {word: _forms(word) for word in question.words}
    known = postings.frequencies(sorted({form for group in forms.values() for form in group}))
    for word, group in forms.items():
        if not spelt(word, group, known):
            near = _near(postings, word)
            if near:
                group.clear()
                group.update({**dict.fromkeys(near, FUZZY_WEIGHT), word: 1.0})
                known.update(postings.frequencies(group))
    ranked: list[tuple[float, str]] = []
    for word, weight in question.words.items():
        exact = [form for form, share in forms[word].items() if share >= FUZZY_WEIGHT and form in known]
        held = sum(max(known[form].values()) for form in exact) or max(
            (max(known[form].values()) for form in forms[word] if form in known), default=0
        )
        if held:
            rarity = math.log(1 + (symbols - min(held, symbols) + 0.5) / (held + 0.5))
            ranked.append((weight * rarity, word))
    ranked.sort(key=lambda pair: (-pair[0], pair[1]))
    few = len(ranked) <= 2
    terms = [
        Term(word, weight, _postings(postings, forms[word], known, math.inf if few else COMMON * symbols), forms[word])
        for weight, word in ranked[:WORD_LIMIT]
    ]
    return terms + _compounds(postings, terms, question, symbols) + _sayings(postings, question, symbols)


def _compounds(postings: Postings, terms: list[Term], question: Question, symbols: int) -> list[Term]:
    """Identifiers of several words, as words of their own, held where all their parts are or where they stand in one
    piece: the index has `keepalive` for KeepAlive, keep_alive and, since code has no hyphens, for keep-alive."""
    by_word = {term.word: term for term in terms}
    spelled = {name: tuple(dict.fromkeys(parts(name.rpartition(".")[2]))) for name in question.names}
    joined = {words: "".join(words) for words in spelled.values() if len(words) > 1}
    loose = {words for name, words in spelled.items() if "-" in name}  # `compiler-core`: both words say too little
    known = postings.frequencies(sorted(set(joined.values()))) if joined else {}
    found: list[Term] = []
    for words, whole in joined.items():
        fields = [by_word[word].fields for word in words if word in by_word]
        held: dict[int, float] = {}
        if len(fields) > 1 and words not in loose:
            rarest = min(fields, key=len)
            held = {id: least for id in rarest if (least := min(field.get(id, 0.0) for field in fields)) > 0}
        if whole in known:
            one = _postings(postings, {whole: 1.0}, known, COMMON * symbols)
            held = {**held, **one}
        if held:
            rarity = math.log(1 + (symbols - len(held) + 0.5) / (len(held) + 0.5))
            weight = max([question.words.get(word, 0.0) for word in words]) or UNSAID * max(question.words.values())
            found.append(Term(" ".join(words), COMPOUND * weight * rarity, held, {whole: 1.0}))
    return found


def _sayings(postings: Postings, question: Question, symbols: int) -> list[Term]:
    """Phrases as words of their own, held where most of their telling words stand in one body: what a program printed
    is a literal there, with other words for what it was printed for."""
    known = postings.frequencies(sorted({word for words in question.sayings for word in words}))
    found = []
    for words in question.sayings:
        told = sorted((known[word].get("body", 0), word) for word in words if word in known)
        telling = [word for count, word in told if 0 < count <= max(COMMON * symbols, SELDOM)][:TELLING]
        if len(telling) < LEAST_TELLING:
            continue
        counts: Counter[int] = Counter()
        for word in telling:
            counts.update(postings.holding([word], "body"))
        least = max(LEAST_TELLING, math.ceil(MOST_OF * len(telling)))
        held = {symbol: SAID * count / len(telling) for symbol, count in counts.items() if count >= least}
        if held:
            rarity = math.log(1 + (symbols - len(held) + 0.5) / (len(held) + 0.5))
            weight = SAYING * max(question.words.values(), default=0.0)
            found.append(Term(f'"{" ".join(words)}"', weight * rarity, held, {}))
    return found


def spelt(word: str, forms: Iterable[str], known: Container[str]) -> bool:
    """Whether a word, or a form that is surely its own, is known; a much shorter one need not be: `ses` of sesion."""
    return any(form in known and len(form) >= OWN * len(word) for form in forms)


def _forms(word: str) -> dict[str, float]:
    forms = dict.fromkeys(SYNONYMS.get(word, ()), SYNONYM_WEIGHT)
    forms.update(dict.fromkeys(variants(word), VARIANT_WEIGHT))
    forms[word] = 1.0
    return forms


def _near(postings: Postings, word: str) -> list[str]:
    """Words of the index that a mistyped word may mean: one slip away, or begun by it."""
    if len(word) < 4:
        return []
    begun = postings.starting_with(word, 5)
    if begun:
        return begun
    same_start = postings.starting_with(word[:2], 20_000)
    slips = [other for other in same_start if abs(len(other) - len(word)) <= 1 and _one_slip(word, other)]
    return slips[:5]


def _one_slip(a: str, b: str) -> bool:
    """Whether one letter was left out, added, changed, or swapped with the next."""
    if len(a) > len(b):
        a, b = b, a
    start = 0
    while start < len(a) and a[start] == b[start]:
        start += 1
    if len(a) != len(b):
        return a[start:] == b[start + 1 :]
    swapped = a[start + 1 : start + 2] + a[start : start + 1] + a[start + 2 :] == b[start:]
    return a[start + 1 :] == b[start + 1 :] or swapped


def _postings(
    postings: Postings, forms: Mapping[str, float], known: Mapping[str, Mapping[str, int]], limit: float
) -> dict[int, float]:
    """Symbol → weight of the best field that holds the best form; fields where that is common are left out."""
    found: dict[int, float] = {}
    lists: dict[tuple[float, str], list[str]] = {}
    for form, share in forms.items():
        for column, count in known.get(form, {}).items():
            if column in ("name", "doc") or (count <= limit and (share > SYNONYM_WEIGHT or column == "body")):
                lists.setdefault((share * FIELD_WEIGHTS[column], column), []).append(form)
    for (weight, column), held in sorted(lists.items()):
        found.update(dict.fromkeys(postings.holding(held, column), weight))
    return found
