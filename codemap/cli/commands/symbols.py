"""`symbol`, `symbols`."""

from __future__ import annotations

import click

from codemap.cli import shared


@click.command()
@click.argument("name")
@shared.policy
@shared.as_json
@click.pass_context
def symbol(context: click.Context, name: str, json: bool) -> None:
    """Show a symbol.

    NAME is `login`, `Session.flush` or `shop/auth.py:login`.
    """
    from codemap.cli import places
    from queries.named import named_files

    with shared.opened(context) as code_map:
        nodes, state = code_map.stated(lambda: code_map.symbol(places.name(code_map.root, name)))
        if json:
            from codemap.render import json as form

            text = form.symbols(nodes, state, code_map.measure)
        else:
            from codemap.render import lists

            text = lists.symbols(nodes, state, code_map.measure)
        shared.answer(code_map, "symbol", text, named_files(nodes))


@click.command()
@shared.policy
@shared.as_json
@click.pass_context
def symbols(context: click.Context, json: bool) -> None:
    """List every symbol, one a line."""
    from codemap.render import lines

    with shared.opened(context) as code_map:
        shared.write_lines((lines.symbol if json else lines.symbol_text)(node) + b"\n" for node in code_map.symbols())
