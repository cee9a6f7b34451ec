"""Where tasks stand: a table for people, JSON after `docs/schema/budget.json`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from codemap.render import escape, tail
from codemap.render.json import dumps
from codemap.tokens.meter.render import shown, table
from codemap.tokens.meter.values import Pair, Verdict


def text_budgets(found: Sequence[Verdict]) -> str:
    """Where tasks stand; the choices where one is nearly or wholly used."""
    if not found:
        return "no task has a budget: `codemap budget set TASK LIMIT` gives it one\n"
    rows = [("task", "state", "input", "left", "output", "left", "reserved")]
    for each in found:
        rows.append(
            (
                each.task,
                each.state,
                f"{shown(each.spent.input)} of {_limit(each.limit.input)}",
                _limit(each.left.input),
                f"{shown(each.spent.output)} of {_limit(each.limit.output)}",
                _limit(each.left.output),
                f"{shown(each.reserved.input)} + {shown(each.reserved.output)}",
            )
        )
    out = table(rows)
    for each in found:
        if each.unknown:
            calls = tail.count(each.unknown, "call")
            out.append(f"{escape.line(each.task)}: {calls} of unknown size, in no sum")
        out.extend(f"{escape.line(each.task)}: {escape.line(choice.text)}" for choice in each.choices)
    return "".join(row + "\n" for row in out)


def json_budgets(found: Sequence[Verdict]) -> str:
    """`codemap/budget/1`."""
    return dumps({"schema": "codemap/budget/1", "tasks": [verdict(each) for each in found]}) + "\n"


def verdict(found: Verdict) -> dict[str, Any]:
    """A verdict as JSON, for every door it is given through."""
    return {
        "task": found.task,
        "state": found.state,
        "limit": _pair(found.limit),
        "spent": _pair(found.spent),
        "reserved": _pair(found.reserved),
        "estimated": _pair(found.estimated),
        "left": _pair(found.left),
        "warn_percent": found.warn_percent,
        "unknown": found.unknown,
        "choices": [{"name": choice.name, "text": choice.text} for choice in found.choices],
        "reservation": found.reservation,
    }


def _pair(pair: Pair) -> dict[str, int | None]:
    return {"input": pair.input, "output": pair.output}


def _limit(number: int | None) -> str:
    return "no limit" if number is None else f"{number:,}"
