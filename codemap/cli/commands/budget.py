"""`budget set`, `budget show`, `budget raise`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from codemap.cli import shared

if TYPE_CHECKING:
    from codemap.tokens.meter.values import Verdict


@click.group()
def budget() -> None:
    """Limit the tokens of tasks, and show what is left.

    Input and output have a limit each, and are never added.
    """


@budget.command("set")
@click.argument("task")
@click.argument("limit", type=click.IntRange(0))
@click.option("--output", type=click.IntRange(0), metavar="N", help="Limit of output; default: LIMIT as well.")
@click.option(
    "--warn",
    type=click.IntRange(1, 100),
    default=80,
    show_default=True,
    metavar="PERCENT",
    help="Share of a limit from which on to warn.",
)
@shared.as_json
def set_(task: str, limit: int, output: int | None, warn: int, json: bool) -> None:
    """Allow TASK so many tokens of input, and as many of output.

    What the task has spent stays spent.
    """
    from codemap.tokens.meter.meter import Meter

    with Meter() as own:
        _write([own.set_budget(task, limit, output=output, warn_percent=warn)], json=json)


@budget.command()
@click.argument("task", required=False, metavar="[TASK]")
@shared.as_json
def show(task: str | None, json: bool) -> None:
    """Show what TASK, or every task, has spent and has left.

    A task that has none is an error.
    """
    from codemap.tokens.meter.meter import Meter
    from indexer.errors import NotFoundError

    with Meter() as own:
        found = own.budgets()
    if task is not None:
        chosen = [each for each in found if each.task == task]
        if not chosen:
            from difflib import get_close_matches

            near = tuple(get_close_matches(task, [each.task for each in found]))
            raise NotFoundError(f"{task} has no budget: `codemap budget set` gives it one", near)
        found = tuple(chosen)
    _write(list(found), json=json)


@budget.command("raise")
@click.argument("task")
@click.argument("more", type=click.IntRange(0))
@click.option("--output", type=click.IntRange(0), metavar="N", help="What to add for output; default: MORE as well.")
@shared.as_json
def raise_(task: str, more: int, output: int | None, json: bool) -> None:
    """Allow TASK so many tokens on top.

    They are added to the limit of input, and to that of output.
    """
    from codemap.tokens.meter.meter import Meter

    with Meter() as own:
        _write([own.raise_budget(task, more, output=output)], json=json)


def _write(found: list[Verdict], *, json: bool) -> None:
    from codemap.tokens.meter import render_budgets as render

    shared.write(render.json_budgets(found) if json else render.text_budgets(found))
