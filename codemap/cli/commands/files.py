"""`dependencies`, `dependents`."""

from __future__ import annotations

import click

from codemap.cli import shared


@click.command()
@click.argument("file")
@shared.policy
@shared.as_json
@click.pass_context
def dependencies(context: click.Context, file: str, json: bool) -> None:
    """List the files that FILE depends on."""
    _files(context, "dependencies", file, json=json)


@click.command()
@click.argument("file")
@shared.policy
@shared.as_json
@click.pass_context
def dependents(context: click.Context, file: str, json: bool) -> None:
    """List the files that depend on FILE."""
    _files(context, "dependents", file, json=json)


def _files(context: click.Context, relation: str, file: str, *, json: bool) -> None:
    from codemap.cli import places
    from queries.named import named_files

    with shared.opened(context) as code_map:
        question = code_map.dependencies if relation == "dependencies" else code_map.dependents
        answer, state = code_map.stated(lambda: question(places.relative(code_map.root, file)))
        if json:
            from codemap.render import json as form

            text = form.files(relation, answer, state, code_map.measure)
        else:
            from codemap.render import lists

            text = lists.files(relation, answer, state, code_map.measure)
        shared.answer(code_map, relation, text, named_files(answer))
