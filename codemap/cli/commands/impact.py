"""`impact`: what depends on a change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from codemap.cli import shared

if TYPE_CHECKING:
    from codemap.render.formats import Format


@click.command()
@click.argument("names", nargs=-1, metavar="[SYMBOL]...")
@click.option(
    "--diff",
    "revision",
    metavar="REV",
    help="What changed since a commit, uncommitted work included; A..B: between two commits.",
)
@shared.budget
@click.option(
    "--hops",
    type=click.IntRange(1, 20),
    default=5,
    show_default=True,
    metavar="N",
    help="How many edges before the change to look.",
)
@shared.policy
@shared.as_json
@click.pass_context
def impact(
    context: click.Context, names: tuple[str, ...], revision: str | None, budget: int | None, hops: int, json: bool
) -> None:
    """Show what depends on symbols or on a change, nearest first.

    Without arguments, on what is not committed. Tests come last, by file.
    """
    from codemap.cli import places

    form: Format = "json" if json else "text"
    with shared.opened(context) as code_map:
        symbols = [places.name(code_map.root, name) for name in names]
        answer = code_map.impact(*symbols, diff=revision, hops=hops, budget=budget, form=form)
        nodes = (*answer.changed, *(each.node for each in (*answer.dependents, *answer.candidates)))
        paths = [*(node.path for node in nodes), *(file.path for file in answer.tests)]
        shared.answer(code_map, "impact", code_map.render(answer, form), paths)
