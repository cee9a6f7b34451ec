"""`symbol`, `symbols`, `definition`."""

from __future__ import annotations

import click

from codemap.cli import shared


@click.command()
@click.argument("name")
@shared.as_json
@click.pass_context
def symbol(context: click.Context, name: str, json: bool) -> None:
    """Show a symbol.

    NAME is `login`, `Session.flush` or `shop/auth.py:login`.
    """
    from codemap.cli import places

    with shared.opened(context) as code_map:
        nodes = code_map.symbol(places.name(code_map.root, name))
        paths = {node.path for node in nodes}
        state = code_map.staleness(paths)
        if json:
            from codemap.render import json as form

            text = form.symbols(nodes, state, code_map.measure)
        else:
            from codemap.render import lists

            text = lists.symbols(nodes, state, code_map.measure)
        shared.answer(code_map, "symbol", text, paths)


@click.command()
@shared.as_json
@click.pass_context
def symbols(context: click.Context, json: bool) -> None:
    """List every symbol, one a line."""
    from codemap.render import lines

    with shared.opened(context) as code_map:
        shared.write_lines((lines.symbol if json else lines.symbol_text)(node) + b"\n" for node in code_map.symbols())


@click.command()
@click.argument("position", metavar="PATH:LINE:COLUMN")
@shared.as_json
@click.pass_context
def definition(context: click.Context, position: str, json: bool) -> None:
    """Show where the name at a position is defined.

    Lines count from 1, columns from 0 in characters.
    """
    from codemap.cli import places

    with shared.opened(context) as code_map:
        place = places.place(code_map.root, position)
        nodes = code_map.definition(*place)
        paths = {node.path for node in nodes}
        if json:
            from codemap.render import json as form

            shared.answer(code_map, "definition", form.definitions(nodes), paths)
        elif nodes:
            from codemap.render import lists

            shared.answer(code_map, "definition", lists.definitions(nodes), paths)
        else:
            shared.notice(f"no definition is known for {position}")
