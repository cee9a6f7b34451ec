"""A change → what depends on it, within a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from indexer.errors import UsageError
from indexer.store.reader import Reader, SymbolRow
from queries import find
from queries.dependents import Dependent, dependents_of, possible
from queries.effects import Impact
from queries.impact_plan import Stock, answer_of, plan
from queries.listfit import fitted
from queries.nodes import in_order, is_test
from queries.session import Session
from queries.staleness import Freshness
from queries.tokens import Measure

if TYPE_CHECKING:
    from indexer.discover.changes import Changes
    from queries.leftover import Use
    from queries.touched import GoneSymbol

UNCOMMITTED = "uncommitted changes"
_INSIDE = frozenset({"module", "class", "interface", "enum", "namespace"})


class Renderer(Protocol):
    """The exact text that will be sent for an answer, its own token figures included."""

    def render(self, impact: Impact) -> str: ...


class _Change(NamedTuple):
    """What is asked about. roots: the symbols that changed and what is in a class or file that was named."""

    of: str
    changed: tuple[SymbolRow, ...]
    roots: tuple[SymbolRow, ...]
    gone: tuple[tuple[GoneSymbol, tuple[Use, ...]], ...] = ()
    notes: tuple[str, ...] = ()


def impact(
    session: Session,
    names: Sequence[str],
    changes: Callable[[], Changes] | None,
    *,
    of: str | None = None,
    hops: int = 5,
    budget: int = 4000,
    measure: Measure,
    renderer: Renderer,
) -> Impact:
    """What depends on symbols, and on the symbols that a difference touches, nearest first.

    names     symbols; a class or a file stands for all that is in it
    changes   gives the difference; None: only the names count
    of        what the difference is called in the answer
    hops      edges between a symbol and the change, at most
    budget    tokens that the whole answer, as `renderer` writes it, may cost by `measure`
    Raises NotFoundError and AmbiguousError for a name, BudgetTooSmallError, UsageError for bad numbers.
    """
    if budget < 1 or hops < 1:
        raise UsageError("the budget must be at least 1 token and the hops at least 1")
    with session.read() as reader:
        change = _change(session, reader, names, changes() if changes is not None else None, of)
        stock = _stock(session, change, hops)
        items = plan(stock)
        fresh = Freshness(session)

        def build(count: int, estimate: int, budget: int) -> Impact:
            return answer_of(stock, items[:count], measure.figures(estimate, budget), fresh.of)

        return fitted(build, [item.size for item in items], lambda made: measure.count(renderer.render(made)), budget)


def _change(session: Session, reader: Reader, names: Sequence[str], changes: Changes | None, of: str | None) -> _Change:
    named = [row for name in names for row in find.rows(reader, name)]
    inside = _with_inner(reader, named)
    what = [*([of or UNCOMMITTED] if changes is not None else []), *names]
    if changes is None:
        return _Change(", ".join(what), _once(named), _once(inside))
    from queries.leftover import leftover
    from queries.touched import MOST_PARSED, outermost, touched

    found = touched(reader, changes.files)
    left = leftover(session, found.gone)
    gone = [each for each in found.gone if left.uses[each]]
    gone += [
        each for each in outermost(found.gone) if (not left.uses[each] and each.now is None) or each.kind != "module"
    ]
    notes = []
    if changes.others:
        several = "1 changed file is" if changes.others == 1 else f"{changes.others} changed files are"
        notes.append(f"{several} not source, or not text")
    if found.lost:
        more = f" and {len(found.lost) - 1} more" if len(found.lost) > 1 else ""
        notes.append(
            f"{found.lost[0]}{more} changed and is not in the map: run `codemap update`, see `status --skipped`"
        )
    if not found.complete:
        notes.append(f"so much changed that symbols which are gone were looked for in {MOST_PARSED} files only")
    if left.unread:
        notes.append(f"{left.unread} more files may refer to what is gone")
    return _Change(
        ", ".join(what),
        _once([*named, *found.rows]),
        _once([*inside, *found.rows]),
        tuple((each, left.uses[each]) for each in dict.fromkeys(gone)),
        tuple(notes),
    )


def _with_inner(reader: Reader, rows: Iterable[SymbolRow]) -> list[SymbolRow]:
    """Some symbols and, of classes and modules, all that is in them."""
    found: list[SymbolRow] = []
    left = list(rows)
    while left:
        found += left
        left = reader.children([row for row in left if row.kind in _INSIDE])
    return found


def _once(rows: Iterable[SymbolRow]) -> tuple[SymbolRow, ...]:
    return tuple({row.id: row for row in rows}.values())


def _stock(session: Session, change: _Change, hops: int) -> Stock:
    """All there is to show."""
    reached = dependents_of(session, change.roots, hops)
    maybe = possible(session, change.roots, (each.row.id for each in reached.found))
    tests = [each for each in reached.found if is_test(each.row)]
    notes = list(change.notes)
    if not change.roots and not change.gone:
        notes.insert(0, "no symbol of the map changed")
    if not reached.complete:
        notes.append("more depend on these than were followed")
    return Stock(
        of=change.of,
        changed=tuple(sorted(change.changed, key=is_test)),
        known={row.id: row for row in (*change.roots, *(each.row for each in (*reached.found, *maybe)))},
        gone=tuple(sorted(change.gone, key=lambda each: (not each[1], each[0].path, each[0].qualname))),
        dependents=tuple(each for each in reached.found if not is_test(each.row)),
        candidates=tuple(maybe),
        tests=_by_file(tests),
        hubs=reached.hubs,
        notes=tuple(notes),
    )


def _by_file(tests: Sequence[Dependent]) -> tuple[tuple[str, tuple[Dependent, ...]], ...]:
    """Files of tests, those with the nearest test first."""
    files: dict[str, list[Dependent]] = {}
    for each in tests:
        files.setdefault(each.row.path, []).append(each)
    ordered = sorted(
        files.items(), key=lambda item: (item[1][0].distance, -item[1][0].worth, *in_order(item[1][0].row))
    )
    return tuple((path, tuple(group)) for path, group in ordered)
