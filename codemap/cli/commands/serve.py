"""`serve`."""

from __future__ import annotations

from pathlib import Path

import click

from codemap.cli import shared


@click.command()
@click.argument("repositories", nargs=-1, type=click.Path(path_type=Path), metavar="[REPO]...")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Where to listen.")
@click.option("--port", type=click.IntRange(0, 65535), default=7802, show_default=True, metavar="PORT")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="A name clients use; may be repeated.")
@click.option("--workers", type=click.IntRange(1, 64), metavar="N", help="Processes that answer; default: one a core.")
@click.pass_context
def serve(
    context: click.Context,
    repositories: tuple[Path, ...],
    host: str,
    port: int,
    hosts: tuple[str, ...],
    workers: int | None,
) -> None:
    """Serve the map over HTTP, and over MCP at /mcp.

    Needs the extra `server`. Beyond this machine, CODEMAP_TOKEN has to be set: clients send it as a bearer token.
    """
    shared.needs("server", "fastapi", "mcp", "uvicorn")
    from codemap.http.run import serve as run
    from codemap.http.settings import Settings, token_of_environment

    names = tuple(name.lower() for name in hosts)
    settings = Settings(host=host, port=port, token=token_of_environment(), hosts=names)
    shared.notice(f"serving on http://{f'[{host}]' if ':' in host else host}:{port}, described at /docs")
    run(repositories or (context.obj,), settings, workers)
