"""Maps kept open, and which repository a place belongs to."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from codemap.home import Home, find
from indexer.errors import RepositoryError

if TYPE_CHECKING:
    from codemap.api import CodeMap
    from codemap.service.questions import Answered, Question

KEPT_OPEN = 16


class Maps:
    """Maps by the root of their repository; those asked last stay open. May be used by several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: OrderedDict[str, CodeMap] = OrderedDict()

    def answer(self, root: str, question: Question) -> Answered:
        """Ask the map of `root`, which has to be there. Raises CodemapError."""
        return question.answer(self.get(root))

    def get(self, root: str) -> CodeMap:
        """The map of `root`, opened where it is not. Raises StoreError where there is none."""
        from codemap.api import CodeMap

        with self._lock:
            found = self._open.get(root)
            if found is None:
                found = self._open[root] = CodeMap.open(root, build=False)
                found.on_stale, found.max_age = "warn", 0  # whether it is fresh enough is for the service to say
            self._open.move_to_end(root)
            while len(self._open) > KEPT_OPEN:
                self._open.popitem(last=False)  # closed when the last question to it is answered
            return found

    def close(self) -> None:
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()


def home_of(place: str | os.PathLike[str], base: str | os.PathLike[str] = ".") -> Home:
    """The repository that holds a file or folder, which may be relative to `base`; worktrees apart.

    Raises RepositoryError for what is not there.
    """
    path = os.path.join(os.fspath(base), os.path.expanduser(os.fspath(place)))
    if "\0" not in path and os.path.isfile(path):
        path = os.path.dirname(path)
    return find(path)


def chosen(home: Home) -> bool:
    """Whether somebody made this a repository or mapped it: a folder that just happens to be the current one is not
    mapped unasked, as it may be a whole home."""
    return home.location.is_git or os.path.exists(home.map)


def default_home(folder: str | os.PathLike[str]) -> Home:
    """The repository around `folder`. Raises RepositoryError where there is none and nothing is mapped."""
    home = find(os.fspath(folder))
    if not chosen(home):
        raise RepositoryError(
            f"{home.root} is in no git repository and has no map: name a repository, or map the folder with "
            "`codemap index`"
        )
    return home
