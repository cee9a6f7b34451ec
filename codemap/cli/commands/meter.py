"""`meter record`, `meter import`, `meter report`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from codemap.cli import shared

LIMIT = 64 << 20  # bytes of a response


def _whose(command: shared.Command) -> shared.Command:
    for option in (
        click.option("--caller", metavar="NAME", help="Who made the calls; default: CODEMAP_CALLER."),
        click.option("--task", metavar="TASK", help="What they were made for; default: CODEMAP_TASK."),
    ):
        command = option(command)
    return command


@click.group()
def meter() -> None:
    """Record what calls of models cost, and report it.

    The ledger is CODEMAP_LEDGER, else a file in your data folder.
    """


@meter.command()
@click.argument("file", required=False, default="-", metavar="[FILE]")
@_whose
@click.option("--model", metavar="MODEL", help="Where the response does not name it.")
@click.option("--request-id", metavar="ID", help="Where the response bears none.")
@click.option("--estimated", is_flag=True, help="The figures are an estimate, not the provider's.")
@shared.as_json
def record(
    file: str,
    task: str | None,
    caller: str | None,
    model: str | None,
    request_id: str | None,
    estimated: bool,
    json: bool,
) -> None:
    """Record a provider's response.

    FILE or standard input holds its JSON, or the events of its stream. OpenAI, Anthropic and Gemini are understood. A
    response that was recorded before adds nothing.
    """
    from dataclasses import replace

    from codemap.tokens.meter import render
    from codemap.tokens.meter.meter import Meter
    from codemap.tokens.meter.stream import usage_in

    usage = usage_in(_input(file))
    if estimated:
        usage = replace(usage, basis="estimated")
    with Meter() as own:
        recorded = own.record(usage, task=task, caller=caller, model=model, request_id=request_id)
    if not recorded.identified:
        shared.notice("the response bears no id: recorded again, it counts again (--request-id names it)")
    shared.write(render.json_recorded(recorded) if json else render.text_recorded(recorded))


@meter.command("import")
@click.option("--codex", type=click.Path(path_type=Path), metavar="FILE", help="A rollout of Codex.")
@click.option("--claude", type=click.Path(path_type=Path), metavar="FILE", help="A session of Claude Code.")
@click.option("--session", metavar="ID", help="The session in the file; needed for Codex.")
@_whose
@shared.as_json
def import_(
    codex: Path | None, claude: Path | None, session: str | None, task: str | None, caller: str | None, json: bool
) -> None:
    """Record the calls of a coding agent's session log.

    One file and one session, named by you: nothing is looked for. What the log does not tell is said. Calls that were
    imported before add nothing.
    """
    from codemap.tokens.meter import render, sessions
    from codemap.tokens.meter.meter import Meter
    from indexer.errors import UsageError

    if (codex is None) == (claude is None):
        raise UsageError("name one file: --codex FILE --session ID, or --claude FILE")
    if codex is not None:
        if session is None:
            raise UsageError("name the session that the rollout is of: --session ID")
        found = sessions.codex(codex, session)
    else:
        assert claude is not None
        found = sessions.claude(claude, session)
    default = {"codex": "codex", "claude": "claude-code"}[found.agent]
    with Meter() as own:
        counts = own.record_all(found.calls, task=task, caller=caller or own.caller or default)
    shared.write(render.json_import(found, *counts) if json else render.text_import(found, *counts))


@meter.command()
@click.option("--by", metavar="KEY", help="task (the default), model, caller or day; with --map also command.")
@click.option("--since", metavar="DAY", help="From a day on, as 2025-01-31 (UTC); default: the 90 days kept.")
@click.option("--task", metavar="TASK", help="Only this task.")
@click.option("--map", "answers", is_flag=True, help="Answers of the map against the files they stand for.")
@click.option("--csv", is_flag=True, help="Answer as CSV.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Draw it as SVG in FILE.")
@shared.as_json
def report(
    by: str | None, since: str | None, task: str | None, answers: bool, csv: bool, plot: Path | None, json: bool
) -> None:
    """Show what calls cost.

    Input and output stand apart, and so do what came from a cache, went into one, or was reasoning. What is not known
    is shown as `?`, never as zero.
    """
    from codemap.tokens.meter import render
    from codemap.tokens.meter.meter import Meter
    from indexer.errors import UsageError

    if csv and json:
        raise UsageError("choose one of --csv and --json")
    if answers and plot is not None:
        raise UsageError("--plot draws calls, not answers of the map")
    with Meter() as own:
        if answers:
            spared = own.map_report(by or "task", since=since, task=task)
            form = render.json_map if json else render.csv_map if csv else render.text_map
            shared.write(form(spared))
            return
        found = own.report(by or "task", since=since, task=task)
    if plot is not None:
        from codemap.tokens.meter.plot import svg

        plot.write_text(svg(found), encoding="utf-8")
        shared.notice(f"drawn in {plot}")
    shared.write(render.json_report(found) if json else render.csv_report(found) if csv else render.text_report(found))


def _input(file: str) -> bytes:
    """What FILE or standard input holds. Raises UsageError where it is nothing, or too much."""
    from indexer.errors import UsageError

    if file == "-":
        if sys.stdin is None or sys.stdin.closed or sys.stdin.isatty():
            raise UsageError("give a file, or pipe a provider's response in")
        data = sys.stdin.buffer.read(LIMIT + 1)
    else:
        with open(file, "rb") as stream:
            data = stream.read(LIMIT + 1)
    if len(data) > LIMIT:
        raise UsageError(f"a response has at most {LIMIT >> 20} MB")
    return data
