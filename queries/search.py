"""Words → symbols. Evidence is taken per word at its best, so that many hits of one word never beat two words.

The score of a symbol is a weighted BM25 over fields in which every word occurs once (the index keeps no counts); a word
counts in its best field alone; then come what the symbol's name is made of, what its file adds, and what it is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from itertools import repeat
from operator import mul
from typing import NamedTuple, Protocol

from indexer.store.reader import SymbolRow
from queries import locate
from queries.nodes import is_test
from queries.past import past
from queries.pool import best_by_words
from queries.session import Session
from queries.terms import FIELD_WEIGHTS, Term, terms_of
from queries.words import Question, parts

LENGTH_B = 0.4
AVERAGE_WORDS = 25.0  # of a symbol's own body
NAME_SHARE = 0.4
NAME_COVERAGE = 0.4
FILE_SHARE = 0.1
CONTAINER_SHARE = 0.5
COVERAGE = 0.6
TEST_FACTOR = 0.15
HISTORY = 0.1  # of what commits say that touched it; a name that the question spells out counts ten times as much
ASIDE = frozenset({"docs", "doc", "examples", "example", "bench", "benchmarks", "samples", "demo"})
ASIDE_FACTOR = 0.5  # of what stands in such a folder at the top, beside the product
TOPIC = 1.5  # what stands in a folder or file of that name
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


CLEAR = 1.0
"""What the best match by words is worth at least. No symbol has many of the words of a long text; what is named in it
would otherwise drown all else."""

COMPANY = 0.5  # what the best file adds to each match in it; a file with fewer good matches adds less
COMPANY_SIZE = 5  # best matches of a file that are counted, each less than the one before
COMPANY_FADE = 0.8


class Found(NamedTuple):
    """A symbol and how well it matches: about 2 for one whose name says all the words, more where it was named."""

    row: SymbolRow
    score: float


class Scored(Protocol):
    @property
    def row(self) -> SymbolRow: ...

    @property
    def score(self) -> float: ...


GENERIC = frozenset(
    {"get", "set", "is", "has", "do", "make", "to", "from", "on", "init", "new", "base", "abstract", "mixin", "view"}
    | {"manager", "handler", "middleware", "class", "type", "impl", "default", "async", "internal", "helper", "utils"}
)
"""Words of names that say what sort of thing it is, not what it is about."""


_NOTHING: Mapping[int, float] = {}


def search(session: Session, question: Question) -> list[Found]:
    """Symbols that match, best first; ties by path, line and name. Empty where nothing does."""
    with session.read() as reader:
        terms = terms_of(session.postings, question, session.symbol_count())
        named = locate.named_in(reader, question)
        pool = best_by_words(reader, terms, tests=question.tests)
        told = past(session, question) if HISTORY else {}
        rows = reader.symbols([*pool, *named, *told])
        sizes = session.postings.sizes(rows)
        containers = reader.symbols({row.parent for row in rows.values()} - rows.keys() - {0})
    return _ranked(question, terms, rows, {**containers, **rows}, sizes, named, told)


def _ranked(
    question: Question,
    terms: list[Term],
    rows: Mapping[int, SymbolRow],
    containers: Mapping[int, SymbolRow],
    sizes: Mapping[int, int],
    named: Mapping[int, float],
    told: Mapping[int, float],
) -> list[Found]:
    total = sum(term.weight for term in terms) or 1.0
    weights = [term.weight for term in terms]
    held = _held(terms, rows)
    file_terms = _file_terms(held, rows, len(terms))
    spoken = _spoken(terms)
    names = {name: _name_hits(name, spoken, len(terms)) for name in {row.name for row in containers.values()}}
    aside = ASIDE.difference(question.words)
    matches: dict[int, float] = {}
    best = 0.0
    for symbol, row in rows.items():
        container = containers.get(row.parent)
        around = names[container.name] if container is not None and container.kind != "module" else None
        in_file, name = file_terms[row.file], names[row.name]
        matches[symbol] = (
            _lexical(held.get(symbol, _NOTHING), weights, in_file, name, around, sizes.get(symbol, 0)) / total
        )
        if matches[symbol] > best and not is_test(row):
            best = matches[symbol]
    lift = CLEAR / best if 0.0 < best < CLEAR else 1.0
    for symbol, row in rows.items():
        score = matches[symbol] * lift
        score += HISTORY * told.get(symbol, 0.0)
        score *= KIND_FACTORS.get(row.kind, 1.0)
        if is_test(row):
            score *= 1.0 if question.tests else TEST_FACTOR
        elif row.path.partition("/")[0] in aside:
            score *= ASIDE_FACTOR
        elif row.kind in ("class", "interface") and 1.0 in names[row.name].shares:
            score *= NAMED_CLASS
        if question.topics and not question.topics.isdisjoint(_places(row.path)):
            score *= TOPIC
        matches[symbol] = score
    company = _company(rows, matches, named)
    found = [
        Found(row, _beside(matches[symbol] * (1.0 + company[row.file]), named.get(symbol, 0.0)))
        for symbol, row in rows.items()
    ]
    return sorted(found, key=best_first)


def _company(
    rows: Mapping[int, SymbolRow], matches: Mapping[int, float], named: Mapping[int, float]
) -> dict[int, float]:
    """By file, what matches in it gain, up to COMPANY: a file is about what several of its symbols match."""
    held: dict[int, list[float]] = {}
    for symbol, row in rows.items():
        held.setdefault(row.file, []).append(matches[symbol] + named.get(symbol, 0.0))
    fading = [COMPANY_FADE**place for place in range(COMPANY_SIZE)]
    worth = {file: sum(map(mul, sorted(scores, reverse=True), fading)) for file, scores in held.items()}
    most = max(worth.values(), default=0.0) or 1.0
    return {file: COMPANY * value / most for file, value in worth.items()}


@lru_cache(maxsize=4096)
def _places(path: str) -> frozenset[str]:
    """The folders of a path and its file without the suffix, lower case."""
    *folders, name = path.lower().split("/")
    return frozenset([*folders, name.partition(".")[0]])


def _beside(match: float, sure: float) -> float:
    """A match by words beside how sure a symbol is named: of what a trace or a name leads to, words decide no more than
    between equals."""
    return sure + (min(match, sure / 2) if sure > locate.NAMED_IN_TEXT else match)


def best_first(each: Scored) -> tuple[float, str, int, str, int]:
    """The order of whatever is ranked; never by id."""
    row = each.row
    return -each.score, row.path, row.start_line, row.qualname, row.ordinal


def _held(terms: list[Term], rows: Mapping[int, SymbolRow]) -> dict[int, dict[int, float]]:
    """Symbol → index of each word that its fields hold → the weight of the best field."""
    found: dict[int, dict[int, float]] = {}
    for index, term in enumerate(terms):
        fields = term.fields
        for symbol in fields.keys() & rows.keys():
            found.setdefault(symbol, {})[index] = fields[symbol]
    return found


def _file_terms(
    held: Mapping[int, Mapping[int, float]], rows: Mapping[int, SymbolRow], terms: int
) -> dict[int, list[float]]:
    """For each file, what its best symbol has of each word."""
    found = {file: [0.0] * terms for file in {row.file for row in rows.values()}}
    for symbol, fields in held.items():
        best = found[rows[symbol].file]
        for index, field in fields.items():
            if field > best[index]:
                best[index] = field
    return found


def _lexical(
    fields: Mapping[int, float],
    weights: list[float],
    in_file: list[float],
    name: _NameHits,
    around: _NameHits | None,
    size: int,
) -> float:
    """How well a symbol's own fields, its name, what is around it and its file match the words.

    fields   index of a word → the weight of the best field that holds it
    """
    length = 1.0 / (1 - LENGTH_B + LENGTH_B * (1.0 + size / AVERAGE_WORDS) / 2.0)
    length = 1.3 if length > 1.3 else 0.45 if length < 0.45 else length
    in_body, by_name = FIELD_WEIGHTS["body"], FIELD_WEIGHTS["name"]
    outers = around.shares if around is not None else repeat(0.0)
    score = covered = total = in_name = 0.0
    for index, (weight, share, outer, best) in enumerate(zip(weights, name.shares, outers, in_file, strict=False)):
        total += weight
        if not (share or outer or best):
            continue
        field = fields.get(index, 0.0)
        if share:
            in_name += weight * share
            if by_name * share > field:
                field = by_name * share
        elif field and field <= in_body:
            field *= length
        if outer and by_name * outer * CONTAINER_SHARE > field:
            field = by_name * outer * CONTAINER_SHARE
        from_file = FILE_SHARE * best
        score += weight * (field if field > from_file else from_file)
        reached = field if field > 0.5 * from_file else 0.5 * from_file
        covered += weight * (reached if reached < 1.0 else 1.0)
    if not total:
        return 0.0
    named = NAME_SHARE * by_name * in_name * name.told
    reach: float = covered / total
    return score * math.pow(reach, COVERAGE) + named * math.pow(reach, NAME_COVERAGE)


class _NameHits(NamedTuple):
    """How the words of a question meet those of a name."""

    shares: tuple[float, ...]  # for each word of the question
    told: float  # share of the name's words that the question says


def _spoken(terms: list[Term]) -> dict[str, list[tuple[int, float]]]:
    """Every form of the words of a question → which words it is a form of, and how much it counts."""
    found: dict[str, list[tuple[int, float]]] = {}
    for index, term in enumerate(terms):
        for form, share in term.forms.items():
            found.setdefault(form, []).append((index, share))
    return found


def _name_hits(name: str, spoken: Mapping[str, list[tuple[int, float]]], terms: int) -> _NameHits:
    shares = [0.0] * terms
    words, telling = _split(name)
    for word in words:
        for index, share in spoken.get(word, ()):
            if share > shares[index]:
                shares[index] = share
    told = sum([word in spoken for word in telling])
    return _NameHits(tuple(shares), told / len(telling) if telling else 0.0)


@lru_cache(maxsize=1 << 14)
def _split(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of a name, and those that say what it is about: many symbols share a name."""
    words = tuple(parts(name))
    return words, tuple(word for word in words if word not in GENERIC) or words
