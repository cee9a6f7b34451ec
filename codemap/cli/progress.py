"""How an index run shows how far it is: a bar per stage on a terminal, notices alone elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from codemap.render import escape

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID


_MADE = {"extract": "symbols", "link": "edges"}
_COUNTED = {"history": "commits"}
_REFRESH_SECONDS = 0.1
_MANY_FILES = 100


class Notices:
    """Lines for a person on standard error, nothing else."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def begin(self, stage: str, total: int) -> None:
        pass

    def advance(self, stage: str, done: int, made: int) -> None:
        pass

    def say(self, message: str) -> None:
        self.said.append(message)
        self.show(f"codemap: {escape.line(message)}")

    def show(self, line: str) -> None:
        print(line, file=sys.stderr)


class Refreshing(Notices):
    """Of a question's refresh nothing is told, unless it takes long enough to wonder."""

    def begin(self, stage: str, total: int) -> None:
        if stage == "extract" and total >= _MANY_FILES:
            self.say(f"bringing the map up to date first: {total:,} files to read")


class Stages(Notices):
    """A bar for each stage: files done and how many a second, symbols or edges made."""

    def __init__(self, bars: Bars) -> None:
        super().__init__()
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}
        self._shown = 0.0

    def begin(self, stage: str, total: int) -> None:
        self._end_pulsing()
        if stage not in self._tasks:
            self._tasks[stage] = self._bars.add_task(stage, total=total or None, made="")
        else:
            self._bars.update(self._tasks[stage], total=total or None)
        self._bars.refresh()

    def advance(self, stage: str, done: int, made: int) -> None:
        if stage not in self._tasks:
            self.begin(stage, 0)
        noun = _MADE.get(stage)
        self._bars.update(self._tasks[stage], completed=done, made=f"{made:,} {noun}" if noun else "")
        now = time.monotonic()
        if now - self._shown >= _REFRESH_SECONDS:
            self._shown = now
            self._bars.refresh()

    def show(self, line: str) -> None:
        self._bars.console.print(line, markup=False, highlight=False)

    def _end_pulsing(self) -> None:
        """A stage whose size nobody knew is over when the next begins."""
        for task in self._bars.tasks:
            if task.total is None:
                self._bars.update(task.id, total=task.completed or 1, completed=task.completed or 1)


@contextmanager
def watching(*, bars: bool) -> Iterator[Notices]:
    """What to hand a run as its progress; with `bars`, a bar per stage where standard error is a terminal."""
    if not bars or not sys.stderr.isatty():
        yield Notices()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.text import Text

    class Files(ProgressColumn):
        """How many files of how many, and the rate; nothing where files are not counted."""

        def render(self, task: Task) -> Text:
            if not task.total or task.total == 1:
                return Text("")
            speed = task.finished_speed or task.speed
            rate = f", {speed:,.0f} a second" if speed else ""
            noun = _COUNTED.get(task.description, "files")
            return Text(f"{task.completed:,.0f}/{task.total:,.0f} {noun}{rate}")

    columns = (TextColumn("{task.description:>8}"), BarColumn(), Files(), TextColumn("{task.fields[made]}"))
    # Without the thread that would refresh it: a process with threads cannot start its workers by a fork.
    with Progress(*columns, console=Console(stderr=True), auto_refresh=False) as shown:
        yield Stages(shown)
