"""Questions whose answers are held to a budget of tokens, and their text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from codemap.navigation import Navigation

if TYPE_CHECKING:
    from codemap.home import Home
    from codemap.render.formats import Budgeted, Format
    from codemap.tokens.ratios import Ratios
    from indexer.discover.changes import Changes
    from queries.answers import Subgraph
    from queries.effects import Context, Impact
    from queries.session import Session
    from queries.tokens import Measure
    from queries.wish import Wish


class BudgetedAnswers(Navigation):
    """The part of a map that matters for a task, as much of it as the tokens allow."""

    def __init__(
        self,
        home: Home,
        session: Session,
        measure: Measure | None = None,
        notice: Callable[[str], None] | None = None,
    ) -> None:
        from queries.tokens import of_answers

        super().__init__(home, session, notice)
        self.measure = measure if measure is not None else of_answers()

    @property
    def ratios(self) -> Ratios:
        """The models that are calibrated on this repository."""
        from codemap.tokens.ratios import Ratios

        return Ratios(self._home.location.facts_dir)

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
