"""How things stand: which hooks start updates, with what, and how the last update went."""

from __future__ import annotations

import os
from typing import NamedTuple

from indexer.hooks import found
from indexer.hooks.found import MOVED, Found, look
from indexer.hooks.script import HOOKS, KEPT

INSTALLED = "installed"
BROKEN = "broken"  # our lines are there, and do nothing
ABSENT = "absent"


class HookState(NamedTuple):
    """A hook, as far as codemap is concerned."""

    name: str
    state: str  # installed broken absent
    detail: str
    python: str | None  # the interpreter it starts


def hook_states(folder: str, hooks: tuple[str, ...] = HOOKS) -> tuple[HookState, ...]:
    """Raises StoreError for a hook that cannot be read."""
    return tuple(_state(look(folder, name)) for name in hooks)


def _state(hook: Found) -> HookState:
    if hook.parts.starts:
        return _with_lines(hook.name, hook, _beside(hook))
    if hook.moved:
        moved = look(os.path.dirname(hook.path), hook.name + MOVED)
        return _with_lines(hook.name, moved, f"as {moved.name}, which the hook of another tool runs")
    if hook.kind == found.NOTHING:
        left = f"; {hook.name}{KEPT} is left from an install, see `codemap hooks uninstall`" if hook.kept else ""
        return HookState(hook.name, ABSENT, f"no hook{left}", None)
    left = f"; {hook.name}{KEPT} is left from an install, and nothing runs it" if hook.kept else ""
    left = left if not hook.parts.chains else f"; it runs {hook.name}{KEPT}"
    return HookState(hook.name, ABSENT, f"{_described(hook)}{left}", None)


def _with_lines(name: str, hook: Found, detail: str) -> HookState:
    python = hook.parts.python
    if python is None:
        return HookState(name, BROKEN, f"{detail}; the lines were changed: `codemap hooks install` mends them", None)
    if not os.access(python, os.X_OK):
        why = f"{python} is gone: `codemap hooks install` names another"
        return HookState(name, BROKEN, f"{detail}; {why}", python)
    if not hook.runs:
        return HookState(name, BROKEN, f"{detail}; it is not executable, so git does not run it", python)
    return HookState(name, INSTALLED, detail, python)


def _beside(hook: Found) -> str:
    if hook.parts.chains:
        return f"runs {hook.name}{KEPT}, the hook that was there" if hook.kept else f"{hook.name}{KEPT} is gone"
    return "a file of its own" if hook.kind == found.OWN else "in the hook that is there"


def _described(hook: Found) -> str:
    what = "a link" if hook.link else "a script" if hook.content.startswith(b"#!") else "a program"
    return f"another hook, {what}" + ("" if hook.runs else ", that is not executable")
