"""`index`, `update`, `verify`."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import click

from codemap.cli import shared

if TYPE_CHECKING:
    from indexer.pipeline.report import Report

SHOWN_MESSAGES = 5


def _options(command: shared.Command) -> shared.Command:
    for option in (
        click.option(
            "--submodules/--no-submodules",
            default=None,
            help="Whether checked-out submodules are part of the map; default: as the last time, at first not.",
        ),
        click.option("--full", is_flag=True, help="Forget the cache and build from nothing."),
        click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Worker processes; default: one a core."),
    ):
        command = option(command)
    return shared.as_json(command)


@click.command()
@_options
@click.pass_context
def index(context: click.Context, jobs: int | None, full: bool, submodules: bool | None, json: bool) -> None:
    """Build the map, or bring it up to date.

    On a terminal a bar for each stage shows how far it is; the last line says what the map holds.
    """
    _run(context, jobs=jobs, full=full, submodules=submodules, json=json, bars=True)


@click.command()
@_options
@click.pass_context
def update(context: click.Context, jobs: int | None, full: bool, submodules: bool | None, json: bool) -> None:
    """Like `index` without the bar, for hooks and scripts."""
    _run(context, jobs=jobs, full=full, submodules=submodules, json=json, bars=False)


def _run(
    context: click.Context, *, jobs: int | None, full: bool, submodules: bool | None, json: bool, bars: bool
) -> None:
    from codemap.api import CodeMap
    from codemap.cli.progress import watching

    with watching(bars=bars) as progress:
        report = CodeMap.index(context.obj, jobs=jobs, full=full, submodules=submodules, progress=progress)
    _write(report, progress.said, json=json)


def _write(report: Report, said: Collection[str], *, json: bool) -> None:
    from codemap.render import reports

    if json:
        shared.write(reports.json_report(report))
        return
    untold = [message for message in report.messages if message not in said]
    for message in untold[:SHOWN_MESSAGES]:
        shared.notice(message)
    if len(untold) > SHOWN_MESSAGES:
        shared.notice(f"… and {len(untold) - SHOWN_MESSAGES} more such messages; --json has them all")
    shared.write(reports.text_report(report))


@click.command()
@shared.as_json
@click.pass_context
def verify(context: click.Context, json: bool) -> None:
    """Compare the map with one built from nothing.

    The map is brought up to date first; exit code 10 when a row differs.
    """
    from codemap.render import reports
    from indexer.errors import VerificationError

    with shared.opened(context, build=False) as code_map:
        found = code_map.verify()
    if json:
        shared.write(reports.json_verification(found))
    else:
        shared.write(reports.text_verification(found))
    if not found.equal:
        raise VerificationError(
            "the map differs from one built from nothing: run `codemap index --full`, and report it"
        )
