"""Putting hooks into a folder, and taking them out again.

A shell script gets our lines after its first, and runs as before. Any other hook is moved aside, as it is, and a script
of ours runs it. Files are replaced in one step, so that a hook is whole at any moment.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from indexer.errors import CodemapError, StoreError
from indexer.hooks import found
from indexer.hooks.found import MOVED, Found, look
from indexer.hooks.script import (
    FLAGS,
    HOOKS,
    KEPT,
    MODULE,
    SHEBANG,
    chain_lines,
    start_lines,
    with_start,
    without_start,
)

Did = tuple[str, str]
"""A hook's name, and what was done to it in words."""


def interpreter() -> str:
    """The interpreter that hooks start: this one, as it was called. Raises CodemapError where it would not do."""
    python = os.path.abspath(sys.executable).replace("\\", "/") if os.name == "nt" else os.path.abspath(sys.executable)
    if not sys.executable or any(character in python for character in "\n\r\0"):
        raise CodemapError(f"hooks cannot start the interpreter {python!r}: install codemap elsewhere")
    command = [python, *FLAGS, "-c", f"import importlib.util as u; raise SystemExit(u.find_spec('{MODULE}') is None)"]
    environment = {k: v for k, v in os.environ.items() if k not in ("PATH", "PYTHONPATH", "PYTHONHOME")}
    quiet = subprocess.DEVNULL
    done = subprocess.run(command, cwd=os.sep, env=environment, stdin=quiet, stdout=quiet, stderr=quiet, check=False)
    if done.returncode != 0:
        raise CodemapError(
            f"{python} does not find codemap without PYTHONPATH, so hooks would not either: install it there with pip"
        )
    return python


def install(folder: str, python: str, hooks: tuple[str, ...] = HOOKS) -> tuple[Did, ...]:
    """Put the lines that start `python` into every hook of `folder`, which is made where it is not there.

    What is there already stays, and a second time changes nothing. Raises StoreError; hooks before the one it is about
    are installed then.
    """
    made = _make(folder)
    return tuple((name, _install(look(folder, name), python, made)) for name in hooks)


def uninstall(folder: str, hooks: tuple[str, ...] = HOOKS) -> tuple[Did, ...]:
    """Take our lines out of every hook of `folder` and put back what was moved aside. Raises StoreError."""
    hooks_found = [look(folder, name) for name in hooks]
    did = tuple((hook.name, _uninstall(hook)) for hook in hooks_found)
    if any(hook.parts.made_folder for hook in hooks_found):
        with suppress(OSError):  # others have put something into it
            os.rmdir(folder)
    return did


def _install(hook: Found, python: str, made: bool) -> str:
    if hook.kind == found.FOREIGN and hook.moved:
        moved = look(os.path.dirname(hook.path), hook.name + MOVED)
        return f"{_put_into(moved, start_lines(hook.name, python, made_folder=made))} in {moved.name}, which it runs"
    return _put_into(hook, start_lines(hook.name, python, made_folder=made or hook.parts.made_folder))


def _put_into(hook: Found, lines: bytes) -> str:
    if hook.kind in (found.OWN, found.SHARED):
        content = with_start(hook.content, lines)
        if content != hook.content:
            _replace(hook.path, content)
            return "brought up to date"
        return "installed already" if hook.runs else "installed already, but not executable, so git does not run it"
    if hook.kind == found.NOTHING and not hook.kept:
        _create(hook.path, SHEBANG + lines)
        return "installed"
    if hook.takes_lines:
        _replace(hook.path, with_start(hook.content, lines))
        return "installed in the hook that was there"
    return _install_before(hook, lines)


def _install_before(hook: Found, lines: bytes) -> str:
    if hook.kind != found.NOTHING:
        if hook.kept:
            raise StoreError(f"{hook.path}{KEPT} is left from another time: see what it is, and move it away")
        with _explained(hook.path):
            os.rename(hook.path, hook.path + KEPT)
    try:
        _create(hook.path, SHEBANG + lines + chain_lines(hook.name))
    except StoreError:
        if hook.kind != found.NOTHING:
            os.rename(hook.path + KEPT, hook.path)
        raise
    return f"installed; it runs the hook that was there, now {hook.name}{KEPT}"


def _uninstall(hook: Found) -> str:
    said = _uninstall_here(hook)
    if hook.moved:
        moved = look(os.path.dirname(hook.path), hook.name + MOVED)
        _uninstall_here(moved)
        return f"{said}; taken out of {moved.name}, too"
    return said


def _uninstall_here(hook: Found) -> str:
    if hook.kind == found.NOTHING:
        return _put_back(hook) if hook.kept else "not installed"
    if hook.kind == found.FOREIGN:
        left = f"; {hook.name}{KEPT} is left from an earlier hook of codemap's that is gone" if hook.kept else ""
        return f"not installed{left}"
    if hook.parts.rest == SHEBANG and hook.kind == found.OWN:
        with _explained(hook.path):
            os.unlink(hook.path)
        return _put_back(hook) if hook.kept else "removed"
    if not hook.parts.starts:
        return "not installed"
    _replace(hook.path, without_start(hook.content))
    if hook.parts.chains:
        return f"removed; others have added lines, which stay, and so does the call of {hook.name}{KEPT}"
    return "removed from the hook, which stays"


def _put_back(hook: Found) -> str:
    with _explained(hook.path):
        os.rename(hook.path + KEPT, hook.path)
    return "removed; the hook that was there is back"


def _make(folder: str) -> bool:
    if os.path.isdir(folder):
        return False
    with _explained(folder):
        os.makedirs(folder)
    return True


def _create(path: str, content: bytes) -> None:
    """A new executable file; what is there meanwhile is not overwritten."""
    with _explained(path), _temporary(path, content) as temporary:
        os.chmod(temporary, _executable())
        if os.path.lexists(path):
            raise StoreError(f"{path} was made by another program just now: try again")
        os.replace(temporary, path)


def _replace(path: str, content: bytes) -> None:
    """Other content for a file, in one step; permissions, owner, times and attributes stay."""
    with _explained(path), _temporary(path, content) as temporary:
        status = os.stat(path)
        if hasattr(os, "chown"):
            with suppress(PermissionError):  # of another person, who let us write here
                os.chown(temporary, status.st_uid, status.st_gid)
        shutil.copystat(path, temporary)
        os.replace(temporary, path)


@contextmanager
def _temporary(path: str, content: bytes) -> Iterator[str]:
    """A file with `content` beside `path`, which goes unless it was renamed."""
    descriptor, temporary = tempfile.mkstemp(prefix=".codemap-", dir=os.path.dirname(path))
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield temporary
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)


def _executable() -> int:
    """What git gives a file that everybody may run, within the umask."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o777 & ~mask


@contextmanager
def _explained(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror}") from error
