"""Sums over the ledger. A sum is of what is known; how many calls it lacks stands beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from codemap.tokens.meter import ledger, prices
from codemap.tokens.meter.values import COUNTS
from indexer.errors import UsageError

BY = ("task", "model", "caller", "day")
MAP_BY = ("task", "caller", "command", "day")
SUMMED = (*COUNTS, "cost")


@dataclass(frozen=True, slots=True)
class Row:
    """Calls that have something in common.

    sums     by count; None where no call tells it. Cost in billionths of the unit the prices are in
    unknown  by count: the calls that do not tell it
    """

    key: str | None
    calls: int
    estimated: int
    unfinished: int  # calls that failed, were cut short or are still open
    sums: dict[str, int | None]
    unknown: dict[str, int]


@dataclass(frozen=True, slots=True)
class Report:
    by: str
    since: str
    rows: tuple[Row, ...]  # most input first; by day: in order
    total: Row
    unpriced: tuple[str, ...]  # models in it that no price applies to


@dataclass(frozen=True, slots=True)
class MapRow:
    """Answers of the map that have something in common, and the files they stood for, in tokens of one measure."""

    key: str | None
    method: str
    answers: int
    answer_tokens: int
    file_tokens: int
    files: int
    missing: int  # files that could not be read, and are not in file_tokens

    @property
    def saved(self) -> int:
        """Tokens of the files that the answers spared; negative: that they cost on top."""
        return self.file_tokens - self.answer_tokens


@dataclass(frozen=True, slots=True)
class MapReport:
    by: str
    since: str
    rows: tuple[MapRow, ...]


def report(connection: sqlite3.Connection, by: str, *, since: str | None, task: str | None) -> Report:
    """Sums of calls. Raises UsageError for what cannot be grouped by."""
    first = _since(since)
    key = _key(by, BY)
    source = _union(connection, ledger.PREFIX, first, ", ".join(ledger.COLUMNS))
    if source is None:
        return Report(by, first, (), _row((None, 0, 0, 0, *([None] * len(SUMMED)), *([0] * len(SUMMED)))), ())
    where, values = _where(task)
    sums = ", ".join(f"sum({name})" for name in SUMMED)
    lacking = ", ".join(f"count(*) - count({name})" for name in SUMMED)
    head = "count(*), count(CASE basis WHEN 'estimated' THEN 1 END), count(CASE outcome WHEN 'ok' THEN NULL ELSE 1 END)"
    order = "1" if by == "day" else "sum(input) DESC NULLS LAST, 1"
    rows = connection.execute(
        f"SELECT {key}, {head}, {sums}, {lacking} FROM ({source}) {where} GROUP BY 1 ORDER BY {order}", values
    ).fetchall()
    total = connection.execute(f"SELECT NULL, {head}, {sums}, {lacking} FROM ({source}) {where}", values).fetchone()
    models = connection.execute(f"SELECT DISTINCT model FROM ({source}) {where} ORDER BY 1", values).fetchall()
    unpriced = tuple(model for (model,) in models if model is not None and not prices.priced(model))
    return Report(by, first, tuple(map(_row, rows)), _row(total), unpriced)


def map_report(connection: sqlite3.Connection, by: str, *, since: str | None, task: str | None) -> MapReport:
    """Sums of answers; measures are not mixed. Raises UsageError for what cannot be grouped by."""
    first = _since(since)
    key = _key(by, MAP_BY)
    source = _union(connection, ledger.ANSWERS, first, "*")
    if source is None:
        return MapReport(by, first, ())
    where, values = _where(task)
    rows = connection.execute(
        f"SELECT {key}, method, count(*), sum(answer_tokens), sum(file_tokens), sum(files), sum(missing) "
        f"FROM ({source}) {where} GROUP BY 1, 2 ORDER BY 1, 2",
        values,
    )
    return MapReport(by, first, tuple(MapRow(*row) for row in rows))


def _union(connection: sqlite3.Connection, prefix: str, since: str, columns: str) -> str | None:
    names = ledger.tables(connection, prefix, since)
    return " UNION ALL ".join(f'SELECT {columns} FROM "{name}"' for name in names) or None


def _where(task: str | None) -> tuple[str, tuple[str, ...]]:
    return ("", ()) if task is None else ("WHERE task = ?", (task,))


def _key(by: str, known: Sequence[str]) -> str:
    if by not in known:
        raise UsageError(f"a report goes by {', '.join(known[:-1])} or {known[-1]}, not by {by}")
    return "substr(time, 1, 10)" if by == "day" else by


def _since(given: str | None) -> str:
    """The first day of a report: days that are no longer kept are not shown before they are dropped either."""
    oldest = ledger.oldest_day()
    if given is None:
        return oldest
    try:
        return max(oldest, date.fromisoformat(given).isoformat())
    except ValueError as error:
        raise UsageError(f"a day is written as 2025-01-31, not {given}") from error


def _row(values: Sequence[object]) -> Row:
    key, calls, estimated, unfinished, *rest = values
    assert key is None or isinstance(key, str)
    assert isinstance(calls, int)
    assert isinstance(estimated, int)
    assert isinstance(unfinished, int)
    numbers = [value if isinstance(value, int) else None for value in rest]
    half = len(SUMMED)
    return Row(
        key=key,
        calls=calls,
        estimated=estimated,
        unfinished=unfinished,
        sums=dict(zip(SUMMED, numbers[:half], strict=True)),
        unknown={name: value or 0 for name, value in zip(SUMMED, numbers[half:], strict=True)},
    )
