"""The command group. A command's module is imported when the command is used or listed, never before."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

from codemap import __version__

COMMANDS = {
    "index": "build:index",
    "update": "build:update",
    "verify": "build:verify",
    "watch": "watch:watch",
    "hooks": "hooks:hooks",
    "subgraph": "subgraph:subgraph",
    "symbol": "symbols:symbol",
    "symbols": "symbols:symbols",
    "definition": "definition:definition",
    "callers": "relations:callers",
    "callees": "relations:callees",
    "references": "relations:references",
    "path": "relations:path",
    "impact": "impact:impact",
    "context": "context:context",
    "edges": "relations:edges",
    "history": "history:history",
    "dependencies": "files:dependencies",
    "dependents": "files:dependents",
    "status": "status:status",
    "measure": "measure:measure",
    "calibrate": "calibrate:calibrate",
    "estimate": "estimate:estimate",
    "meter": "meter:meter",
    "budget": "budget:budget",
    "mcp": "mcp:mcp",
    "serve": "serve:serve",
    "doctor": "doctor:doctor",
    "completion": "completion:completion",
}
"""Command → module and attribute under `codemap.cli.commands`, in the order of `--help`."""

EXIT_CODES = """\
\b
Exit codes:
  0    done
  1    something failed; the message says what to do
  2    the command was called wrongly
  3    no such symbol, file or path; near names are suggested
  4    the name fits several symbols; the choices are listed
  5    no answer fits the budget; the smallest that works is named
  6    the map is older than the caller allows
  7    the folder cannot be mapped
  8    the map cannot be read or written
  9    another run holds the lock
  10   the map differs from one built from nothing
  11   … and was replaced by that one
  130  interrupted
  141  the reader of the output went away
"""


class LazyGroup(click.Group):
    """A group that knows its commands' names, and imports a command only to run or describe it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = COMMANDS.get(cmd_name)
        if place is None:
            return None
        module, attribute = place.split(":")
        command: click.Command = getattr(import_module(f"codemap.cli.commands.{module}"), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1) if args else []
            if not near or near[0] in error.message:
                raise
            raise click.UsageError(f"{error.message.rstrip('.')} (did you mean '{near[0]}'?)", ctx) from error


@click.group(
    cls=LazyGroup,
    epilog=EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--repo",
    "-C",
    "folder",
    metavar="DIR",
    default=".",
    type=click.Path(path_type=Path),
    help="The repository or folder to work on; default: the one around the current folder.",
)
@click.version_option(__version__, message="codemap %(version)s")
@click.pass_context
def app(context: click.Context, folder: Path) -> None:
    """Show the part of a repository that matters for a task.

    `codemap subgraph login timeout` answers with the files, symbols and edges around those words, within a budget.
    """
    context.obj = folder
