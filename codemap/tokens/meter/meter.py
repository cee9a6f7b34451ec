"""The meter: the ledger, budgets and reports as one object."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from codemap.tokens.meter import budgets, ledger, place, prices
from codemap.tokens.meter.fields import usage_of
from codemap.tokens.meter.values import BudgetStopError, Entry, Pair, Recorded, Usage, Verdict
from indexer.errors import UsageError

if TYPE_CHECKING:
    from codemap.tokens.meter.report import MapReport, Report

RESERVED_SECONDS = 900.0
"""How long a reservation holds at most: the SDKs give up on a response after ten minutes."""


class Meter:
    """Counts what calls of models cost, and says before a call whether it fits the budget of its task.

    >>> meter = Meter()  # doctest: +SKIP
    >>> meter.record(client.responses.create(...), task="login-fix")  # doctest: +SKIP

    A meter may be shared by threads; each process opens its own. What `record` has returned from is on the disk.
    Everything raises StoreError for a ledger that cannot be used, BusyError where others keep it locked.

    path    of the ledger; default: CODEMAP_LEDGER, else the person's data folder
    task    of what is recorded without one; default: CODEMAP_TASK
    caller  likewise; default: CODEMAP_CALLER
    """

    def __init__(self, path: str | Path | None = None, *, task: str | None = None, caller: str | None = None) -> None:
        self.path = Path(path) if path is not None else place.ledger_path()
        self.task = task or place.default_task()
        self.caller = caller or place.default_caller()
        self._ledger = ledger.Ledger(self.path)

    def close(self) -> None:
        self._ledger.close()

    def __enter__(self) -> Meter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # what calls cost

    def record(
        self,
        usage: Usage | object,
        *,
        task: str | None = None,
        caller: str | None = None,
        model: str | None = None,
        request_id: str | None = None,
        at: float | None = None,
        reservation: str | None = None,
        replaces: str | None = None,
    ) -> Recorded:
        """Count a call once, however often it is recorded under the same request id.

        usage        a Usage, or a provider's response: JSON as a mapping, or the object its SDK gives
        model        where the response does not name it, or not as the prices do
        request_id   where the response bears none
        at           when the call was made, in seconds since 1970; default: now
        reservation  what `reserve` set aside for this call; it is ended, and charged where the usage is not known
        replaces     request id of a row that stood for this call while it was under way; such a call is known to be one
                     of its own, whoever else bears its request id

        Raises UsageError for a response without usage.
        """
        found = usage if isinstance(usage, Usage) else usage_of(usage)
        found = replace(found, model=model or found.model, request_id=request_id or found.request_id)
        with self._ledger.write() as connection:
            held = budgets.take_back(connection, reservation) if reservation is not None else None
            if held is not None and not found.known and found.outcome != "failed":
                found = replace(found, input=held.input, output=held.output, basis="estimated")
            entry = self._entry(found, task, caller, at)
            if entry.day < ledger.oldest_day():
                raise UsageError(f"{entry.day} is before the {ledger.KEPT_DAYS} days that are kept")
            if replaces is not None:
                ledger.remove(connection, replaces)
                if ledger.holds(connection, entry.request_id):
                    entry = replace(entry, request_id=f"{entry.request_id}:{replaces}")
            old = ledger.insert(connection, entry)
        return Recorded(old or entry, new=old is None, identified=found.request_id is not None)

    def record_all(
        self, usages: Iterable[tuple[Usage, float]], *, task: str | None = None, caller: str | None = None
    ) -> tuple[int, int, int]:
        """Count many calls, each with its time, in one transaction; all are on the disk, or none.

        Returns how many were new, how many were known, and how many are older than what is kept.
        """
        oldest = ledger.oldest_day()
        new = known = old = 0
        with self._ledger.write() as connection:
            for usage, at in usages:
                entry = self._entry(usage, task, caller, at)
                if entry.day < oldest:
                    old += 1
                elif ledger.insert(connection, entry) is None:
                    new += 1
                else:
                    known += 1
        return new, known, old

    def _entry(self, usage: Usage, task: str | None, caller: str | None, at: float | None) -> Entry:
        named = task or self.task
        if named is not None:
            budgets.checked_task(named)
        return Entry(
            request_id=usage.request_id or f"local-{uuid.uuid4().hex}",
            time=ledger.moment(at),
            task=named,
            caller=caller or self.caller,
            provider=usage.provider,
            model=usage.model,
            input=usage.input,
            output=usage.output,
            cached=usage.cached,
            cache_write=usage.cache_write,
            reasoning=usage.reasoning,
            cost=prices.cost(usage, usage.model),
            basis=usage.basis if usage.known else "unknown",
            outcome=usage.outcome,
        )

    # budgets

    def set_budget(
        self, task: str, limit: int, *, output: int | None = None, warn_percent: int = budgets.WARN_PERCENT
    ) -> Verdict:
        """Allow a task `limit` tokens of input, and `output` tokens of output (default: as many)."""
        with self._ledger.write() as connection:
            budgets.put(connection, task, Pair(limit, limit if output is None else output), warn_percent)
            return budgets.verdict(connection, task, Pair())

    def raise_budget(self, task: str, more: int, *, output: int | None = None) -> Verdict:
        """Allow a task `more` tokens of input, and `output` of output (default: as many) on top. NotFoundError."""
        with self._ledger.write() as connection:
            budgets.rise(connection, task, Pair(more, more if output is None else output))
            return budgets.verdict(connection, task, Pair())

    def budgets(self) -> tuple[Verdict, ...]:
        """Where every task with a budget stands."""
        with self._ledger.read() as connection:
            return tuple(budgets.verdict(connection, task, Pair()) for task in budgets.tasks(connection))

    def check(self, task: str, estimated: int = 0, *, output: int | None = None) -> Verdict:
        """Whether a call of about `estimated` tokens of input and at most `output` of output may be made now.

        Nothing is set aside: where calls are made side by side, `reserve` is what to ask.
        """
        with self._ledger.read() as connection:
            return budgets.verdict(connection, task, Pair(estimated, output))

    def reserve(
        self, task: str, estimated: int, *, output: int | None = None, seconds: float = RESERVED_SECONDS
    ) -> Verdict:
        """Like `check`, and set the tokens aside unless the answer is stop: `reservation` is for `record`.

        output    the most the call may make; None: not told, which sets aside all that is left of a limited output
        seconds   after which a reservation that was neither recorded nor released no longer counts
        """
        with self._ledger.write() as connection:
            found = budgets.verdict(connection, task, Pair(estimated, output))
            if found.state == "stop":
                return found
            return replace(found, reservation=budgets.hold(connection, found, seconds))

    def demand(
        self, task: str, estimated: int, *, output: int | None = None, seconds: float = RESERVED_SECONDS
    ) -> Verdict:
        """Like `reserve`, but raises BudgetStopError where the answer is stop."""
        found = self.reserve(task, estimated, output=output, seconds=seconds)
        if found.reservation is None:
            raise BudgetStopError(found)
        return found

    def release(self, reservation: str) -> bool:
        """Give back what was set aside for a call that was not made; False where it had run out."""
        with self._ledger.write() as connection:
            return budgets.take_back(connection, reservation) is not None

    # answers of the map

    def record_answer(
        self,
        command: str,
        *,
        answer_tokens: int,
        file_tokens: int,
        files: int,
        method: str,
        missing: int = 0,
        task: str | None = None,
        caller: str | None = None,
    ) -> None:
        """Note what an answer of the map cost, and what the files it stands for would have, by the same measure."""
        if min(answer_tokens, file_tokens, files, missing) < 0:
            raise UsageError("an answer costs no fewer than 0 tokens")
        row = (task or self.task, caller or self.caller, command, answer_tokens, file_tokens, files, missing, method)
        with self._ledger.write() as connection:
            ledger.insert_answer(connection, ledger.moment(), row)

    # reports

    def report(self, by: str = "task", *, since: str | None = None, task: str | None = None) -> Report:
        """Sums by task, model, caller or day, of the days kept or since a day (`2025-01-31`, UTC)."""
        from codemap.tokens.meter.report import report

        with self._ledger.read() as connection:
            return report(connection, by, since=since, task=task)

    def map_report(self, by: str = "task", *, since: str | None = None, task: str | None = None) -> MapReport:
        """Context that answers of the map saved or spent, by task, caller, command or day."""
        from codemap.tokens.meter.report import map_report

        with self._ledger.read() as connection:
            return map_report(connection, by, since=since, task=task)
