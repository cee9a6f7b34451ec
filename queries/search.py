"""Words → symbols. Evidence is taken per word at its best, so that many hits of one word never beat two words.

The score of a symbol is a weighted BM25 over fields in which every word occurs once (the index keeps no counts); a word
counts in its best field alone; then come what the symbol's name is made of, what its file adds, and what it is.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from indexer.store.postings import Postings
from indexer.store.reader import Reader, SymbolRow
from queries import locate
from queries.nodes import is_test
from queries.session import Session
from queries.synonyms import SYNONYMS
from queries.words import Question, parts, variants

FIELD_WEIGHTS = {"body": 1.0, "path": 1.2, "doc": 1.6, "name": 1.7}
"""By rising weight: a word's later field takes the place of an earlier one."""

VARIANT_WEIGHT = 0.8
SYNONYM_WEIGHT = 0.35
FUZZY_WEIGHT = 0.5
WORD_LIMIT = 28  # words of a long text that are looked up, the rarest
COMMON = 0.1  # share of all symbols above which a word in bodies or paths says nothing beside other words
POOL_POWER = 2.0  # strong fields first
POOL = 400  # symbols that are looked at closely

LENGTH_B = 0.6
AVERAGE_WORDS = 25.0  # of a symbol's own body
NAME_SHARE = 0.4
NAME_COVERAGE = 0.4
FILE_SHARE = 0.1
CONTAINER_SHARE = 0.5
COVERAGE = 0.6
COMPOUND = 1.0  # of an identifier beside its words
TEST_FACTOR = 0.35
NAMED_CLASS = 1.15  # a class that bears a word of the question in full stands for all its members
KIND_FACTORS = {
    "module": 0.55,
    "variable": 0.6,
    "attribute": 0.5,
    "lambda": 0.5,
    "namespace": 0.8,
    "enum": 0.9,
    "type": 0.85,
}


class Found(NamedTuple):
    """A symbol and how well it matches: about 2 for one whose name says all the words, more where it was named."""

    row: SymbolRow
    score: float


class Scored(Protocol):
    @property
    def row(self) -> SymbolRow: ...

    @property
    def score(self) -> float: ...


class _Term(NamedTuple):
    """A word of the question as the index knows it: which symbols hold it, at what weight (0–1 × field)."""

    word: str
    weight: float  # of the word in the question × its rarity
    fields: dict[int, float]
    forms: dict[str, float]  # the word and its other forms → how much each counts


GENERIC = frozenset(
    {"get", "set", "is", "has", "do", "make", "to", "from", "on", "init", "new", "base", "abstract", "mixin", "view"}
    | {"manager", "handler", "middleware", "class", "type", "impl", "default", "async", "internal", "helper", "utils"}
)
"""Words of names that say what sort of thing it is, not what it is about."""


def search(session: Session, question: Question) -> list[Found]:
    """Symbols that match, best first; ties by path, line and name. Empty where nothing does."""
    with session.read() as reader:
        terms = _terms(session.postings, question, session.symbol_count())
        named = locate.named_in(reader, question)
        pool = _pool(reader, terms)
        rows = reader.symbols([*pool, *named])
        sizes = session.postings.sizes(rows)
        containers = reader.symbols({row.parent for row in rows.values()} - rows.keys() - {0})
    return _ranked(question, terms, rows, {**containers, **rows}, sizes, named)


def _terms(postings: Postings, question: Question, symbols: int) -> list[_Term]:
    """The words of the question with their postings, rarest first within the limit."""
    forms = {word: _forms(word) for word in question.words}
    known = postings.frequencies(sorted({form for group in forms.values() for form in group}))
    for word, group in forms.items():
        if not any(form in known for form in group):
            group.update(dict.fromkeys(_near(postings, word), FUZZY_WEIGHT))
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
        _Term(word, weight, _postings(postings, forms[word], known, math.inf if few else COMMON * symbols), forms[word])
        for weight, word in ranked[:WORD_LIMIT]
    ]
    return terms + _compounds(terms, question, symbols)


def _compounds(terms: list[_Term], question: Question, symbols: int) -> list[_Term]:
    """Identifiers of several words, as words of their own that are held where all their parts are."""
    by_word = {term.word: term for term in terms}
    found: dict[tuple[str, ...], _Term] = {}
    for name in question.names:
        words = tuple(dict.fromkeys(word for word in parts(name.rpartition(".")[2]) if word in by_word))
        if len(words) < 2 or words in found:
            continue
        fields = [by_word[word].fields for word in words]
        rarest = min(fields, key=len)
        held = {symbol: least for symbol in rarest if (least := min(field.get(symbol, 0.0) for field in fields)) > 0}
        if held:
            rarity = math.log(1 + (symbols - len(held) + 0.5) / (len(held) + 0.5))
            weight = COMPOUND * max(question.words[word] for word in words)
            found[words] = _Term(" ".join(words), weight * rarity, held, {})
    return list(found.values())


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


def _pool(reader: Reader, terms: Iterable[_Term]) -> list[int]:
    """The symbols worth a closer look, by a first sum."""
    sums: dict[int, float] = {}
    for term in terms:
        weight = term.weight
        for symbol, field in term.fields.items():
            sums[symbol] = sums.get(symbol, 0.0) + weight * field**POOL_POWER
    if len(sums) <= POOL:
        return list(sums)
    least = heapq.nlargest(POOL, sums.values())[-1]
    better = [symbol for symbol, value in sums.items() if value > least]
    equal = [symbol for symbol, value in sums.items() if value == least]
    room = POOL - len(better)
    return better + (equal if len(equal) <= room else reader.first_in_order(equal, room))


def _ranked(
    question: Question,
    terms: list[_Term],
    rows: Mapping[int, SymbolRow],
    containers: Mapping[int, SymbolRow],
    sizes: Mapping[int, int],
    named: Mapping[int, float],
) -> list[Found]:
    total = sum(term.weight for term in terms) or 1.0
    file_terms = _file_terms(terms, rows)
    spoken = _spoken(terms)
    names = {name: _name_hits(name, spoken, len(terms)) for name in {row.name for row in containers.values()}}
    found = []
    for symbol, row in rows.items():
        container = containers.get(row.parent)
        around = names[container.name] if container is not None and container.kind != "module" else None
        score = _lexical(row, terms, file_terms[row.file], names[row.name], around, sizes.get(symbol, 0)) / total
        score *= KIND_FACTORS.get(row.kind, 1.0)
        if is_test(row):
            score *= 1.0 if question.tests else TEST_FACTOR
        elif row.kind in ("class", "interface") and 1.0 in names[row.name].shares:
            score *= NAMED_CLASS
        found.append(Found(row, score + named.get(symbol, 0.0)))
    return sorted(found, key=best_first)


def best_first(each: Scored) -> tuple[float, str, int, str, int]:
    """The order of whatever is ranked; never by id."""
    row = each.row
    return -each.score, row.path, row.start_line, row.qualname, row.ordinal


def _file_terms(terms: list[_Term], rows: Mapping[int, SymbolRow]) -> dict[int, list[float]]:
    """For each file, what its best symbol has of each word."""
    found: dict[int, list[float]] = {}
    for symbol, row in rows.items():
        best = found.setdefault(row.file, [0.0] * len(terms))
        for index, term in enumerate(terms):
            field = term.fields.get(symbol, 0.0)
            if field > best[index]:
                best[index] = field
    return found


def _lexical(
    row: SymbolRow,
    terms: list[_Term],
    in_file: list[float],
    name: _NameHits,
    around: _NameHits | None,
    size: int,
) -> float:
    """How well a symbol's own fields, its name, what is around it and its file match the words."""
    length = 1.0 / (1 - LENGTH_B + LENGTH_B * (1.0 + size / AVERAGE_WORDS) / 2.0)
    length = 1.3 if length > 1.3 else 0.45 if length < 0.45 else length
    score = covered = total = in_name = 0.0
    for index, (_, weight, fields, _) in enumerate(terms):
        total += weight
        share, outer, best = name.shares[index], around.shares[index] if around is not None else 0.0, in_file[index]
        if not (share or outer or best):
            continue
        field = fields.get(row.id, 0.0)
        if share:
            in_name += weight * share
            field = max(field, FIELD_WEIGHTS["name"] * share)
        elif field and field <= FIELD_WEIGHTS["body"]:
            field *= length
        if outer:
            field = max(field, FIELD_WEIGHTS["name"] * outer * CONTAINER_SHARE)
        from_file = FILE_SHARE * best
        score += weight * max(field, from_file)
        covered += weight * min(1.0, max(field, 0.5 * from_file))
    if not total:
        return 0.0
    named = NAME_SHARE * FIELD_WEIGHTS["name"] * in_name * name.told
    reach: float = covered / total
    return score * math.pow(reach, COVERAGE) + named * math.pow(reach, NAME_COVERAGE)


class _NameHits(NamedTuple):
    """How the words of a question meet those of a name."""

    shares: tuple[float, ...]  # for each word of the question
    told: float  # share of the name's words that the question says


def _spoken(terms: list[_Term]) -> dict[str, list[tuple[int, float]]]:
    """Every form of the words of a question → which words it is a form of, and how much it counts."""
    found: dict[str, list[tuple[int, float]]] = {}
    for index, term in enumerate(terms):
        for form, share in term.forms.items():
            found.setdefault(form, []).append((index, share))
    return found


def _name_hits(name: str, spoken: Mapping[str, list[tuple[int, float]]], terms: int) -> _NameHits:
    shares = [0.0] * terms
    words = parts(name)
    for word in words:
        for index, share in spoken.get(word, ()):
            if share > shares[index]:
                shares[index] = share
    telling = [word for word in words if word not in GENERIC] or words
    told = sum(1 for word in telling if word in spoken)
    return _NameHits(tuple(shares), told / len(telling) if telling else 0.0)
