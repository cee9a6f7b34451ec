"""Memoised questions that remember what they looked up, and survive cycles.

A question's answer depends on facts alone, never on which question was asked before it. The questions of a cycle are
answered from nothing; whenever an answer turns out to be another one, those that used it are answered again, until
nothing changes. Then all are kept. That is what makes an incremental link equal a clean one. A cycle is what Tarjan's
algorithm finds (Depth-first search and linear graph algorithms, 1972), while the questions are being asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from heapq import heapify, heappop, heappush
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar

from indexer.link.cycles import Asked, carried, contents, declare, nothing, reached
from indexer.link.keeping import file_of, files_to_keep
from indexer.link.premises import Lookup, Node, gather
from indexer.link.values import Value

Question: TypeAlias = tuple[str, tuple[Any, ...]]
"""Name of the method, and its arguments."""

MAX_DEPTH: Final = 500
"""Questions open at once. What lies deeper is answered first, on its own. Real code stays below 100; the bound keeps
long files that a program wrote from exhausting the stack."""

MAX_STARTS: Final = 40
"""Questions that are answered first because they lie too deep, for one that is asked. What lies deeper than all of them
reach stays unknown."""

MAX_CHANGES: Final = 12
"""Times that an answer in a cycle may become one that does not hold all of it, and others are answered again for it.
Answers that grow come to an end; the bound is for those that would not settle."""

LARGE: Final = 200
"""Questions of a cycle from which on its answers are never dropped."""

_CLOSED: Final = 1 << 30

_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")


class _TooDeepError(Exception):
    """A question lies too deep to be answered on the way."""

    def __init__(self, name: str, method: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        super().__init__(name)
        self.question = name, method, arguments


class Memo:
    """Answers by question, with the look-ups each one rests on."""

    def __init__(self, starts: int = MAX_STARTS) -> None:
        self.lookups: list[Lookup] = []
        """What the question that is being answered looked up itself; see `gathered`."""
        self.premises: list[Node] = []  # the answers it rests on
        self.recorder = 0  # number of that list, so that an answer is added to it once
        self.context = 0
        """What the parameters around the code that is being read are known to hold; see `contexts`. A question starts
        without: what it depends on is among its arguments."""
        self.carried: Callable[[Value], Value] = lambda value: value
        """What becomes of a container in a cycle; see `cycles.carried`."""
        self._recorders = 0
        self.tables: dict[str, dict[tuple[Any, ...], Node]] = {name: {} for name in nothing}
        """Kept answers by question: arguments → node."""
        self._unsettled: dict[Question, Asked] = {}
        self._stack: list[Asked] = []  # the same, in the order they were asked
        self._waiting: list[Asked] = []  # those that used an answer that has become another one since
        self._finished = 0  # how many have been answered
        self._asking: Asked | None = None  # the last that was opened
        self._lowest = _CLOSED  # place of the first unsettled question that it used, itself or by others
        self._depth = 0
        self._gatherings = 0  # how often look-ups have been gathered
        self._together = 0  # answers of large cycles
        self._starts = 0  # questions begun with nothing open, for the one that is asked
        self._most_starts = starts

    def begin(self) -> None:
        """Forget what was looked up so far; answers stay."""
        self._record()
        self._clear()  # a link that failed leaves some

    def _record(self) -> None:
        self.lookups, self.premises = [], []
        self._recorders += 1
        self.recorder = self._recorders

    def size(self) -> int:
        """How many answers are kept, without those of large cycles."""
        return sum(map(len, self.tables.values())) - self._together

    def forget(self, asked: Mapping[str, int], kept: int) -> None:
        """Drop answers: they are found again when they are asked for. Those of large cycles stay: to find one of them,
        all have to be found.

        asked: how many files have asked something of a file. kept: number of answers that may stay, those about the
        files that most have asked. Answers about files that nobody else asks are most of all.
        """
        apart = {name: [key for key, node in table.items() if not node.together] for name, table in self.tables.items()}
        files = files_to_keep(apart, asked, kept)
        for name, table in self.tables.items():
            self.tables[name] = {key: node for key, node in table.items() if node.together or file_of(key) in files}

    def gathered(self) -> set[Lookup]:
        """Everything that was looked up since `begin`, by all the answers that were given."""
        self._gatherings += 1
        return gather([*self.premises], set(self.lookups), self._gatherings)

    def answer(self, name: str, method: Callable[..., Any], asker: Any, arguments: tuple[Any, ...]) -> Any:
        """Find an answer that is not kept. Where the question is unsettled: what is known of it, at first nothing."""
        question = (name, arguments)
        asked = self._unsettled.get(question)
        if asked is not None:
            self._use(asked, asked.place)
            return asked.answer
        if self._depth == 0 and self._starts == 0:
            self._starts = 1
            try:
                return self.answer(name, method, asker, arguments)
            except _TooDeepError as deep:
                return self._from_the_top((name, method, arguments), deep, asker)
            finally:
                self._starts = 0
        if self._depth >= MAX_DEPTH:
            if self._starts < self._most_starts:
                raise _TooDeepError(name, method, arguments)
            self._lowest = 0
            return nothing[name]
        asked = Asked(name, method, asker, arguments, len(self._stack))
        self._unsettled[question] = asked
        self._stack.append(asked)
        start = len(self._waiting)
        lowest = self._evaluated(asked)
        if lowest > asked.place:
            asked.answer = asked.result
            self._stack.pop()
            del self._unsettled[question]
            self._keep(asked, asked.direct, asked.premises)
            return asked.answer
        self._finished += 1
        asked.finished = self._finished
        self._take(asked)
        if lowest == asked.place:
            lowest = self._settled(asked, start)
        if lowest < asked.place:
            self._use(asked, lowest)
        else:
            self._keep_cycle(asked)
        return asked.answer

    def _use(self, asked: Asked, lowest: int) -> None:
        """Note that the question that is being answered uses what is known of another."""
        self._lowest = min(self._lowest, lowest)
        user = self._asking
        if user is not None and user not in asked.users:
            asked.users.add(user)
            user.uses.append(asked)

    def _evaluated(self, asked: Asked) -> int:
        """Answer a question. Returns the place of the first unsettled one that the answer rests on."""
        lookups, premises, recorder = self.lookups, self.premises, self.recorder
        lowest, context, asking = self._lowest, self.context, self._asking
        self.lookups, self.premises = asked.direct, asked.premises = [], []
        self._recorders = self.recorder = self._recorders + 1
        self._lowest, self.context, self._asking = _CLOSED, 0, asked
        self._depth += 1
        try:
            asked.result = asked.method(asked.asker, *asked.question[1])
            return self._lowest
        finally:
            self._depth -= 1
            self.lookups, self.premises, self.recorder = lookups, premises, recorder
            self._lowest, self.context, self._asking = lowest, context, asking

    def _take(self, asked: Asked) -> None:
        """Take the last result for the answer of a question in a cycle. Those that used another are to ask again."""
        answer = carried(asked.result, self.carried)
        before, now = contents(asked.answer), contents(answer)
        if before != now:
            if not isinstance(now, frozenset) or not isinstance(before, frozenset) or not before < now:
                asked.changes += 1
            if asked.changes <= MAX_CHANGES:
                for user in asked.users:
                    if not user.waiting:
                        user.waiting = True
                        self._waiting.append(user)
        asked.answer = answer

    def _settled(self, first: Asked, start: int) -> int:
        """Answer questions of a cycle again, until each answer rests on what the others are: in passes, from those that
        were asked first to those that were answered first, then back, since answers flow both ways.

        first: opened the cycle. start: of `_waiting`, where the cycle's own begin. Returns the place of the first
        question that the cycle rests on: another one where it is part of a larger cycle, which is not settled then.
        """
        place = first.place
        later = self._waiting[start:]  # to be answered in the next pass
        del self._waiting[start:]
        direction = 1
        while later:
            direction = -direction
            left = [(direction * asked.finished, asked) for asked in later]
            heapify(left)
            later = []
            while left:
                now, asked = heappop(left)
                asked.waiting = False
                asked.unuse()
                lowest = self._evaluated(asked)
                self._take(asked)
                if lowest < place:
                    self._waiting += later
                    self._waiting += [asked for _, asked in left]
                    return lowest
                while len(self._waiting) > start:
                    asked = self._waiting.pop()
                    if direction * asked.finished > now:
                        heappush(left, (direction * asked.finished, asked))
                    else:
                        later.append(asked)
        return place

    def _keep_cycle(self, first: Asked) -> None:
        """Keep the answers of a cycle that has settled. Each rests on all that any of them looked up."""
        members = reached(first)
        direct = [lookup for asked in members for lookup in asked.direct]
        premises = [node for asked in members for node in asked.premises]
        node = self._keep(first, list(dict.fromkeys(direct)), list(dict.fromkeys(premises)))
        for asked in members:
            name, arguments = asked.question
            if asked is not first:
                self.tables[name][arguments] = Node(asked.answer, (), (node,), -1)
            if len(members) >= LARGE:
                self.tables[name][arguments].together = True
                self._together += 1
        self._let_go(first.place)

    def _let_go(self, place: int) -> None:
        """Forget unsettled questions, from a place on: as they refer to each other, one by one."""
        for asked in self._stack[place:]:
            self._unsettled.pop(asked.question, None)
            asked.uses = []
            asked.users.clear()
        del self._stack[place:]

    def _keep(self, asked: Asked, direct: list[Lookup], premises: list[Node]) -> Node:
        """Keep an answer, and note it as a premise of what is being answered."""
        name, arguments = asked.question
        node = Node(asked.answer, tuple(direct), tuple(premises), self.recorder)
        self.tables[name][arguments] = node
        if direct or len(premises) > 1:
            self.premises.append(node)
        else:
            self.premises += premises
        return node

    def _from_the_top(self, asked: Any, deep: _TooDeepError, asker: Any) -> Any:
        """The answer to a question that was found too deep: what lies deepest is answered before."""
        pending = [asked, deep.question]
        while True:
            self._clear()
            self._starts += 1
            try:
                result = self.answer(pending[-1][0], pending[-1][1], asker, pending[-1][2])
            except _TooDeepError as deeper:
                pending.append(deeper.question)
                continue
            pending.pop()
            if not pending:
                return result

    def _clear(self) -> None:
        """Forget what is half answered."""
        self._let_go(0)
        self._waiting = []
        self._asking, self._lowest, self._depth = None, _CLOSED, 0


def question(method: Callable[_Arguments, _Answer]) -> Callable[_Arguments, _Answer]:
    """Make a method of a class with a `memo: Memo` attribute memoised by its (positional) arguments."""
    name = method.__name__
    declare(name, method.__annotations__["return"])

    @wraps(method)
    def ask(self: Any, *arguments: Any) -> Any:
        memo = self.memo
        kept = memo.tables[name].get(arguments)
        if kept is None:
            return memo.answer(name, method, self, arguments)
        if kept.recorder != memo.recorder:
            kept.recorder = memo.recorder
            memo.premises.append(kept)
        return kept.answer

    return ask  # type: ignore[return-value]
