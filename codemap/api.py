"""The Python API: a map as an object with the power of the command line."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakSet

from codemap.home import Home, find
from codemap.standing import Standing
from indexer.errors import NotFoundError, StoreError

if TYPE_CHECKING:
    import networkx

    from codemap.config import OnStale
    from codemap.render.formats import Budgeted, Format
    from codemap.tokens.ratios import Ratios
    from indexer.discover.changes import Changes
    from indexer.link import Linker
    from indexer.pipeline.history import Followed
    from indexer.pipeline.report import Progress, Report
    from indexer.pipeline.verification import Verification
    from queries.answers import Defined, Edge, FileRelations, Node, Relations, Route, Subgraph
    from queries.definition import Definitions
    from queries.effects import Context, Impact
    from queries.history import History
    from queries.session import Session
    from queries.status import Status
    from queries.tokens import Measure
    from queries.wish import Wish

    Answer = Subgraph | Relations | Route | FileRelations

Row = TypeVar("Row")

WAIT_SECONDS = 60.0  # for another run that writes the same map


class CodeMap(Standing):
    """The map of one repository or folder.

    A map may be used from several threads: questions take turns. It sees what another process wrote to it, each
    question one state of it. Symbols are named `name`, `Class.name` or `path:name`, files by their path from the root.

    Every question raises NotFoundError or AmbiguousError for a name that does not denote one symbol, StoreError for a
    map that cannot be read, and StaleMapError where stale maps are refused.
    """

    def __init__(
        self,
        home: Home,
        session: Session,
        measure: Measure | None = None,
        notice: Callable[[str], None] | None = None,
    ) -> None:
        from queries.tokens import of_answers

        super().__init__(home, session, notice)
        self._streams: WeakSet[Generator[Any]] = WeakSet()
        self._defining: Definitions | None = None
        self.measure = measure if measure is not None else of_answers()

    @classmethod
    def open(
        cls,
        path: str | Path = ".",
        *,
        build: bool = True,
        measure: Measure | None = None,
        progress: Progress | None = None,
        notice: Callable[[str], None] | None = None,
        on_stale: OnStale | None = None,
        max_age: int | None = None,
    ) -> CodeMap:
        """Open the map of the repository around `path`, or of the folder `path` outside of one.

        build      make the map where there is none or it cannot be read; otherwise that is NotFoundError or StoreError
        measure    how tokens are counted; default: a named heuristic
        progress   told how far a build or a refresh is
        notice     called with one line before a map is built, and where one is stale and answers nevertheless
        on_stale   before a question, `refresh` the map if anything has changed; `warn` that it is stale; `refuse` with
                   StaleMapError, and bring it up to date in the background. None: as the configuration says, else warn
        max_age    seconds that the map may be behind the newest commit before `warn` or `refuse` mind; None: as the
                   configuration says, else an hour

        Raises RepositoryError for a folder that cannot be mapped.
        """
        home = find(path)
        try:
            session = home.open()
        except (NotFoundError, StoreError) as error:
            if not build:
                if isinstance(error, NotFoundError):
                    raise StoreError(f"there is no map of {home.root} yet: run `codemap index`") from error
                raise
            if notice is not None:
                why = "there is no map yet" if isinstance(error, NotFoundError) else str(error).partition(": run ")[0]
                notice(f"{why}: building one of {home.root}")
            cls.index(home.root, progress=progress)
            session = home.open()
        made = cls(home, session, measure, notice)
        made.on_stale, made.max_age, made.progress = on_stale, max_age, progress
        return made

    @staticmethod
    def index(
        path: str | Path,
        *,
        jobs: int | None = None,
        full: bool = False,
        submodules: bool | None = None,
        progress: Progress | None = None,
        wait: float = WAIT_SECONDS,
    ) -> Report:
        """Build or bring up to date the map of `path` without opening it; `update` does so for an open one.

        jobs    worker processes; None: as many as there are processors
        full    forget cached facts and links, build from nothing
        submodules  whether those that are checked out are part of the map; None: as the configuration says, else as the
                    last time, at first not
        wait    seconds to wait for another run before BusyError

        Raises ConfigError for a mistake in the configuration.
        """
        from codemap.config import load
        from indexer.pipeline import update

        if submodules is None:
            submodules = load(find(path).root).submodules
        return update(str(path), jobs=jobs, full=full, submodules=submodules, progress=progress, wait=wait)

    @staticmethod
    def index_history(
        path: str | Path, *, seconds: float | None = None, anew: bool = False, progress: Progress | None = None
    ) -> Followed:
        """Index the commits of the repository around `path`, newest first, after its map has been built.

        seconds   how long that may take; None: until it is done. What is left is done the next time
        anew      trust nothing that is kept

        As many commits count as the configuration says. Raises ConfigError for a mistake in it.
        """
        from codemap.config import load
        from indexer.pipeline import follow

        commits = load(find(path).root).history
        return follow(str(path), commits=commits, anew=anew, seconds=seconds, progress=progress)

    @property
    def root(self) -> Path:
        """Folder of the sources; paths in answers are relative to it."""
        return self._home.root

    @property
    def session(self) -> Session:
        """What the functions of `queries` take as their first argument."""
        return self._session

    @property
    def map_path(self) -> Path:
        """File of the map."""
        return Path(self._home.map)

    @property
    def ratios(self) -> Ratios:
        """The models that are calibrated on this repository."""
        from codemap.tokens.ratios import Ratios

        return Ratios(self._home.location.facts_dir)

    def close(self) -> None:
        for stream in list(self._streams):
            stream.close()
        if self._defining is not None:
            self._defining.forget()
        self._session.close()

    def __enter__(self) -> CodeMap:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # keeping it true

    def update(
        self,
        *,
        jobs: int | None = None,
        full: bool = False,
        submodules: bool | None = None,
        progress: Progress | None = None,
        wait: float = WAIT_SECONDS,
    ) -> Report:
        """Bring the map up to date with the working tree; see `index` for the arguments."""
        return self.index(self.root, jobs=jobs, full=full, submodules=submodules, progress=progress, wait=wait)

    def verify(
        self, *, repair: bool = False, jobs: int | None = None, progress: Progress | None = None
    ) -> Verification:
        """Bring the map up to date, build another from nothing and compare the two, row for row.

        repair   where they differ, the clean map takes the place of this one, at once and for every reader
        """
        from indexer.pipeline import verify

        return verify(str(self.root), repair=repair, jobs=jobs, progress=progress)

    # questions

    def subgraph(
        self,
        text: str,
        *,
        budget: int | None = None,
        hops: int | None = None,
        include_bodies: bool = False,
        expand: Iterable[str] = (),
        after: str | None = None,
        explain: bool = False,
        form: Format = "text",
        model: str | None = None,
    ) -> Subgraph:
        """The symbols, files and edges that matter for some words, an issue text or a stack trace.

        budget           tokens that `render(answer, form)` may cost at most
        hops             how far from the symbols the words match
        include_bodies   show source where the budget allows it
        expand           names of symbols, more of whose neighbours are shown
        after            `omitted.after` of an answer to the same words, hops and `expand`: go on where that ended
        explain          say for each symbol what brought it in
        model            count, and hold the budget, as this model's provider does; it has to be calibrated here; "":
                         by `measure`

        Where budget, hops or model are None, `config` says.

        Raises BudgetTooSmallError, which names the smallest budget that works, NotFoundError for a model that is not
        calibrated, and UsageError for a cursor of another question or map.
        """
        from queries.wish import Wish

        wish = Wish(tuple(expand), after, explain)
        return self._asked(lambda: self._subgraph(text, budget, hops, include_bodies, wish, form, model))

    def _subgraph(
        self,
        text: str,
        budget: int | None,
        hops: int | None,
        include_bodies: bool,
        wish: Wish,
        form: Format,
        model: str | None,
    ) -> Subgraph:
        from codemap.render.formats import renderer
        from queries.subgraph import subgraph

        config = self.config
        budget = config.budget if budget is None else budget
        hops = config.hops if hops is None else hops
        if model := config.model if model is None else model:
            from codemap.tokens import ratios_budget

            return ratios_budget.subgraph(
                self._session,
                text,
                budget=budget,
                hops=hops,
                include_bodies=include_bodies,
                wish=wish,
                calibration=self.ratios.of(model),
                form=form,
                renderer=renderer(form),
            )

        return subgraph(
            self._session,
            text,
            budget=budget,
            hops=hops,
            include_bodies=include_bodies,
            wish=wish,
            measure=self.measure,
            renderer=renderer(form),
        )

    def impact(
        self,
        *names: str,
        diff: str | None = None,
        hops: int = 5,
        budget: int | None = None,
        form: Format = "text",
    ) -> Impact:
        """What depends on symbols, or on a change, nearest first; tests apart.

        names    symbols; a class or a file stands for all that is in it
        diff     a commit: what differs from it now; `A..B`: what differs between two; None: without names, what is not
                 committed
        hops     edges between a symbol and the change, at most
        budget   tokens that `render(answer, form)` may cost at most; None: `config` says

        Raises UsageError for a commit that is not there, or without names outside of git; BudgetTooSmallError.
        """
        from codemap.render.formats import renderer
        from queries.impact import impact

        def changes() -> Changes:
            from indexer.discover.changes import changes
            from indexer.languages import language_of

            return changes(self._home.location, diff, lambda path: language_of(path) is not None)

        def ask() -> Impact:
            return impact(
                self._session,
                names,
                None if names and diff is None else changes,
                of=None if diff is None else f"changes {diff}" if ".." in diff else f"changes since {diff}",
                hops=hops,
                budget=self.config.budget if budget is None else budget,
                measure=self.measure,
                renderer=renderer(form),
            )

        return self._asked(ask)

    def context(self, path: str, line: int, *, budget: int = 2000, form: Format = "text") -> Context:
        """The innermost symbol around a line, what it calls, who calls it, its class, its types and its tests.

        line     from 1
        budget   tokens that `render(answer, form)` may cost at most

        Raises NotFoundError for a file or line that is not there, BudgetTooSmallError.
        """
        from codemap.render.formats import renderer
        from queries.context import context

        measure, shown = self.measure, renderer(form)
        return self._asked(lambda: context(self._session, path, line, budget=budget, measure=measure, renderer=shown))

    @staticmethod
    def render(answer: Budgeted, form: Format = "text") -> str:
        """An answer with a budget, as it was measured: text, or JSON after its schema in `docs/schema`."""
        from codemap.render.formats import renderer

        return renderer(form).render(answer)

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

                return open_linker(str(self.root))

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
