"""The two forms an answer with a budget can take; each measures itself, so that a budget holds for what is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from queries.answers import Subgraph

if TYPE_CHECKING:
    from queries.effects import Context, Impact

Budgeted: TypeAlias = "Subgraph | Impact | Context"
"""Answers that are held to a budget."""

Format = Literal["text", "json"]


class Form:
    """A form, with the last answer written in it: who measured an answer asks for its text once more to print it."""

    def __init__(self) -> None:
        self._last: tuple[Budgeted, str] | None = None

    def render(self, answer: Budgeted, /) -> str:
        last = self._last
        if last is None or last[0] is not answer:
            self._last = last = answer, self._write(answer)
        return last[1]

    def _write(self, answer: Budgeted) -> str:
        raise NotImplementedError


class Text(Form):
    """For models and people; see `codemap.render.text`."""

    def _write(self, answer: Budgeted) -> str:
        if isinstance(answer, Subgraph):
            from codemap.render import text

            return text.subgraph(answer)
        from queries.effects import Context

        if isinstance(answer, Context):
            from codemap.render import context

            return context.context(answer)
        from codemap.render import impact

        return impact.impact(answer)


class Json(Form):
    """For programs; see `docs/schema/subgraph.json`."""

    def _write(self, answer: Budgeted) -> str:
        if isinstance(answer, Subgraph):
            from codemap.render import json

            return json.subgraph(answer)
        from queries.effects import Context

        if isinstance(answer, Context):
            from codemap.render import context_json

            return context_json.context(answer)
        from codemap.render import impact_json

        return impact_json.impact(answer)


_FORMS: dict[str, Form] = {"text": Text(), "json": Json()}


def renderer(form: Format) -> Form:
    """The renderer of a form: "text" or "json"."""
    if form not in _FORMS:
        raise ValueError(f"no such form: {form!r}; there are 'text' and 'json'")
    return _FORMS[form]
