"""Questions about names, places and the graph: answers that say all there is."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakSet

from codemap.standing import Standing

if TYPE_CHECKING:
    import networkx

    from codemap.home import Home
    from indexer.link import Linker
    from queries.answers import Edge, Node, Subgraph
    from queries.definition import Definitions
    from queries.history import History
    from queries.relations import Defined, FileRelations, Relations, Route
    from queries.session import Session
    from queries.status import Status

    Answer = Subgraph | Relations | Route | FileRelations

Row = TypeVar("Row")


class Navigation(Standing):
    """Where names are defined, what is around them, and the whole graph."""

    def __init__(self, home: Home, session: Session, notice: Callable[[str], None] | None) -> None:
        super().__init__(home, session, notice)
        self._streams: WeakSet[Generator[Any]] = WeakSet()
        self._defining: Definitions | None = None

    def close(self) -> None:
        """Let go of the map; streams that are half read end."""
        for stream in list(self._streams):
            stream.close()
        if self._defining is not None:
            self._defining.forget()
        self._session.close()

    def symbol(self, name: str) -> tuple[Node, ...]:
        """The symbol a name denotes; several where one file defines it several times."""
        from queries.navigate import one_symbol

        return self._asked(lambda: one_symbol(self._session, name))

    def find(self, name: str) -> tuple[Node, ...]:
        """Every symbol a name may denote, in path order; empty where there is none."""
        from queries.navigate import find_symbols

        return self._asked(lambda: find_symbols(self._session, name))

    def callers(self, name: str) -> Relations:
        """Calls of a symbol, each with the symbol it is made in."""
        from queries.navigate import callers

        return self._asked(lambda: callers(self._session, name))

    def callees(self, name: str) -> Relations:
        """Calls made in a symbol."""
        from queries.navigate import callees

        return self._asked(lambda: callees(self._session, name))

    def references(self, name: str) -> Relations:
        """Every place that names a symbol: calls, imports, subclasses and other uses."""
        from queries.navigate import references

        return self._asked(lambda: references(self._session, name))

    def history(self, name: str, *, limit: int = 10) -> History:
        """When, how often and with what a symbol changes, or a file, by its path.

        limit   commits, and things that change with it, that the answer holds at most
        """
        from queries.history import history

        return self._asked(lambda: history(self._session, name, limit=limit))

    def dependencies(self, path: str) -> FileRelations:
        """The files that a file depends on."""
        from queries.files import dependencies

        return self._asked(lambda: dependencies(self._session, path))

    def dependents(self, path: str) -> FileRelations:
        """The files that depend on a file."""
        from queries.files import dependents

        return self._asked(lambda: dependents(self._session, path))

    def path(self, start: str, end: str) -> Route:
        """A shortest chain of edges between two symbols. Raises NotFoundError where there is none."""
        from queries.route import path_between

        return self._asked(lambda: path_between(self._session, start, end))

    def definition(self, path: str, line: int, column: int) -> tuple[Node, ...]:
        """What the name at a place denotes; empty if not known. Lines from 1, columns from 0, in characters."""
        from queries.definition import Place

        return self._asked(lambda: self._definitions().one(Place(path, line, column)), [path], apart=True)

    def definitions(self, places: Iterable[tuple[str, int, int]]) -> Iterator[Defined]:
        """What `definition` answers for each of many places, in order, as it is asked for.

        What is wrong with a place, as a line that its file does not have, is in its answer and ends nothing. Every
        answer says how fresh it is; some dozens are made at once.
        """
        from queries.definition import Place

        policy = self.policy
        if policy.on_stale == "refresh":
            self.refresh()
        answers = self._definitions().many(Place(*place) for place in places)
        if policy.on_stale != "refuse":
            return answers

        def judged() -> Iterator[Defined]:
            for each in answers:
                self._judge(policy, each.staleness)
                yield each

        return judged()

    def _definitions(self) -> Definitions:
        if self._defining is None:
            from queries.definition import Definitions

            def linker() -> Linker:
                from indexer.pipeline import open_linker

                return open_linker(str(self._home.root))

            self._defining = Definitions(self._session, linker)
        return self._defining

    def status(self) -> Status:
        """What the map holds, and the state every reference ended in."""
        from queries.status import status

        return status(self._session)

    def edges(self, kinds: Iterable[str] | None = None) -> Generator[Edge]:
        """Every edge, candidates included, in a stable order: what contains what, then all else; `kinds` chooses.

        Other threads wait until the iterator is used up or closed.
        """
        from queries.contained import every_edge

        return self._streamed(every_edge(self._session, kinds))

    def symbols(self) -> Generator[Node]:
        """Every symbol, by path and line. Other threads wait until the iterator is used up or closed."""
        from queries.navigate import all_symbols

        return self._streamed(all_symbols(self._session))

    def _streamed(self, rows: Iterator[Row]) -> Generator[Row]:
        """Rows read as they are asked for; `close` ends what is still being read."""

        def stream() -> Generator[Row]:
            yield from rows

        self._before_stream()
        made = stream()
        self._streams.add(made)
        return made

    def graph(self, answer: Answer | None = None) -> networkx.MultiDiGraph:
        """An answer as a networkx graph, or the whole map; see `queries.graph` for what nodes and edges bear."""
        from queries.graph import graph, whole

        return whole(self._session) if answer is None else graph(answer)
