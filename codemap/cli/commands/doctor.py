"""`doctor`."""

from __future__ import annotations

import click

from codemap.cli import shared


@click.command()
@shared.as_json
@click.pass_context
def doctor(context: click.Context, json: bool) -> None:
    """Say what is installed, what is missing and what to do.

    Looks, and changes nothing. Exit code 1 where something does not work; what is merely missing is no fault.
    """
    from codemap.doctor import examine
    from codemap.render import doctor as render

    found = examine(context.obj)
    shared.write(render.json(found) if json else render.text(found))
    if any(each.state == "wrong" for each in found):
        context.exit(1)
