"""The two forms an answer about words can take; each measures itself, so that a budget holds for what is printed."""

from __future__ import annotations

from typing import Literal

from queries.answers import Subgraph

Format = Literal["text", "json"]


class Text:
    """For models and people; see `codemap.render.text`."""

    def render(self, subgraph: Subgraph) -> str:
        from codemap.render import text

        return text.subgraph(subgraph)


class Json:
    """For programs; see `docs/schema/subgraph.json`."""

    def render(self, subgraph: Subgraph) -> str:
        from codemap.render import json

        return json.subgraph(subgraph)


def renderer(form: Format) -> Text | Json:
    """The renderer of a form: "text" or "json"."""
    if form not in ("text", "json"):
        raise ValueError(f"no such form: {form!r}; there are 'text' and 'json'")
    return Json() if form == "json" else Text()
