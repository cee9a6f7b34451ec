"""`callers`, `callees`, `references`, `path`, `edges`."""

from __future__ import annotations

import click

from codemap.cli import shared

EDGE_KINDS = ("contains", "imports", "calls", "inherits", "overrides", "references")


@click.command()
@click.argument("name")
@shared.as_json
@click.pass_context
def callers(context: click.Context, name: str, json: bool) -> None:
    """List the places that call NAME.

    Each is shown with the symbol it is in.
    """
    _relations(context, "callers", name, json=json)


@click.command()
@click.argument("name")
@shared.as_json
@click.pass_context
def callees(context: click.Context, name: str, json: bool) -> None:
    """List what NAME calls."""
    _relations(context, "callees", name, json=json)


@click.command()
@click.argument("name")
@shared.as_json
@click.pass_context
def references(context: click.Context, name: str, json: bool) -> None:
    """List every place that names NAME.

    Calls, imports, subclasses and other uses.
    """
    _relations(context, "references", name, json=json)


def _relations(context: click.Context, relation: str, name: str, *, json: bool) -> None:
    from codemap.cli import places

    with shared.opened(context) as code_map:
        question = {"callers": code_map.callers, "callees": code_map.callees, "references": code_map.references}
        answer = question[relation](places.name(code_map.root, name))
        edges = (*answer.edges, *answer.candidates)
        paths = {node.path for node in answer.symbols}
        paths.update(end.path for edge in edges for end in (edge.source, edge.target))
        state = code_map.staleness(paths)
        if json:
            from codemap.render import json as form

            text = form.relations(relation, answer, state, code_map.measure)
        else:
            from codemap.render import lists

            text = lists.relations(relation, answer, state, code_map.measure)
        shared.answer(code_map, relation, text, paths)


@click.command()
@click.argument("start", metavar="A")
@click.argument("end", metavar="B")
@shared.as_json
@click.pass_context
def path(context: click.Context, start: str, end: str, json: bool) -> None:
    """Show a shortest chain of edges from A to B."""
    from codemap.cli import places

    with shared.opened(context) as code_map:
        answer = code_map.path(places.name(code_map.root, start), places.name(code_map.root, end))
        paths = {node.path for node in answer.nodes}
        state = code_map.staleness(paths)
        if json:
            from codemap.render import json as form

            text = form.route(answer, state, code_map.measure)
        else:
            from codemap.render import lists

            text = lists.route(answer, state, code_map.measure)
        shared.answer(code_map, "path", text, paths)


@click.command()
@click.option("--kind", "kinds", multiple=True, type=click.Choice(EDGE_KINDS), help="Only this kind; may be repeated.")
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
