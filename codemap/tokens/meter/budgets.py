"""Budgets: a limit of tokens for a task, what is spent and set aside of it, and whether a call still fits.

The functions work inside a transaction of the ledger that excludes all other writers, so that two calls under way can
never count on the same remainder. Input and output have a limit each and are never added.
"""

from __future__ import annotations

import sqlite3
import time
import uuid

from codemap.tokens.meter.values import Choice, Pair, State, Verdict
from indexer.errors import NotFoundError, UsageError

WARN_PERCENT = 80
MOST = 10**15
OPEN = -1
"""In a reservation's output: the call did not say how much it may make, so it may take all that is left."""


def put(connection: sqlite3.Connection, task: str, limit: Pair, warn_percent: int) -> None:
    """Give a task a limit, in place of the one it had; what it has spent stays spent."""
    checked_task(task)
    for tokens in (limit.input, limit.output):
        checked(tokens, "a limit")
    if not 1 <= warn_percent <= 100:
        raise UsageError(f"a warning stands at 1 to 100 per cent of a limit, not {warn_percent}")
    connection.execute(
        "INSERT OR REPLACE INTO budgets VALUES (?, ?, ?, ?)", (task, limit.input, limit.output, warn_percent)
    )


def rise(connection: sqlite3.Connection, task: str, more: Pair) -> None:
    """Add to the limits of a task. Raises NotFoundError where it has none."""
    found = connection.execute("SELECT input, output, warn_percent FROM budgets WHERE task = ?", (task,)).fetchone()
    if found is None:
        near = tuple(name for (name,) in connection.execute("SELECT task FROM budgets ORDER BY task LIMIT 5"))
        raise NotFoundError(f"{task} has no budget: `codemap budget set` gives it one", near)
    raised = Pair(_more(found[0], more.input, "input"), _more(found[1], more.output, "output"))
    put(connection, task, raised, found[2])


def tasks(connection: sqlite3.Connection) -> list[str]:
    """The tasks that have a budget."""
    return [name for (name,) in connection.execute("SELECT task FROM budgets ORDER BY task")]


def verdict(connection: sqlite3.Connection, task: str, estimated: Pair, now: float | None = None) -> Verdict:
    """Whether a call of `estimated` tokens fits what is left of a task's budget."""
    checked_task(task)
    for tokens in (estimated.input, estimated.output):
        checked(tokens, "an estimate")
    at = time.time() if now is None else now
    row = connection.execute("SELECT input, output, warn_percent FROM budgets WHERE task = ?", (task,)).fetchone()
    limit, warn = (Pair(), WARN_PERCENT) if row is None else (Pair(row[0], row[1]), row[2])
    spent = connection.execute("SELECT input, output, unknown FROM spent WHERE task = ?", (task,)).fetchone()
    spent = spent or (0, 0, 0)
    held, untold = _held(connection, task, at, None if limit.output is None else limit.output - spent[1])
    sides = [
        _side(limit.input, spent[0], held.input or 0, estimated.input or 0, warn),
        _side(limit.output, spent[1], held.output or 0, estimated.output or 0, warn),
    ]
    state: State = max((side[0] for side in sides), key=("ok", "warn", "stop").index)
    left = Pair(sides[0][1], sides[1][1])
    return Verdict(
        task=task,
        state=state,
        limit=limit,
        spent=Pair(spent[0], spent[1]),
        reserved=held,
        estimated=estimated,
        left=left,
        warn_percent=warn,
        unknown=spent[2],
        choices=_choices(task, left, estimated, untold=untold) if state != "ok" else (),
    )


def hold(connection: sqlite3.Connection, found: Verdict, seconds: float, now: float | None = None) -> str:
    """Set the verdict's tokens aside for at most `seconds`; gives the reservation's name.

    Of a limited output that the call does not tell, all that is left is set aside, whatever is added to the limit
    meanwhile: two calls that do not tell could pass it together.
    """
    at = time.time() if now is None else now
    connection.execute("DELETE FROM reservations WHERE until <= ?", (at,))
    name = f"hold-{uuid.uuid4().hex}"
    asked = found.estimated
    values = (name, found.task, asked.input or 0, OPEN if asked.output is None else asked.output, at + seconds)
    connection.execute("INSERT INTO reservations VALUES (?, ?, ?, ?, ?)", values)
    return name


def take_back(connection: sqlite3.Connection, reservation: str) -> Pair | None:
    """End a reservation; gives what it held, None where it has run out and been forgotten.

    An output that was not told is None: all that was left is no estimate of what the call made.
    """
    row = connection.execute("SELECT input, output FROM reservations WHERE id = ?", (reservation,)).fetchone()
    connection.execute("DELETE FROM reservations WHERE id = ?", (reservation,))
    return None if row is None else Pair(row[0], None if row[1] == OPEN else row[1])


def checked(tokens: int | None, what: str) -> None:
    """Raises UsageError for what is no number of tokens."""
    if tokens is not None and (isinstance(tokens, bool) or not isinstance(tokens, int) or not 0 <= tokens <= MOST):
        raise UsageError(f"{what} is a number of tokens from 0 to {MOST:,}, not {tokens!r:.40}")


def checked_task(task: str) -> None:
    """Raises UsageError for what cannot name a task."""
    if not task.strip() or len(task) > 200 or "\0" in task:
        raise UsageError("a task has a name of at most 200 characters")


def _held(connection: sqlite3.Connection, task: str, at: float, unspent: int | None) -> tuple[Pair, bool]:
    """What calls under way may take, and whether one of them takes all of the output that is `unspent`."""
    row = connection.execute(
        "SELECT coalesce(sum(input), 0), coalesce(sum(max(output, 0)), 0), coalesce(min(output), 0) "
        "FROM reservations WHERE task = ? AND until > ?",
        (task, at),
    ).fetchone()
    untold = unspent is not None and row[2] == OPEN
    return Pair(row[0], max(row[1], unspent or 0) if untold else row[1]), untold


def _side(limit: int | None, spent: int, held: int, asked: int, warn: int) -> tuple[State, int | None]:
    """State and remainder of one kind of token; the remainder is what other calls have neither spent nor set aside."""
    if limit is None:
        return "ok", None
    left = max(0, limit - spent - held)
    if asked > left or left == 0:
        return "stop", left
    return ("warn" if (spent + held + asked) * 100 >= limit * warn else "ok"), left


def _choices(task: str, left: Pair, asked: Pair, *, untold: bool) -> tuple[Choice, ...]:
    room = [f"{kind} {n:,}" for kind, n in (("input", left.input), ("output", left.output)) if n is not None]
    lacking = [
        max(0, (want or 0) - n) for want, n in ((asked.input, left.input), (asked.output, left.output)) if n is not None
    ]
    more = f" by at least {max(lacking):,} tokens" if any(lacking) else ""
    return (
        Choice(
            "pause",
            "pause until the call under way is done: it did not tell its output and may take all that is left of it"
            if untold
            else "pause until a person has looked",
        ),
        Choice("narrow", f"narrow the call to what is left ({', '.join(room)})"),
        Choice("raise", f"ask for more: `codemap budget raise {task} N`{more}"),
    )


def _more(limit: int | None, more: int | None, kind: str) -> int | None:
    if more is None:
        return limit
    checked(more, "what is added")
    if limit is None:
        raise UsageError(f"there is no limit of {kind} to raise")
    return limit + more
