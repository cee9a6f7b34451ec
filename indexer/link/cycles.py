"""Answers to questions that go round in a circle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from indexer.link.contexts import CODE, MAX_VALUES, RESULT
from indexer.link.premises import Lookup, Node
from indexer.link.values import Value

_NOTHING: Final = {"bool": False, "int": 0, "str": "", "Value | None": None, "frozenset[str]": frozenset[str]()}

nothing: Final[dict[str, Any]] = {}
"""By question: what it is taken to be before anything is known."""


class Asked:
    """A question that was asked and whose answer is not kept yet: it is open, or part of a cycle that is.

    question: name and arguments. place: among the questions that are not kept, in the order they were asked. finished:
    when it was first answered, counted in questions. result: the last that its method gave; answer: what others are
    given, at first nothing. direct, premises: what was looked up for it, and the kept answers it rests on. uses, users:
    those that it uses, and that use it. changes: how often its answer has become one that does not hold all of it.
    waiting: an answer that it used has become another since.
    """

    __slots__ = (
        "answer", "asker", "changes", "direct", "finished", "method", "place", "premises", "question", "result",
        "users", "uses", "waiting",
    )  # fmt: skip

    def __init__(
        self, name: str, method: Callable[..., Any], asker: Any, arguments: tuple[Any, ...], place: int
    ) -> None:
        self.question = name, arguments
        self.method = method
        self.asker = asker
        self.place = place
        self.finished = 0
        self.result: Any = None
        self.answer = nothing[name]
        self.direct: list[Lookup] = []
        self.premises: list[Node] = []
        self.uses: list[Asked] = []
        self.users: set[Asked] = set()
        self.changes = 0
        self.waiting = False

    def unuse(self) -> None:
        """Forget which answers it used: it is answered again."""
        for used in self.uses:
            used.users.discard(self)
        self.uses = []


def reached(first: Asked) -> list[Asked]:
    """A question, and those that its answer rests on."""
    members = {first: None}
    left = [first]
    while left:
        for used in left.pop().uses:
            if used not in members:
                members[used] = None
                left.append(used)
    return list(members)


def carried(answer: Any, container: Callable[[Value], Value]) -> Any:
    """An answer as it is in a cycle: contexts of contexts would grow from pass to pass, and so would containers in
    containers, as in `x = list(x)`, and the names of what lies outside, as in `x = x.strip()`.

    container: gives a container that a call made as it is in a cycle.
    """
    if isinstance(answer, Value):
        if answer.kind == "external":
            return Value("external", ".".join(answer.path.split(".", 2)[:2]))
        if answer.kind == "group":
            return container(answer)
        return answer._replace(context=0) if answer.context > RESULT else answer
    if type(answer) is tuple:
        parts = [carried(part, container) for part in answer]
        if not parts or not isinstance(parts[0], Value):
            return tuple(parts)
        parts = list(dict.fromkeys(parts))
        return tuple(parts if len(parts) <= MAX_VALUES else sorted(parts, key=_place))
    return answer


def _place(value: Value) -> tuple[bool, str, str, int]:
    """Where a value stands among many, of which others keep the first: code first, and not by numbers that depend on
    the run."""
    return value.kind not in CODE, value.kind, value.path, 0 if value.kind == "group" else value.number


def contents(answer: Any) -> Any:
    """What an answer holds, in any order."""
    return frozenset(contents(part) for part in answer) if type(answer) is tuple else answer


def declare(name: str, returns: str) -> None:
    """Say what a question of a name gives, as its method is annotated."""
    nothing[name] = {} if returns.startswith("dict[") else _NOTHING.get(returns, ())
