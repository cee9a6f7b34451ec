"""Texts to calibrate on, drawn from a repository's own map and sources: what is counted is what will be sent.

The choice depends on the map alone, so that a calibration can be repeated. No part of the third text is in the others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeVar

from codemap.tokens.encodings import units
from indexer.blobs import UnreadableError, read_regular
from indexer.decode import Skip, normalise
from indexer.errors import CodemapError, NotFoundError

if TYPE_CHECKING:
    from pathlib import Path

    from queries.answers import Node, Subgraph

Item = TypeVar("Item")

STEP = 120
"""Sizes are multiples of it, which the usual whole ratios divide: a counter with one of them gives it back exactly."""
SMALL, LARGE, CHECK = 240, 24_000, 12_000  # UTF-16 units
LEAST = 2_400  # of the large and the third text
QUESTIONS = 40
FUNCTIONS = ("function", "method")
FUNCTIONS_SHOWN = 240
BUDGETS = (400, 800, 1600)  # tokens of the answers the texts are made of, in turn
SOURCE_PART = 600  # characters taken of one function


class SmallRepositoryError(CodemapError):
    """There is not enough text to calibrate on."""


class Samples(NamedTuple):
    """Three texts of a kind."""

    small: str
    large: str
    check: str


class Map(Protocol):
    """What is needed of a `codemap.CodeMap`."""

    @property
    def root(self) -> Path: ...

    def symbols(self) -> Iterable[Node]: ...

    def subgraph(self, text: str, *, budget: int, form: Literal["text", "json"]) -> Subgraph: ...

    def render(self, answer: Subgraph, form: Literal["text", "json"]) -> str: ...


def draw(code_map: Map) -> dict[str, Samples]:
    """Samples of every kind in `codemap.tokens.ratios.KINDS`. Raises SmallRepositoryError."""
    symbols = [node for node in code_map.symbols() if node.kind != "module"]
    asked = _spread(symbols, QUESTIONS)
    functions = _spread([node for node in symbols if node.kind in FUNCTIONS], FUNCTIONS_SHOWN)
    return {
        "map": _samples("map", _Answers(code_map, "text"), asked),
        "json": _samples("json", _Answers(code_map, "json"), asked),
        "source": _samples("source", lambda nodes: _sources(code_map.root, nodes), functions),
    }


class _Answers:
    """Renderings of answers to questions about symbols."""

    def __init__(self, code_map: Map, form: Literal["text", "json"]) -> None:
        self._map = code_map
        self._form = form

    def __call__(self, nodes: Sequence[Node]) -> Iterator[str]:
        for index, node in enumerate(nodes):
            words = node.doc or " ".join(re.findall(r"[^\W_]+", node.qualname))
            try:
                answer = self._map.subgraph(words, budget=BUDGETS[index % len(BUDGETS)], form=self._form)
            except NotFoundError:
                continue
            yield self._map.render(answer, self._form)


def _sources(root: Path, nodes: Sequence[Node]) -> Iterator[str]:
    """The source of each function, from its first line."""
    for node in nodes:
        try:
            text = normalise(read_regular(os.path.join(root, node.path)))
        except (OSError, UnreadableError):
            continue
        if not isinstance(text, Skip):
            lines = text[0].decode("utf-8", "replace").split("\n")[node.start_line - 1 : node.end_line]
            yield "\n".join([*lines, ""])[:SOURCE_PART]


def _samples(kind: str, texts: Callable[[Sequence[Item]], Iterator[str]], items: Sequence[Item]) -> Samples:
    """Every third item for the third text, the others for the large one, the last of which begins the small one."""
    large = _gathered(texts([item for index, item in enumerate(items) if index % 3]), LARGE + SMALL)
    check = _gathered(texts(items[::3]), CHECK)
    small, large = _cut(large, SMALL), _cut(large[SMALL:], LARGE)
    check = _cut(check, CHECK)
    if units(small) < SMALL or units(large) < LEAST or units(check) < LEAST:
        raise SmallRepositoryError(f"the repository is too small to calibrate on: it gives too little {kind} text")
    return Samples(small, large, check)


def _gathered(texts: Iterator[str], size: int) -> str:
    parts: list[str] = []
    for text in texts:
        parts.append(text)
        size -= len(text)
        if size <= 0:
            break
    return "".join(parts)


def _cut(text: str, size: int) -> str:
    """The beginning of a text: at most `size` units, a multiple of STEP, no surrogate pair cut."""
    raw = text.encode("utf-16-le", "replace")[: 2 * size]
    raw = raw[: len(raw) // (2 * STEP) * 2 * STEP]
    kept = raw.decode("utf-16-le", "ignore")
    return kept + " " * (len(raw) // 2 - units(kept))


def _spread(items: Sequence[Item], number: int) -> Sequence[Item]:
    """At most `number` items, evenly spaced."""
    return items if len(items) <= number else [items[index * len(items) // number] for index in range(number)]
