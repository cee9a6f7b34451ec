"""`watch`."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from codemap.cli import shared

if TYPE_CHECKING:
    from codemap.watch.events import Event

_QUIET = frozenset({"failed", "polling"})


@click.command()
@click.option("--quiet", is_flag=True, help="Tell only what goes wrong.")
@shared.as_json
@click.pass_context
def watch(context: click.Context, quiet: bool, json: bool) -> None:
    """Keep the map up to date while files change, until stopped.

    One line for each refresh. Control-C or SIGTERM ends it.
    """
    shared.needs("watch", "watchfiles")
    from codemap.home import find
    from codemap.render import watch as form
    from codemap.watch.follow import follow

    def tell(event: Event) -> None:
        if not quiet or event.kind in _QUIET:
            shared.write(form.json(event) if json else form.text(event))
            sys.stdout.flush()  # who reads may wait for the line

    signal.signal(signal.SIGTERM, _stop)
    follow(find(context.obj), tell)


def _stop(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt
