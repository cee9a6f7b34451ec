"""What hooks there are, and how the updates went that they started."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from codemap.render import escape
from codemap.render.json import dumps

if TYPE_CHECKING:
    from indexer.hooks.record import Entry, Trouble
    from indexer.hooks.state import HookState

SHOWN_UPDATES = 3


class Shown(NamedTuple):
    """What there is to say about the hooks of a worktree."""

    root: str
    folder: str
    level: str
    hooks: tuple[HookState, ...]
    did: dict[str, str]  # hook → what was just done to it
    notes: tuple[str, ...]
    has_map: bool
    updates: tuple[Entry, ...]  # oldest first
    trouble: Trouble | None


def text_hooks(shown: Shown) -> str:
    """One hook a line; where they are; the last updates; what is wrong."""
    named = "" if shown.level == "default" else f" (core.hooksPath, {shown.level})"
    out = [f"hooks: {escape.line(shown.folder)}{named}"]
    for hook in shown.hooks:
        did = shown.did.get(hook.name)
        out.append(f"  {hook.name}: {escape.line(did or _state(hook))}")
    pythons = sorted({hook.python for hook in shown.hooks if hook.python})
    out.extend(f"they start: {escape.line(python)}" for python in pythons)
    out.extend(f"note: {escape.line(note)}" for note in shown.notes)
    if not shown.has_map:
        out.append("there is no map here yet, and hooks make none: run `codemap index` once")
    out.extend(f"update: {_entry(entry)}" for entry in shown.updates[-SHOWN_UPDATES:])
    out.extend(trouble_lines(shown.trouble, shown.root))
    return "".join(line + "\n" for line in out)


class Kept(NamedTuple):
    """How hooks keep a map up to date."""

    last: Entry | None = None  # update
    trouble: Trouble | None = None


def kept_lines(kept: Kept, root: str) -> list[str]:
    """For a page about the map: the last update, or what went wrong."""
    if kept.trouble is not None:
        return trouble_lines(kept.trouble, root)
    return [] if kept.last is None else [f"last update by a hook: {_entry(kept.last)}"]


def kept_object(kept: Kept, root: str) -> dict[str, object]:
    """The same as an object."""
    last = None if kept.last is None else kept.last._asdict()
    return {"last": last, "trouble": trouble_object(kept.trouble, root)}


def trouble_lines(trouble: Trouble | None, root: str) -> list[str]:
    """What went wrong in the background, and the command that shows it."""
    if trouble is None:
        return []
    if trouble.hook is None:
        what = f"hooks do not start an update: {trouble.text}"
    else:
        times = f", {trouble.times} times in a row" if trouble.times > 1 else ""
        what = f"the last update by a hook failed ({trouble.hook}, {trouble.at}{times}): {trouble.text}"
    return [escape.line(what), f"  to see it again: {escape.line(reproduced(root))}"]


def reproduced(root: str) -> str:
    """The command that does what a hook does, where it can be watched."""
    return f"codemap -C {shlex.quote(root)} update"


def json_hooks(shown: Shown) -> str:
    """`codemap/hooks/1`."""
    body = {
        "schema": "codemap/hooks/1",
        "root": shown.root,
        "folder": shown.folder,
        "level": shown.level,
        "hooks": [
            {
                "name": hook.name,
                "state": hook.state,
                "detail": hook.detail,
                "interpreter": hook.python,
                "did": shown.did.get(hook.name),
            }
            for hook in shown.hooks
        ],
        "notes": list(shown.notes),
        "map": shown.has_map,
        "updates": [entry._asdict() for entry in shown.updates[-SHOWN_UPDATES:]],
        "trouble": trouble_object(shown.trouble, shown.root),
    }
    return dumps(body) + "\n"


def trouble_object(trouble: Trouble | None, root: str) -> dict[str, object] | None:
    """The same as an object."""
    return None if trouble is None else {**trouble._asdict(), "command": reproduced(root)}


def _state(hook: HookState) -> str:
    return hook.detail if hook.state == "absent" else f"{hook.state}: {hook.detail}"


def _entry(entry: Entry) -> str:
    failed = "" if entry.ok else "FAILED: "
    return escape.line(f"{entry.at} after {entry.hook}: {failed}{entry.text}")
