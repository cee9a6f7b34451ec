"""One open map, for any number of questions."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

from indexer.errors import NotFoundError
from indexer.store.history_reader import HistoryReader
from indexer.store.history_schema import HISTORY_NAME
from indexer.store.neighbours import Neighbours
from indexer.store.postings import Postings
from indexer.store.reader import Reader
from queries.staleness import Present


class Session:
    """Reads one map. Each question sees one state of it; a map replaced by another file is opened anew.

    root      folder of the sources, for what is compared with disk
    current   what the repository is now; None where that is not known
    """

    def __init__(self, reader: Reader, root: str, current: Callable[[], Present] | None) -> None:
        self.root = root
        self._current = current
        self._lock = threading.RLock()
        self._depth = 0
        self._reader = reader
        self._identity = _identity(reader.path)
        self._postings: Postings | None = None
        self._counted: tuple[int, int, dict[str, int]] | None = None
        self._neighbours: tuple[int, Neighbours] | None = None
        self._history: HistoryReader | None = None
        self._history_identity: tuple[int, int] | None = None

    @classmethod
    def open(cls, map_path: str, root: str, *, current: Callable[[], Present] | None = None) -> Session:
        """Open the map at `map_path`.

        Raises NotFoundError where there is none, StoreError where it is damaged or of another version.
        """
        return cls(Reader.open(map_path), root, current)

    def close(self) -> None:
        self._reader.close()
        if self._history is not None:
            self._history.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def present(self) -> Present:
        """The repository as it is now, as far as known."""
        return self._current() if self._current is not None else Present()

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """One state of the map, for one question; questions inside it see the same state."""
        with self._lock:
            if not self._depth:
                self._reopen_if_replaced()
                self._reader.begin()
            self._depth += 1
            try:
                yield self._reader
            finally:
                self._depth -= 1
                if not self._depth:
                    self._reader.end()

    @property
    def neighbours(self) -> Neighbours:
        """Made once for each state of the map: it keeps the class graph."""
        version = self._reader.version()
        if self._neighbours is None or self._neighbours[0] != version:
            before = None if self._neighbours is None else self._neighbours[1]
            self._neighbours = version, Neighbours(self._reader, before)
        return self._neighbours[1]

    @property
    def postings(self) -> Postings:
        if self._postings is None:
            self._postings = Postings(self._reader)
        return self._postings

    @property
    def history(self) -> HistoryReader | None:
        """What is known of commits, which lies beside the map; None where nothing is."""
        path = os.path.join(os.path.dirname(self._reader.path), HISTORY_NAME)
        identity = _identity(path)
        if identity != self._history_identity:
            if self._history is not None:
                self._history.close()
            self._history = None if identity is None else HistoryReader.open(path)
            self._history_identity = identity
        return self._history

    def symbol_count(self) -> int:
        """Number of symbols, counted once for each state of the map."""
        return self._counts()[1]

    def file_states(self) -> dict[str, int]:
        """Number of files by their state, likewise."""
        return self._counts()[2]

    def _counts(self) -> tuple[int, int, dict[str, int]]:
        version = self._reader.version()
        if self._counted is None or self._counted[0] != version:
            self._counted = version, self._reader.symbol_count(), self._reader.file_states()
        return self._counted

    def _reopen_if_replaced(self) -> None:
        identity = _identity(self._reader.path)
        if identity == self._identity:
            return
        if identity is None:
            raise NotFoundError(f"the map at {self._reader.path} is gone: run `codemap index`")
        path = self._reader.path
        self._reader.close()
        self._reader = Reader.open(path)
        self._identity = identity
        self._postings = self._counted = self._neighbours = None


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino
