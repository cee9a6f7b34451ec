"""The two forms an answer about words can take; each measures itself, so that a budget holds for what is printed."""

from __future__ import annotations

from typing import Literal

from queries.answers import Subgraph

Format = Literal["text", "json"]


class Form:
    """A form, with the last answer written in it: who measured an answer asks for its text once more to print it."""

    def __init__(self) -> None:
        self._last: tuple[Subgraph, str] | None = None

    def render(self, subgraph: Subgraph) -> str:
        last = self._last
        if last is None or last[0] is not subgraph:
            self._last = last = subgraph, self._write(subgraph)
        return last[1]

    def _write(self, subgraph: Subgraph) -> str:
        raise NotImplementedError


class Text(Form):
    """For models and people; see `codemap.render.text`."""

    def _write(self, subgraph: Subgraph) -> str:
        from codemap.render import text

        return text.subgraph(subgraph)


class Json(Form):
    """For programs; see `docs/schema/subgraph.json`."""

    def _write(self, subgraph: Subgraph) -> str:
        from codemap.render import json

        return json.subgraph(subgraph)


_FORMS: dict[str, Form] = {"text": Text(), "json": Json()}


def renderer(form: Format) -> Form:
    """The renderer of a form: "text" or "json"."""
    if form not in _FORMS:
        raise ValueError(f"no such form: {form!r}; there are 'text' and 'json'")
    return _FORMS[form]
