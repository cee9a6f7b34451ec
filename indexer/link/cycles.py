"""Answers to questions that go round in a circle."""

from __future__ import annotations

from typing import Any, Final

from indexer.link.contexts import RESULT
from indexer.link.values import Value

_NOTHING: Final = {"bool": False, "int": 0, "str": "", "Value | None": None, "frozenset[str]": frozenset[str]()}

nothing: Final[dict[str, Any]] = {}
"""By question: what it is taken to be before anything is known."""


def carried(answer: Any) -> Any:
    """An answer as it is in a cycle: contexts of contexts would grow from pass to pass, and so would the names of what
    lies outside, as in `x = x.strip()`."""
    if isinstance(answer, Value):
        if answer.kind == "external":
            return Value("external", ".".join(answer.path.split(".", 2)[:2]))
        return answer._replace(context=0) if answer.context > RESULT else answer
    if type(answer) is tuple:
        parts = [carried(part) for part in answer]
        return tuple(dict.fromkeys(parts)) if parts and isinstance(parts[0], Value) else tuple(parts)
    return answer


def contents(answer: Any) -> Any:
    """What an answer holds, in any order."""
    return frozenset(contents(part) for part in answer) if type(answer) is tuple else answer


def declare(name: str, returns: str) -> None:
    """Say what a question of a name gives, as its method is annotated."""
    nothing[name] = {} if returns.startswith("dict[") else _NOTHING.get(returns, ())
