"""What commands share: opening the map, writing answers, common options."""

from __future__ import annotations

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


@contextmanager
def opened(context: click.Context, *, build: bool = True) -> Iterator[CodeMap]:
    """The map of `--repo`; built first, saying so on standard error, where there is none."""
    from codemap.api import CodeMap

    folder: Path = context.obj
    if not build:
        with CodeMap.open(folder, build=False) as code_map:
            yield code_map
        return
    from codemap.cli.progress import Notices

    with CodeMap.open(folder, progress=Notices(), notice=notice) as code_map:
        yield code_map


def notice(message: str) -> None:
    """A line for the person on standard error; what a program reads is on standard output."""
    print(f"codemap: {escape.line(message)}", file=sys.stderr)


def write(text: str) -> None:
    """An answer, as rendered."""
    sys.stdout.write(text)


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
