"""The tools as a model sees them. Every word here is paid for in every conversation: a test bounds the sum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from codemap.service.questions import ImpactOf, PathOf, Question, RelationsOf, StatusOf, SubgraphOf, SymbolOf

LEAST_BUDGET, MOST_BUDGET = 200, 100_000  # tokens
DEFAULT_BUDGET = 2000

Arguments = dict[str, Any]


class Spec(NamedTuple):
    """A tool: what the model reads of it, and the question that its arguments make."""

    name: str
    description: str
    properties: dict[str, Any]
    required: tuple[str, ...]
    question: Callable[[Arguments], Question]

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments."""
        return {
            "type": "object",
            "properties": {**self.properties, "repo": _REPO},
            "required": list(self.required),
            "additionalProperties": False,
        }


_REPO = {"type": "string", "description": "A path in the repository to ask; default: the open one"}
_BUDGET = {
    "type": "integer",
    "minimum": LEAST_BUDGET,
    "maximum": MOST_BUDGET,
    "description": f"Most tokens to answer with; default {DEFAULT_BUDGET}",
}
_NAME = {"type": "string"}


def _symbol(given: Arguments) -> Question:
    relation = given.get("show", "definition")
    if relation == "definition":
        return SymbolOf(given["name"], given.get("budget", DEFAULT_BUDGET))
    return RelationsOf(given["name"], relation, given.get("budget", DEFAULT_BUDGET))


TOOLS = (
    Spec(
        "subgraph",
        "Use this first, before searching or reading files. Finds the code that matters for a task: pass the issue, "
        "error, stack trace or question. Answers with the relevant files, symbols (line ranges, signatures) and how "
        "they call each other. Uncommitted edits are included.",
        {
            "text": {"type": "string"},
            "budget": _BUDGET,
            "source": {"type": "boolean", "description": "Also show source code where the budget allows"},
            "after": {
                "type": "string",
                "description": "Go on after an answer: what its line `omitted` names as --after",
            },
        },
        ("text",),
        lambda given: SubgraphOf(
            given["text"],
            given.get("budget", DEFAULT_BUDGET),
            include_bodies=given.get("source", False),
            after=given.get("after"),
        ),
    ),
    Spec(
        "symbol",
        "Looks up one function, class or method by name, `login`, `Session.flush` or `shop/auth.py:login`: where it is "
        "defined, or every place that calls it, is called by it, or names it.",
        {
            "name": _NAME,
            "show": {"enum": ["definition", "callers", "callees", "references"], "default": "definition"},
            "budget": _BUDGET,
        },
        ("name",),
        _symbol,
    ),
    Spec(
        "impact",
        "Before or after a change: what depends on it, nearest first, and which tests to run. Without arguments: of "
        "the uncommitted work.",
        {
            "symbols": {"type": "array", "items": _NAME},
            "since": {**_NAME, "description": "A commit: of all that changed since"},
            "budget": _BUDGET,
        },
        (),
        lambda given: ImpactOf(
            tuple(given.get("symbols", ())), given.get("since"), budget=given.get("budget", DEFAULT_BUDGET)
        ),
    ),
    Spec(
        "path",
        "Shows how one symbol reaches another: a shortest chain of calls, imports and inheritance.",
        {"from": _NAME, "to": _NAME, "budget": _BUDGET},
        ("from", "to"),
        lambda given: PathOf(given["from"], given["to"], given.get("budget", DEFAULT_BUDGET)),
    ),
    Spec(
        "map_status",
        "Says what the map of the repository holds, what was skipped and why, and whether it is up to date.",
        {"budget": _BUDGET},
        (),
        lambda given: StatusOf(given.get("budget", DEFAULT_BUDGET)),
    ),
)

BY_NAME = {tool.name: tool for tool in TOOLS}

INSTRUCTIONS = (
    "A map of the code in the repository you work on: files, symbols, calls. Call `subgraph` with the task before you "
    "search or read files; then read only the lines it names. Answers follow your edits."
)
