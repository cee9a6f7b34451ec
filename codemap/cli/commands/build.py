"""`index`, `update`, `verify`."""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from codemap.cli import shared

if TYPE_CHECKING:
    from indexer.pipeline.report import Report
    from indexer.pipeline.verification import Verification

SHOWN_MESSAGES = 5
HISTORY_SECONDS = 2.0
"""For commits, after the map is up to date; what is left is done the next time."""


def _options(command: shared.Command) -> shared.Command:
    for option in (
        click.option(
            "--submodules/--no-submodules",
            default=None,
            help="Whether checked-out submodules are part of the map; default: as the last time, at first not.",
        ),
        click.option("--history", is_flag=True, help="Index all commits that count, however long that takes."),
        click.option("--full", is_flag=True, help="Forget the cache and build from nothing."),
        click.option(
            "--limit",
            type=click.IntRange(1),
            metavar="N",
            help="With --explain: at most N files of each list; default 40.",
        ),
        click.option("--explain", is_flag=True, help="Also say which files were parsed and linked, and why."),
        click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Worker processes; default: one a core."),
    ):
        command = option(command)
    return shared.as_json(command)


class Options(NamedTuple):
    """What `index` and `update` are told."""

    jobs: int | None
    full: bool
    submodules: bool | None
    explain: bool
    limit: int | None
    history: bool
    json: bool

    def shown(self) -> int:
        """How many files of each list are explained."""
        if not self.explain:
            if self.limit is not None:
                raise click.UsageError("--limit goes with --explain")
            return 0
        from codemap.render.explain import SHOWN_FILES

        return self.limit or SHOWN_FILES


@click.command()
@_options
@click.pass_context
def index(context: click.Context, /, **given: Any) -> None:
    """Build the map, or bring it up to date.

    On a terminal a bar for each stage shows how far it is; the last line says what the map holds.
    """
    _run(context, Options(**given), bars=True)


@click.command()
@_options
@click.pass_context
def update(context: click.Context, /, **given: Any) -> None:
    """Like `index` without the bar, for hooks and scripts."""
    _run(context, Options(**given), bars=False)


def _run(context: click.Context, options: Options, *, bars: bool) -> None:
    from codemap.cli.progress import watching
    from codemap.refresh import make

    jobs, full, submodules, *_ = options
    shown = options.shown()
    with watching(bars=bars) as progress:
        report = make(context.obj, jobs=jobs, full=full, submodules=submodules, progress=progress)
    _write(report, progress.said, shown=shown, json=options.json)
    sys.stdout.flush()
    _follow(context, options, bars=bars)


def _follow(context: click.Context, options: Options, *, bars: bool) -> None:
    """Index commits: the map can be asked meanwhile. All of them where a person watches, or asked for it."""
    from codemap.cli.progress import watching
    from codemap.refresh import make_history

    whole = options.history or (bars and sys.stderr.isatty())
    with watching(bars=bars) as progress:
        done = make_history(
            context.obj, seconds=None if whole else HISTORY_SECONDS, anew=options.full, progress=progress
        )
    if done.message:
        shared.notice(done.message)
    elif not done.complete:
        shared.notice(
            f"{done.indexed:,} of {done.window:,} commits are indexed; `codemap index --history` does the rest"
        )


def _write(report: Report, said: Collection[str], *, json: bool, shown: int = 0) -> None:
    """`shown`: files of each list of the explanation, which is left out where 0."""
    from codemap.render import runs

    if json:
        shared.write(runs.json_report(report, shown))
        return
    untold = [message for message in report.messages if message not in said]
    for message in untold[:SHOWN_MESSAGES]:
        shared.notice(message)
    if len(untold) > SHOWN_MESSAGES:
        shared.notice(f"… and {len(untold) - SHOWN_MESSAGES} more such messages; --json has them all")
    if shown:
        from codemap.render import explain

        shared.write(explain.text_explanation(report, shown))
    shared.write(runs.text_report(report))


@click.command()
@click.option("--repair", is_flag=True, help="Where a row differs, replace the map. Says nothing when all is equal.")
@shared.as_json
@click.pass_context
def verify(context: click.Context, repair: bool, json: bool) -> None:
    """Compare the map with one built from nothing.

    The map is brought up to date first; exit code 10 when a row differs, 11 when the map was replaced for that.
    """
    from codemap.render import runs
    from indexer.errors import RepairedError, VerificationError

    found = _verified(context, repair)
    if json:
        shared.write(runs.json_verification(found))
    elif not (repair and found.equal):
        shared.write(runs.text_verification(found))
    if found.repaired:
        raise RepairedError("the map differed from one built from nothing and was replaced by that one: report it")
    if not found.equal:
        raise VerificationError(
            "the map differs from one built from nothing: run `codemap verify --repair`, and report it"
        )


def _verified(context: click.Context, repair: bool) -> Verification:
    if repair:  # also where there is no map, or none that can be opened
        from indexer.pipeline import verify

        return verify(str(context.obj), repair=True)
    with shared.opened(context, build=False) as code_map:
        return code_map.verify()
