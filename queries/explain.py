"""What brought each symbol of an answer in, in a few words each, made only when asked for.

login:name        a word of the question, and the field that holds it: name, doc, path or body
named             the text names the symbol; `file`: its file
frame:9           a frame of a stack trace, or another place in the text, that is in it, with the line
expand            asked for by name
calls<login:8     an edge from what brought it in in turn, at that line of the source's file: login calls it;
calls>flush:12    it calls flush. The last symbol of such a chain is a match of the words
inside<Session    what is around it, or with > what it is around
history           messages of commits that touched it say words of the question
changes_with<login   commits that changed login changed it as well; part of a chain like an edge
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence

from indexer.evidence import DISPATCH
from indexer.store.reader import Reader, SymbolRow
from queries import locate
from queries.expand import (
    CANDIDATE_FACTOR,
    DISPATCH_FACTOR,
    TO_CHILDREN,
    TO_PARENT,
    WEIGHTS_IN,
    WEIGHTS_OUT,
    Reached,
    together,
)
from queries.past import past
from queries.session import Session
from queries.terms import FIELD_WEIGHTS, Term, terms_of
from queries.ties import Tie
from queries.together import CHANGES_WITH
from queries.words import Question

MOST_WORDS = 6
HISTORY = "history"
_Links = dict[int, list[tuple[int, float, str]]]
"""From each symbol: what it brings in, the cost, and how that is said, without the name."""


def reasons(
    session: Session,
    question: Question,
    reached: Sequence[Reached],
    seeds: Sequence[int],
    centres: Iterable[int],
    ties: Sequence[Tie],
) -> dict[int, tuple[str, ...]]:
    """Reasons by symbol id; the strongest first.

    seeds     the matches that relevance spreads from
    centres   what was asked to be expanded
    ties      edges between the symbols reached
    """
    rows = {each.row.id: each.row for each in reached}
    with session.read() as reader:
        terms = terms_of(session.postings, question, session.symbol_count())
        named = _named(reader, question)
    starts = [*dict.fromkeys([*centres, *seeds])]
    seeds_best = [rows[symbol] for symbol in seeds if symbol in rows]
    links = _links(rows, ties, together(session, seeds_best))
    chains = _chains(rows, [symbol for symbol in starts if symbol in rows], links)
    told = past(session, question)
    asked = set(centres)
    found = {}
    for symbol in rows:
        said = ["expand"] if symbol in asked else []
        said += [*named.get(symbol, ()), *_words(terms, symbol)]
        if symbol in told:
            said.append(HISTORY)
        if symbol in chains:
            said.append(chains[symbol])
        found[symbol] = tuple(said)
    return found


def _named(reader: Reader, question: Question) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    framed: set[int] = set()
    for place in question.frames[:20]:
        for row in locate.innermost(reader, place):
            framed.add(row.id)
            found.setdefault(row.id, []).append(f"frame:{place.line}")
    known = reader.paths() if question.paths else []
    files = {path for place in question.paths[:20] for path in locate.matching_paths(known, place.path)}
    surely = locate.named_in(reader, question)
    rows = reader.symbols(surely)
    for symbol, worth in surely.items():
        if symbol not in framed:
            in_file = rows[symbol].path in files and worth <= locate.FILE * 2
            found.setdefault(symbol, []).append("file" if in_file else "named")
    return found


def _words(terms: Sequence[Term], symbol: int) -> list[str]:
    """The words that a symbol holds, the most telling first, each with its best field."""
    held = [(term.weight * term.fields[symbol], term) for term in terms if symbol in term.fields and term.forms]
    held.sort(key=lambda pair: (-pair[0], pair[1].word))
    return [f"{term.word}{_field(term, term.fields[symbol])}" for _, term in held[:MOST_WORDS]]


def _field(term: Term, weight: float) -> str:
    """The field that gives this weight, `~` before it where another form of the word is in it."""
    for share in sorted({1.0, *term.forms.values()}, reverse=True):
        for field, worth in FIELD_WEIGHTS.items():
            if abs(share * worth - weight) < 1e-9:
                return f":{field}" if share == 1.0 else f"~:{field}"
    return ":text"


def _chains(rows: Mapping[int, SymbolRow], starts: Sequence[int], links: _Links) -> dict[int, str]:
    """For each symbol the cheapest chain of edges to one of some others, as words; the nearest edge first."""
    place = {symbol: rank for rank, symbol in enumerate(rows)}
    heap = [(0.0, place[start], start, "") for start in starts]
    heapq.heapify(heap)
    done: dict[int, str] = {}
    while heap:
        cost, _, here, words = heapq.heappop(heap)
        if here in done:
            continue
        done[here] = words
        for there, more, said in links.get(here, ()):
            if there not in done:
                chain = f"{said} {words}".rstrip()
                heapq.heappush(heap, (round(cost + more, 6), place[there], there, chain))
    return {symbol: words for symbol, words in done.items() if words}


def _links(rows: Mapping[int, SymbolRow], ties: Sequence[Tie], changed: Iterable[tuple[int, int, float]]) -> _Links:
    found: _Links = {}
    for source, target, weight in changed:
        if source in rows and target in rows:
            found.setdefault(source, []).append((target, 1 / weight, f"{CHANGES_WITH}<{_name(rows[source])}"))
    for tie in ties:
        sure = tie.resolution == "resolved"
        factor = CANDIDATE_FACTOR if not sure else DISPATCH_FACTOR if tie.evidence == DISPATCH else 1.0
        kind = tie.kind if sure else f"{tie.kind}?"
        out, into = WEIGHTS_OUT.get(tie.kind, 0.0) * factor, WEIGHTS_IN.get(tie.kind, 0.0) * factor
        if out:
            said = f"{kind}<{_name(rows[tie.source])}:{tie.line}"
            found.setdefault(tie.source, []).append((tie.target, 1 / out, said))
        if into:
            said = f"{kind}>{_name(rows[tie.target])}:{tie.line}"
            found.setdefault(tie.target, []).append((tie.source, 1 / into, said))
    for symbol, row in rows.items():
        if row.parent in rows:
            found.setdefault(symbol, []).append((row.parent, 1 / TO_PARENT, f"inside>{_name(row)}"))
            if rows[row.parent].kind != "module":
                around = f"inside<{_name(rows[row.parent])}"
                found.setdefault(row.parent, []).append((symbol, 1 / TO_CHILDREN, around))
    return found


def _name(row: SymbolRow) -> str:
    return row.path.rpartition("/")[2] if row.kind == "module" else row.qualname
