"""What commands share: opening the map, writing answers, common options."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from codemap.render import escape

if TYPE_CHECKING:
    from codemap.api import CodeMap

Command = TypeVar("Command", bound=Callable[..., Any])

CHUNK = 1 << 20  # bytes gathered before they are written


def as_json(command: Command) -> Command:
    """The option `--json`, as the argument `json`."""
    return click.option("--json", "json", is_flag=True, help="Answer as JSON; the schemas are in docs/schema.")(command)


def for_model(command: Command) -> Command:
    """The option `--model`: whose tokens are counted; without it, CODEMAP_MODEL or the configuration says."""
    return click.option(
        "--model",
        metavar="NAME",
        envvar="CODEMAP_MODEL",
        help="Count tokens by the calibrated ratio of this model; default: CODEMAP_MODEL.",
    )(command)


def budget(command: Command) -> Command:
    """The option `--budget`; without it, CODEMAP_BUDGET or the configuration says."""
    return click.option(
        "--budget",
        type=click.IntRange(0),
        envvar="CODEMAP_BUDGET",
        metavar="N",
        help="Tokens of the whole answer; default: 4000.",
    )(command)


def policy(command: Command) -> Command:
    """The options `--on-stale` and `--max-age`, which `opened` takes from the context."""

    def keep(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
        context.meta[f"codemap.{parameter.name}"] = value

    def age(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
        from codemap.config.durations import seconds

        try:
            context.meta["codemap.max_age"] = None if value is None else seconds(value)
        except ValueError as error:
            raise click.BadParameter(str(error)) from error

    for option in (
        click.option(
            "--max-age",
            metavar="AGE",
            envvar="CODEMAP_MAX_AGE",
            expose_value=False,
            callback=age,
            help="How far the map may be behind the newest commit, for warn and refuse; default: 1h.",
        ),
        click.option(
            "--on-stale",
            type=click.Choice(("refresh", "warn", "refuse")),
            envvar="CODEMAP_ON_STALE",
            expose_value=False,
            callback=keep,
            help="What to do with a map that is not up to date; default: refresh.",
        ),
    ):
        command = option(command)
    return command


@contextmanager
def opened(context: click.Context, *, build: bool = True) -> Iterator[CodeMap]:
    """The map of `--repo`; built first, saying so on standard error, where there is none."""
    from codemap.api import CodeMap

    folder: Path = context.obj
    if not build:
        with CodeMap.open(folder, build=False) as code_map:
            yield code_map
        return
    from codemap.cli.progress import Notices, Refreshing

    with CodeMap.open(folder, progress=Notices(), notice=notice) as code_map:
        code_map.usual = "refresh"
        code_map.progress = Refreshing()
        code_map.on_stale = context.meta.get("codemap.on_stale")
        code_map.max_age = context.meta.get("codemap.max_age")
        for note in code_map.config.notes:
            notice(note)
        yield code_map


def needs(extra: str, *modules: str) -> None:
    """Raises UsageError, which says how to install it, where a module of an extra is not there."""
    from importlib.util import find_spec

    from indexer.errors import UsageError

    if any(find_spec(module) is None for module in modules):
        raise UsageError(f"this needs the extra `{extra}`: install `codemap-subgraph[{extra}]`")


def notice(message: str) -> None:
    """A line for the person on standard error; what a program reads is on standard output."""
    print(f"codemap: {escape.line(message)}", file=sys.stderr)


def write(text: str) -> None:
    """An answer, as rendered."""
    sys.stdout.write(text)


def answer(code_map: CodeMap, command: str, text: str, paths: Iterable[str]) -> None:
    """An answer that stands for the files `paths`; CODEMAP_METER has its cost noted, see `meter report --map`."""
    write(text)
    if not os.environ.get("CODEMAP_METER"):
        return
    from codemap.tokens.meter import answers
    from indexer.errors import CodemapError

    if answers.wanted():
        try:
            answers.note(command, text, paths, code_map.root, code_map.measure)
        except CodemapError as error:  # the answer is good, whatever becomes of its cost
            notice(f"this answer was not metered: {error}")


def write_lines(lines: Iterable[bytes]) -> None:
    """Many lines of UTF-8, each with its line feed, in few writes."""
    stream = sys.stdout.buffer
    sys.stdout.flush()
    gathered: list[bytes] = []
    size = 0
    for line in lines:
        gathered.append(line)
        size += len(line)
        if size >= CHUNK:
            stream.write(escape.json_bytes(b"".join(gathered)))
            gathered.clear()
            size = 0
    stream.write(escape.json_bytes(b"".join(gathered)))
    stream.flush()
