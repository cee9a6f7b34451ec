"""The calls of a file by the names in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from indexer.model import FileFacts

MadeCall = tuple[int, int, int]
"""Scope, row and position of a call."""


def calls_by_name(facts: FileFacts) -> dict[str, list[MadeCall]]:
    """The calls that pass something by the last name of what is called, `"f"`, and by each lambda that they pass,
    `"f.<lambda1>@"`; in order."""
    found: defaultdict[str, list[MadeCall]] = defaultdict(list)
    lambdas = any(symbol.kind == "lambda" for symbol in facts.symbols)
    for call in facts.calls:
        function = facts.expressions[call.row][1]
        if isinstance(function, int):
            row = facts.expressions[function]
            function = str(row[2]) if row[0] == "member" else None
        made = [(call.scope, call.row, at) for at in call.positions]
        if function is not None:
            found[function.rpartition(".")[2]].extend(made)
        for lambda_ in _passed_by(facts, call.row) if lambdas else ():
            found[f"{lambda_}@"].extend(made)
    return dict(found)


def _passed_by(facts: FileFacts, row: int) -> Iterator[str]:
    """The qualified names of the lambdas that a call passes."""
    for part in facts.expressions[row][2]:
        value = part[-1] if isinstance(part, (list, tuple)) else part
        if isinstance(value, int) and facts.expressions[value][0] == "symbol":
            yield facts.symbols[facts.expressions[value][1]].qualname
