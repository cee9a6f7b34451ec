"""`context`: what surrounds an editor's cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from codemap.cli import shared

if TYPE_CHECKING:
    from codemap.render.formats import Format


@click.command()
@click.argument("place", metavar="PATH:LINE")
@click.option(
    "--budget", type=click.IntRange(0), default=2000, show_default=True, metavar="N", help="Tokens of the whole answer."
)
@shared.policy
@shared.as_json
@click.pass_context
def context(context: click.Context, place: str, budget: int, json: bool) -> None:
    """Show the symbol at a line and what has to do with it.

    What it calls, who calls it, its class, the types it uses, its tests: for an editor's cursor.
    """
    from codemap.cli import places

    form: Format = "json" if json else "text"
    with shared.opened(context) as code_map:
        path, line = places.line(code_map.root, place)
        answer = code_map.context(path, line, budget=budget, form=form)
        paths = [answer.symbol.path, *(each.node.path for group in answer.related.values() for each in group)]
        shared.answer(code_map, "context", code_map.render(answer, form), paths)
