"""The workers of a run: made when they are first needed, or before, and dismissed with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from indexer.pipeline.workers import Crew


class Workforce:
    """At most one crew at a time. `lock`: descriptor of the writer's lock."""

    def __init__(self, jobs: int, lock: int | None) -> None:
        self._jobs = jobs
        self._lock = lock
        self._crew: Crew | None = None
        self._gone: list[Crew] = []

    def start_early(self) -> None:
        """Start workers that will likely be needed, where that is cheap, so that they load what they need meanwhile."""
        from indexer.pipeline.workers import start_method

        if self._jobs > 1 and start_method() == "fork":
            self.crew(lambda: None, lambda: None)

    def crew(self, close: Callable[[], None], reopen: Callable[[], None]) -> Crew:
        """The crew. `close` and `reopen` are called around the start of a new one, for databases it will open."""
        if self._crew is None:
            from indexer.pipeline.workers import Crew  # multiprocessing takes a while to load

            close()
            try:
                self._crew = Crew(self._jobs, self._lock)
            finally:
                reopen()
        return self._crew

    def alone(self) -> Crew:
        """A worker apart, for what brings workers down. The caller closes it."""
        from indexer.pipeline.workers import Crew

        return Crew(1, self._lock)

    def dismiss(self) -> None:
        """Let the crew go, without waiting for its end, which takes as long as it takes to free its memory."""
        if self._crew is not None:
            self._crew.stop()
            self._gone.append(self._crew)
            self._crew = None

    def __enter__(self) -> Workforce:
        return self

    def __exit__(self, *_: object) -> None:
        self.dismiss()
        for crew in self._gone:
            crew.close()
