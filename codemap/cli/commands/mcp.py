"""`mcp`."""

from __future__ import annotations

import click

from codemap.cli import shared

CLIENT_NAMES = ("claude-code", "claude-desktop", "codex", "cursor", "gemini", "vscode", "windsurf", "zed")


@click.command()
@click.option(
    "--print-config",
    type=click.Choice(CLIENT_NAMES),
    metavar="CLIENT",
    help=f"Print what to put in a client's configuration instead: {', '.join(CLIENT_NAMES)}.",
)
@click.pass_context
def mcp(context: click.Context, print_config: str | None) -> None:
    """Serve coding agents over MCP, on standard input and output.

    The map is made at the first question and follows the files. Needs the extra `server`.
    """
    if print_config is not None:
        from codemap.mcp.clients import CLIENTS, config

        given = context.parent is not None and context.parent.get_parameter_source("folder")
        chosen = given is click.core.ParameterSource.COMMANDLINE
        shared.write(config(print_config, str(context.obj) if chosen else None))
        client = CLIENTS[print_config]
        shared.notice(f"for {client.title}: put this in {client.place}")
        return
    shared.needs("server", "mcp")
    from codemap.mcp.stdio import serve

    serve(context.obj)
