"""`callers`, `callees`, `references`, `path`, `edges`."""

from __future__ import annotations

import click

from codemap.cli import shared

EDGE_KINDS = ("contains", "imports", "calls", "inherits", "overrides", "references", "changes_with")


@click.command()
@click.argument("name")
@shared.policy
@shared.as_json
@click.pass_context
def callers(context: click.Context, name: str, json: bool) -> None:
    """List the places that call NAME.

    Each is shown with the symbol it is in.
    """
    _relations(context, "callers", name, json=json)


@click.command()
@click.argument("name")
@shared.policy
@shared.as_json
@click.pass_context
def callees(context: click.Context, name: str, json: bool) -> None:
    """List what NAME calls."""
    _relations(context, "callees", name, json=json)


@click.command()
@click.argument("name")
@shared.policy
@shared.as_json
@click.pass_context
def references(context: click.Context, name: str, json: bool) -> None:
    """List every place that names NAME.

    Calls, imports, subclasses and other uses.
    """
    _relations(context, "references", name, json=json)


def _relations(context: click.Context, relation: str, name: str, *, json: bool) -> None:
    from codemap.cli import places
    from queries.named import named_files

    with shared.opened(context) as code_map:
        question = {"callers": code_map.callers, "callees": code_map.callees, "references": code_map.references}
        answer, state = code_map.stated(lambda: question[relation](places.name(code_map.root, name)))
        if json:
            from codemap.render import json as form

            text = form.relations(relation, answer, state, code_map.measure)
        else:
            from codemap.render import lists

            text = lists.relations(relation, answer, state, code_map.measure)
        shared.answer(code_map, relation, text, named_files(answer))


@click.command()
@click.argument("start", metavar="A")
@click.argument("end", metavar="B")
@shared.policy
@shared.as_json
@click.pass_context
def path(context: click.Context, start: str, end: str, json: bool) -> None:
    """Show a shortest chain of edges from A to B."""
    from codemap.cli import places
    from queries.named import named_files

    with shared.opened(context) as code_map:
        ends = places.name(code_map.root, start), places.name(code_map.root, end)
        answer, state = code_map.stated(lambda: code_map.path(*ends))
        if json:
            from codemap.render import json as form

            text = form.route(answer, state, code_map.measure)
        else:
            from codemap.render import lists

            text = lists.route(answer, state, code_map.measure)
        shared.answer(code_map, "path", text, named_files(answer))


@click.command()
@click.option("--kind", "kinds", multiple=True, type=click.Choice(EDGE_KINDS), help="Only this kind; may be repeated.")
@shared.policy
@shared.as_json
@click.pass_context
def edges(context: click.Context, kinds: tuple[str, ...], json: bool) -> None:
    """List every edge, one a line.

    Candidates are included; the order is stable.
    """
    from codemap.render.lines import EdgeLines

    with shared.opened(context) as code_map:
        lines = EdgeLines()
        shared.write_lines(map(lines.json if json else lines.text, code_map.edges(kinds or None)))
