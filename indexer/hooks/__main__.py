"""What the lines in a hook start: `python -m indexer.hooks HOOK`, in the worktree."""

from __future__ import annotations

import os
import sys
from functools import partial

from indexer.discover.location import Location, locate
from indexer.errors import CodemapError
from indexer.hooks import background, record
from indexer.hooks.runner import follow
from indexer.store.connect import MAP_NAME


def main(arguments: list[str]) -> int:
    """Bring the map of the worktree around the current folder up to date, where there is a map. Returns 0."""
    hook = arguments[0] if arguments else "hook"
    location = _location()
    if location is None or location.git_dir is None or not os.path.isfile(os.path.join(location.map_dir, MAP_NAME)):
        return 0
    if sys.platform == "win32" and "--detached" not in arguments:
        background.start(hook, location.root, location.map_dir)
        return 0
    background.detach()
    background.say_errors_to(os.path.join(location.map_dir, record.START_ERRORS))
    follow(location.map_dir, location.git_dir, partial(_update, location, hook))
    return 0


def _location() -> Location | None:
    """The worktree; None where it is not the one git speaks of, which is one that nothing on disk leads to."""
    try:
        location = locate(os.getcwd())
    except (CodemapError, FileNotFoundError):  # removed meanwhile
        return None
    told = os.environ.get("GIT_DIR")
    return location if told is None or os.path.realpath(told) == location.git_dir else None


def _update(location: Location, hook: str) -> None:
    from indexer.hooks.updating import update_noting

    update_noting(location, hook)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
