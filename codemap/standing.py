"""A map, how fresh it is, and what becomes of a question when it is not."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

from codemap.config import Config, load
from codemap.policy import Policy
from indexer.errors import BusyError, CodemapError, NotFoundError, StaleMapError, StoreError
from queries.named import named_files

if TYPE_CHECKING:
    from codemap.config import OnStale
    from codemap.home import Home
    from indexer.pipeline.report import Progress
    from queries.answers import Staleness
    from queries.session import Session

Answer = TypeVar("Answer")

WAIT_SECONDS = 10.0
"""For another run, when a question wants the map refreshed: the old answer, said to be old, is better than none."""

HISTORY_SECONDS = 0.5
"""For the commits since, where history is indexed: what is left is done by the next run that has more time."""


class Standing:
    """What every question to a map goes through.

    on_stale   refresh | warn | refuse; None: what the configuration says, else `usual`
    max_age    seconds that the map may be behind the newest commit; None: what the configuration says
    """

    usual: OnStale = "warn"

    def __init__(self, home: Home, session: Session, notice: Callable[[str], None] | None) -> None:
        self._home = home
        self._session = session
        self._notice = notice
        self._refreshing = threading.Lock()
        self._asking = threading.local()
        self.on_stale: OnStale | None = None
        self.max_age: int | None = None
        self.progress: Progress | None = None  # told how far a refresh is

    @property
    def config(self) -> Config:
        """What the repository's configuration file says now. Raises ConfigError for a mistake in it."""
        return load(self._home.root)

    @property
    def policy(self) -> Policy:
        """What holds for questions now."""
        if self.on_stale is not None and self.max_age is not None:
            return Policy(self.on_stale, self.max_age)
        config = self.config
        return Policy(
            self.on_stale or config.on_stale or self.usual, config.max_age if self.max_age is None else self.max_age
        )

    def staleness(self, paths: Iterable[str] = ()) -> Staleness:
        """Which state of the repository the map speaks of, and which of `paths` differ from disk now."""
        from queries.staleness import staleness

        return staleness(self._session, paths)

    def stated(
        self, question: Callable[[], Answer], also: Iterable[str] = (), *, apart: bool = False
    ) -> tuple[Answer, Staleness]:
        """An answer, and the state of the repository it speaks of: both of one state of the map.

        question   asks this map, as in `lambda: code_map.callers("login")`
        also       files that count beside those that the answer names
        apart      the question chooses itself which state of the map it reads

        A map that is stale by `policy` is refreshed before, told of to `notice`, or a StaleMapError.
        """
        policy = self.policy
        if policy.on_stale == "refresh":
            self.refresh()
        outer = getattr(self._asking, "now", False)
        self._asking.now = True
        try:
            with nullcontext() if apart else self._session.read():
                answer = question()
                found: Any = answer
                own: Staleness | None = getattr(found, "staleness", None)  # of an answer with a budget, which covers it
                state = own or self.staleness({*named_files(found), *also})
        except CodemapError:
            if policy.on_stale != "refresh":
                self._judge(policy, self.staleness())  # what is asked for may be new
            raise
        finally:
            self._asking.now = outer
        self._judge(policy, state)
        return answer, state

    def current(self) -> bool:
        """Whether the map surely knows all that is on disk now; a matter of milliseconds."""
        try:
            with self._session.read() as reader:
                meta = reader.meta()
            return self._home.unchanged(meta)
        except (NotFoundError, StoreError):
            return False

    def refresh(self) -> None:
        """Bring the map up to date if anything has changed. Where that cannot be done `notice` is told, and no more."""
        with self._refreshing:
            if self.current():
                return
            from codemap.refresh import refresh

            try:
                refresh(self._home, wait=WAIT_SECONDS, history=HISTORY_SECONDS, progress=self.progress)
            except (BusyError, StoreError) as error:
                self._tell(f"the map could not be brought up to date: {error}")

    def _asked(self, question: Callable[[], Answer], also: Iterable[str] = (), *, apart: bool = False) -> Answer:
        """The answer alone; just that within `stated`, and where nobody would hear a warning."""
        if getattr(self._asking, "now", False):
            return question()
        if self._notice is None and self.policy.on_stale == "warn":
            return question()
        return self.stated(question, also, apart=apart)[0]

    def _before_stream(self) -> None:
        """What `stated` does, for what is read while it is handed out: every file that has changed counts."""
        policy = self.policy
        if policy.on_stale == "refresh":
            self.refresh()
        elif policy.on_stale == "refuse" or self._notice is not None:
            self._judge(policy, self.staleness(self.changed_files()))

    def changed_files(self) -> set[str]:
        """Mapped files that may have changed since the last update; all where that is not known."""
        from indexer.discover.seen import read

        with self._session.read() as reader:
            mapped = set(reader.paths())
        seen = read(self._home.location.map_dir)
        return mapped if seen is None else mapped.intersection(seen.changed(self._home.location.root))

    def _judge(self, policy: Policy, state: Staleness) -> None:
        complaint = policy.complaint(state)
        if complaint is None:
            return
        if policy.on_stale != "refuse":
            then = ": run `codemap update`, or ask with --on-stale refresh" if policy.on_stale == "warn" else ""
            self._tell(f"the map is stale: {complaint}{then}")
            return
        from codemap.background import start_update

        if start_update(self._home.location):
            then = "it is being brought up to date in the background: ask again, or with --on-stale warn"
        else:
            then = "run `codemap update`, or ask with --on-stale warn"
        raise StaleMapError(f"the map is stale: {complaint}; {then}", state)

    def _tell(self, message: str) -> None:
        if self._notice is not None:
            self._notice(message)
