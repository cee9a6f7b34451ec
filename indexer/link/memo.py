"""Memoised questions that remember what they looked up, and survive cycles.

A question's answer depends on facts alone, never on which question was asked before it. The questions of a cycle are
answered together: from nothing, then again and again from the answers of the pass before, until a pass changes none of
them. Then all are kept. That is what makes an incremental link equal a clean one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from itertools import islice
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar

from indexer.link.cycles import carried, contents, declare, nothing
from indexer.link.keeping import file_of, files_to_keep
from indexer.link.premises import Lookup, Node, gather

Question: TypeAlias = tuple[str, tuple[Any, ...]]
"""Name of the method, and its arguments."""

MAX_DEPTH: Final = 500
"""Questions open at once. What lies deeper is answered first, on its own. Real code stays below 100; the bound keeps
long files that a program wrote from exhausting the stack."""

MAX_STARTS: Final = 40
"""Questions that are answered first because they lie too deep, for one that is asked. What lies deeper than all of them
reach stays unknown."""

MAX_PASSES: Final = 12
"""Passes over the questions of a cycle. Answers grow from pass to pass, so that two or three do; the bound is for those
that would not settle."""

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
        self._recorders = 0
        self.tables: dict[str, dict[tuple[Any, ...], Node]] = {name: {} for name in nothing}
        """Kept answers by question: arguments → node."""
        self._provisional: dict[Question, tuple[Node, Question]] = {}
        """Answers in a cycle that has not settled, each with the first question it rests on that was open then."""
        self._open: dict[Question, int] = {}
        self._lowest = _CLOSED
        self._starts = 0  # questions begun with nothing open, for the one that is asked
        self._most_starts = starts
        self._cyclic: list[Question] = []  # questions that were asked again while they were open
        self._assumed: dict[Question, Any] = {}  # what those were taken to be: the last pass's answer

    def begin(self) -> None:
        """Forget what was looked up so far; answers stay."""
        self._record()
        self._clear()  # a link that failed leaves some

    def _record(self) -> None:
        self.lookups, self.premises = [], []
        self._recorders += 1
        self.recorder = self._recorders

    def size(self) -> int:
        """How many answers are kept."""
        return sum(map(len, self.tables.values()))

    def forget(self, asked: Mapping[str, int], kept: int) -> None:
        """Drop answers: they are found again when they are asked for.

        asked: how many files have asked something of a file. kept: number of answers that may stay, those about the
        files that most have asked. Answers about files that nobody else asks are most of all.
        """
        files = files_to_keep(self.tables, asked, kept)
        for name, table in self.tables.items():
            self.tables[name] = {key: node for key, node in table.items() if file_of(key) in files}

    def gathered(self) -> set[Lookup]:
        """Everything that was looked up since `begin`, by all the answers that were given."""
        return gather([*self.premises], set(self.lookups))

    def answer(self, name: str, method: Callable[..., Any], asker: Any, arguments: tuple[Any, ...]) -> Any:
        """Find an answer that is not kept. Where the question is being answered already: that of the pass before, at
        first nothing."""
        question = (name, arguments)
        if self._provisional:
            provisional = self._provisional.get(question)
            if provisional is not None:
                node = provisional[0]
                self.premises.append(node)
                self._lowest = min(self._lowest, self._rests_on(question))
                return node.answer
        open_now = self._open
        depth = len(open_now)
        if depth == 0 and self._starts == 0:
            self._starts = 1
            try:
                return self.answer(name, method, asker, arguments)
            except _TooDeepError as deep:
                return self._from_the_top((name, method, arguments), deep, asker)
            finally:
                self._starts = 0
        opened = open_now.setdefault(question, depth)
        if opened != depth:  # it was open before
            self._lowest = min(self._lowest, opened)
            self._cyclic.append(question)
            return self._taken(question)
        if depth >= MAX_DEPTH:
            del open_now[question]
            if self._starts < self._most_starts:
                raise _TooDeepError(name, method, arguments)
            self._lowest = 0
            return nothing[name]
        outer, premises, recorder = self.lookups, self.premises, self.recorder
        outer_lowest, context = self._lowest, self.context
        self.lookups, self.premises = [], []
        self._recorders = self.recorder = self._recorders + 1
        self._lowest, self.context = _CLOSED, 0
        first = len(self._cyclic)
        members: list[tuple[Question, Any]] = []
        try:
            result = method(asker, *arguments)
            if self._lowest == depth:
                result = self._settled(question, method, asker, result, first, members)
        finally:
            del open_now[question]
            lowest, direct, rests_on = self._lowest, self.lookups, self.premises
            self.lookups, self.premises, self.recorder = outer, premises, recorder
            self._lowest, self.context = outer_lowest, context
        if lowest < depth:  # in a cycle, whichever of its questions was asked first
            result = carried(result)
        node = Node(result, tuple(direct), tuple(rests_on), recorder)
        if direct or len(rests_on) > 1:
            premises.append(node)
        else:
            premises += rests_on
        if lowest >= depth:
            self.tables[name][arguments] = node
            for (member, asked), answer in members:
                self.tables[member][asked] = Node(answer, (), (node,), -1)
        else:
            self._provisional[question] = node, next(islice(self._open, lowest, None))
            self._lowest = min(self._lowest, lowest)
        return result

    def _rests_on(self, question: Question) -> int:
        """The depth of the first open question that a provisional answer rests on. The one it was found to rest on may
        itself be answered provisionally by now, and rest on one that was opened before."""
        node, first = self._provisional[question]
        depth = self._open.get(first)
        if depth is None:
            while depth is None:
                first = self._provisional[first][1]
                depth = self._open.get(first)
            self._provisional[question] = node, first
        return depth

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
        self._provisional, self._cyclic, self._assumed = {}, [], {}

    def _settled(
        self,
        opened: Question,
        method: Callable[..., Any],
        asker: Any,
        result: Any,
        first: int,
        settled: list[tuple[Question, Any]],
    ) -> Any:
        """The answer of the question that opened a cycle, once another pass changes no answer of the cycle.

        first: of `_cyclic`, where the cycle's own begin. settled: receives the other questions with their answers;
        each rests on all that any of them looked up.
        """
        depth = self._open[opened]
        members: set[Question] = set()
        for _ in range(MAX_PASSES):
            members.update(self._cyclic[first:])
            del self._cyclic[first:]
            answers = {q: self._provisional[q][0].answer for q in members if q in self._provisional}
            answers[opened] = result = carried(result)
            if all(contents(self._taken(q)) == contents(answer) for q, answer in answers.items()):
                settled += [(q, self._provisional[q][0].answer) for q in self._resting(depth)]
                break
            self._forget(depth)
            self._assumed.update(answers)
            self._record()
            self._lowest, self.context = _CLOSED, 0
            result = method(asker, *opened[1])
            if self._lowest < depth:  # it rests on what was opened before it, too
                self._cyclic += members
                return result
        del self._cyclic[first:]
        self._forget(depth)
        for member in members:
            self._assumed.pop(member, None)
        return result

    def _taken(self, question: Question) -> Any:
        """What an open question is taken to be."""
        return self._assumed.get(question, nothing[question[0]])

    def _forget(self, depth: int) -> None:
        """Drop the answers that rest on questions opened at `depth` or later."""
        if self._provisional:
            for question in self._resting(depth):
                del self._provisional[question]

    def _resting(self, depth: int) -> list[Question]:
        """The questions whose provisional answers rest on none that was opened before `depth`."""
        return [question for question in [*self._provisional] if self._rests_on(question) >= depth]


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
