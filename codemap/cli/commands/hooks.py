"""`hooks install`, `hooks uninstall`, `hooks status`, `hooks run`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from codemap.cli import shared
from indexer.hooks.script import HOOKS

if TYPE_CHECKING:
    from codemap.home import Home
    from indexer.hooks.folder import Folder
    from indexer.hooks.install import Did


@click.group()
def hooks() -> None:
    """Have git bring the map up to date, in the background."""


@hooks.command()
@shared.as_json
@click.pass_context
def install(context: click.Context, json: bool) -> None:
    """Put codemap into the repository's hooks.

    What is there already goes on to run, with its exit status. No file that git sees is written.
    """
    from codemap.home import find
    from indexer.errors import RepositoryError
    from indexer.hooks import folder, install

    home = find(context.obj)
    place = folder.hooks_folder(home.location)
    refused = folder.refusal(place, home.location)
    if refused is not None:
        raise RepositoryError(str(refused))
    _show(home, place, install.install(place.path, install.interpreter()), json=json)


@hooks.command()
@shared.as_json
@click.pass_context
def uninstall(context: click.Context, json: bool) -> None:
    """Take codemap out of the hooks; they are as they were before, byte for byte."""
    from codemap.home import find
    from indexer.errors import RepositoryError
    from indexer.hooks import folder, install, state

    home = find(context.obj)
    place = folder.hooks_folder(home.location)
    refused = folder.refusal(place, home.location)
    if refused is not None and any(hook.state != state.ABSENT for hook in state.hook_states(place.path)):
        raise RepositoryError(f"{refused.why}: take the lines of codemap out of the hooks there yourself")
    _show(home, place, () if refused is not None else install.uninstall(place.path), json=json)


@hooks.command()
@shared.as_json
@click.pass_context
def status(context: click.Context, json: bool) -> None:
    """Show which hooks there are, what they start, and how the last update went."""
    from codemap.home import find
    from indexer.hooks import folder

    home = find(context.obj)
    _show(home, folder.hooks_folder(home.location), (), json=json)


@hooks.command()
@click.argument("hook", type=click.Choice(HOOKS))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@shared.as_json
@click.pass_context
def run(context: click.Context, hook: str, arguments: tuple[str, ...], json: bool) -> None:
    """Do what HOOK does, for hooks that you write yourself; what git gives the hook may follow.

    Starts an update in the background and returns; does nothing where there is no map.
    """
    from codemap.home import find
    from indexer.errors import CodemapError
    from indexer.hooks import detached, folder

    home = find(context.obj)
    if home.location.git_dir is not None and os.path.isfile(home.map):
        try:
            detached.start(hook, str(home.root), home.location.git_dir)
        except OSError as error:
            raise CodemapError(f"no update could be started: {error.strerror or error}") from error
    if json:
        _show(home, folder.hooks_folder(home.location), (), json=True)


def _show(home: Home, place: Folder, did: tuple[Did, ...], *, json: bool) -> None:
    from codemap.render import hooks as rendered
    from indexer.hooks import folder, operations, record, state

    notes = folder.notes(place, home.location)
    operation = operations.under_way(home.location.git_dir) if home.location.git_dir is not None else None
    if operation is not None:
        notes += (f"a {operation} is under way: updates wait for its end, half an hour at most",)
    shown = rendered.Shown(
        root=str(home.root),
        folder=place.path,
        level=place.level,
        hooks=state.hook_states(place.path),
        did=dict(did),
        notes=notes,
        has_map=Path(home.map).is_file(),
        updates=record.entries(home.location.map_dir),
        trouble=record.trouble(home.location.map_dir),
    )
    shared.write(rendered.json_hooks(shown) if json else rendered.text_hooks(shown))
