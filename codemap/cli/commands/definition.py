"""`definition`, of one position or of many."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import click

from codemap.cli import shared

if TYPE_CHECKING:
    from codemap.api import CodeMap
    from codemap.cli.positions import Position
    from indexer.errors import CodemapError
    from queries.answers import Node, Staleness


@click.command()
@click.argument("position", metavar="PATH:LINE:COLUMN")
@shared.policy
@shared.as_json
@click.pass_context
def definition(context: click.Context, position: str, json: bool) -> None:
    """Show where the name at a position is defined.

    Lines count from 1, columns from 0 in characters. `-` reads positions from standard input, one a line, and answers
    each as it arrives.
    """
    from codemap.cli.positions import STANDARD_INPUT

    with shared.opened(context) as code_map:
        if position == STANDARD_INPUT:
            with _rare_collection():
                context.exit(_many(code_map, json=json))
        _one(code_map, position, json=json)


def _one(code_map: CodeMap, position: str, *, json: bool) -> None:
    from codemap.cli import places

    place = places.place(code_map.root, position)
    nodes, state = code_map.stated(lambda: code_map.definition(*place), [place.path], apart=True)
    paths = {node.path for node in nodes}
    if json:
        from codemap.render import json as form

        shared.answer(code_map, "definition", form.definitions(nodes), paths)
    elif nodes:
        from codemap.render import lists

        shared.answer(code_map, "definition", lists.definitions(nodes), paths)
    else:
        shared.notice(f"no definition is known for {position}")
    if not state.fresh and code_map.policy.complaint(state) is None:  # let pass, and the list has no room for it
        shared.notice(f"NOT FRESH: {state.reason}")


def _many(code_map: CodeMap, *, json: bool) -> int:
    """Answer the lines of standard input as they arrive; gives the exit code, that of the first bad line."""
    from codemap.cli.positions import arriving, standard_input

    if json:
        from codemap.render.json import definition_line as render
    else:
        from codemap.render.lists import definition_block as render
    count = bad = code = 0
    named: set[str] = set()
    for positions in arriving(standard_input(), code_map.root):
        answers = list(_answers(code_map, positions))
        text = "".join([render(each.text, each.nodes, each.error, each.state) for each in answers])
        paths = {path for each in answers for path in each.paths}
        shared.answer(code_map, "definition", text, paths)
        sys.stdout.flush()  # who asks may hold the pipe open and wait
        named |= paths
        errors = [each.error for each in answers if each.error is not None]
        if errors and not bad:
            code = errors[0].exit_code
        count, bad = count + len(answers), bad + len(errors)
    if count and not json:
        from codemap.render.lists import state_line

        shared.write(state_line(code_map.staleness(named)))
    if not count:
        shared.notice("standard input holds no position: write one PATH:LINE:COLUMN a line")
    if bad:
        shared.notice(f"{bad:,} of {count:,} positions could not be asked about")
    return code


@contextmanager
def _rare_collection() -> Iterator[None]:
    """Seldom look for garbage: nearly all that is read is kept, and searching it took a third of the time."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


class _Answer(NamedTuple):
    text: str  # the line
    nodes: tuple[Node, ...]
    error: CodemapError | None
    state: Staleness
    paths: tuple[str, ...] = ()  # files it speaks of


def _answers(code_map: CodeMap, positions: Sequence[Position]) -> Iterator[_Answer]:
    from indexer.errors import CodemapError

    found = code_map.definitions([each.place for each in positions if not isinstance(each.place, CodemapError)])
    unread: Staleness | None = None
    for text, place in positions:
        if isinstance(place, CodemapError):
            unread = unread or code_map.staleness()
            yield _Answer(text, (), place, unread)
            continue
        answer = next(found)
        paths = () if answer.error is not None else (answer.path, *(node.path for node in answer.nodes))
        yield _Answer(text, answer.nodes, answer.error, answer.staleness, paths)
