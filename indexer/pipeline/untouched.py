"""Whether an update would find nothing to do, by stamps alone: no file is read, and no git library is loaded.

What an update depends on are the sources and what decides about them (`indexer.discover.seen`), the commit, whether
submodules count, and this program; where any of that is not surely the same, the update has to look itself.
"""

from __future__ import annotations

from indexer.discover import seen
from indexer.discover.location import Location
from indexer.discover.refs import UnknownHeadError, head_commit
from indexer.discover.seen import Glance
from indexer.errors import StoreError
from indexer.pipeline.report import CRASHED, Clock, Report
from indexer.program import installation
from indexer.store.connect import DamagedError, open_facts
from indexer.store.summary import summary

_TRIED_AGAIN = (CRASHED, "unreadable")
"""How reasons begin for which a file is skipped that need not hold the next time, although its stamp is the same."""


def untouched(location: Location, submodules: bool | None) -> Report | None:
    """What an update would report that changes nothing; None where it would do something, or may. As `glance_at`."""
    found = glance_at(location, submodules)
    return found if isinstance(found, Report) else None


def glance_at(location: Location, submodules: bool | None) -> Report | Glance | None:
    """What an update would report that changes nothing. Where it would do something, or may: what was seen of what has
    changed, None if that is not known.

    submodules   whether they are to be part of the map; None: as the last time
    """
    clock = Clock()
    with clock.stage("discover"):
        mark = seen.mark(location.map_dir)
        known = seen.read(location.map_dir)
        if known is None:
            return None
        try:
            said = summary(location.map_dir)
        except (DamagedError, StoreError):  # which the update will tell of
            return None
        if said is None:
            return None
        meta, skipped = said
        if any(reason.startswith(_TRIED_AGAIN) for reason in skipped) or not _same(location, submodules, meta):
            return None
        changed = [*known.changed(location.root)]
        if changed:
            return Glance(known, changed, mark)
    return Report(
        files=int(meta["files"]),
        symbols=int(meta["symbols"]),
        edges=int(meta["edges"]),
        skipped=len(skipped),
        extracted=0,
        relinked=0,
        removed=0,
        seconds=clock.total(),
        unchanged=True,
        rebuilt=False,
        relink_reasons={},
        messages=(),
        stages=dict(clock.stages),
    )


def _same(location: Location, submodules: bool | None, meta: dict[str, str]) -> bool:
    """Whether commit, wishes, program and cache are those of the map."""
    try:
        if (head_commit(location) or "") != meta.get("commit"):
            return False
        open_facts(location.facts_dir).close()
    except (UnknownHeadError, DamagedError, StoreError):
        return False
    if submodules is not None and submodules != (meta.get("submodules") == "yes"):
        return False
    return meta.get("installation") == installation()  # whatever else of this program counts is then the same
