"""`history`."""

from __future__ import annotations

import click

from codemap.cli import shared


@click.command()
@click.argument("name")
@click.option("--limit", type=click.IntRange(1), default=10, show_default=True, metavar="N", help="Lines of each list.")
@shared.policy
@shared.as_json
@click.pass_context
def history(context: click.Context, name: str, limit: int, json: bool) -> None:
    """Show when, how often and with what NAME changes.

    NAME is a symbol, or the path of a file.
    """
    from codemap.cli import places
    from codemap.render import history as form
    from queries.named import named_files

    with shared.opened(context) as code_map:
        answer, state = code_map.stated(lambda: code_map.history(places.name(code_map.root, name), limit=limit))
        render = form.json_history if json else form.text_history
        shared.answer(code_map, "history", render(answer, state, code_map.measure), named_files(answer))
