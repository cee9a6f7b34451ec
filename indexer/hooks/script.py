"""The lines of shell that codemap puts into a hook, and finding them again.

They run before what else the hook holds and leave nothing behind: a subshell, standard streams of its own, no exit
status. No program but the interpreter is needed, so that an empty PATH will do. The interpreter is started in the
background and not waited for; where there is no map, nothing is started.
"""

from __future__ import annotations

import re
import shlex
from typing import NamedTuple

from indexer.hooks.record import START_ERRORS
from indexer.hooks.runner import WAITING
from indexer.store.schema import MAP_NAME

HOOKS = ("post-commit", "post-merge", "post-checkout", "post-rewrite")
KEPT = ".before-codemap"
"""Ending of the name that a hook is moved to which cannot take our lines."""

FLAGS = ("-E", "-P")
"""For the interpreter: neither variables nor the folder it is started in say where modules come from."""

MODULE = "codemap.follow"
SHEBANG = b"#!/bin/sh\n"

_OPENING = "# >>> codemap hooks >>>"
_CLOSING = "# <<< codemap hooks <<<"
_CHAIN_OPENING = "# >>> codemap hooks: the hook that was here before >>>"
_CHAIN_CLOSING = "# <<< codemap hooks: the hook that was here before <<<"
_MADE = "# The folder was made with it."

_START = rf"""{_OPENING}
# Brings the map up to date, in the background. `codemap hooks uninstall` takes these lines out.
@made@(
  python=@python@
  git=${{GIT_DIR:-.git}}
  if [ -f "$git" ]; then IFS= read -r git <"$git"; git=${{git#gitdir: }}; fi
  [ -f "$git/codemap/{MAP_NAME}" ] || exit 0
@awaited@  if [ -x "$python" ]; then
    "$python" {" ".join(FLAGS)} -m {MODULE} @hook@ "$git" 2>|"$git/codemap/{START_ERRORS}" &
  else
    echo "$python is gone: run 'codemap hooks install' again" >|"$git/codemap/{START_ERRORS}"
  fi
) </dev/null >/dev/null 2>&1 || :
{_CLOSING}
"""

# In a rebase this hook runs for each commit. Who waits for its end need not be told again; a file left by one that was
# killed is older than this rebase, or post-rewrite starts another at the end.
_AWAITED = f"""\
  for onto in "$git/rebase-merge/onto" "$git/rebase-apply/onto"; do
    [ -f "$onto" ] && [ "$git/codemap/{WAITING}" -nt "$onto" ] && exit 0
  done
"""

_CHAIN = f"""{_CHAIN_OPENING}
codemap_kept=0
if [ -x "${{0%/*}}/@hook@{KEPT}" ]; then
  "${{0%/*}}/@hook@{KEPT}" "$@" || codemap_kept=$?
fi
trap 'codemap_own=$?; [ $codemap_own -ne 0 ] || codemap_own=$codemap_kept; exit $codemap_own' EXIT
{_CHAIN_CLOSING}
"""

_START_PATTERN = re.compile(rf"^{_OPENING}\r?\n.*?^{_CLOSING}(?:\r?\n|\Z)".encode(), re.M | re.S)
_CHAIN_PATTERN = re.compile(rf"^{_CHAIN_OPENING}\r?\n.*?^{_CHAIN_CLOSING}(?:\r?\n|\Z)".encode(), re.M | re.S)
_PYTHON_PATTERN = re.compile(rb"^  python=(.*)$", re.M)
_SHELLS = rb"(?:sh|bash|dash|ash|ksh|mksh|zsh)"
_SHELL = re.compile(
    rb"#![ \t]*(?:/(?:[\w.-]+/)*"
    + _SHELLS
    + rb"|(?:/[\w.-]+)+/env[ \t]+"
    + _SHELLS
    + rb")(?:[ \t]+-[a-zA-Z]+)*[ \t]*\n"
)
# A script that has another program read the same file (`exec node "$0"`) is no shell script to that program.
_POLYGLOT = re.compile(
    rb"\bexec\b[^\n]*\$\{?(?:0|BASH_SOURCE)\b|\A[^\n]*\n(?:[ \t]*\n)*[ \t]*(?:'''|\"\"\"|\"\s*:|':|:\s*['\"])"
)


class Parts(NamedTuple):
    """The content of a hook taken apart."""

    rest: bytes  # without our lines
    starts: bool  # holds the lines that start an update
    chains: bool  # holds the lines that run the hook which was there before
    python: str | None  # the interpreter that it starts
    made_folder: bool  # the folder of hooks was made for it


def start_lines(hook: str, python: str, *, made_folder: bool) -> bytes:
    """The lines that start an update from `hook` with the interpreter `python`, an absolute path."""
    made = f"{_MADE}\n" if made_folder else ""
    awaited = _AWAITED if hook == "post-commit" else ""
    text = (
        _START.replace("@made@", made)
        .replace("@awaited@", awaited)
        .replace("@hook@", hook)
        .replace("@python@", shlex.quote(python))
    )
    return text.encode("utf-8", "surrogateescape")


def chain_lines(hook: str) -> bytes:
    """The lines that run the hook that was moved aside: its exit status is kept, and what follows still runs."""
    return _CHAIN.replace("@hook@", hook).encode()


def take_apart(content: bytes) -> Parts:
    started, chained = _START_PATTERN.search(content), _CHAIN_PATTERN.search(content)
    rest = _CHAIN_PATTERN.sub(b"", _START_PATTERN.sub(b"", content))
    block = started[0] if started else b""
    return Parts(rest, started is not None, chained is not None, _python(block), _MADE.encode() in block)


def takes_lines(content: bytes) -> bool:
    """Whether a hook is a shell script that our lines can be put into without changing what else it does."""
    if content == SHEBANG:  # with our lines it would look like a file of ours
        return False
    return bool(_SHELL.match(content)) and b"\r" not in content and not _POLYGLOT.search(content)


def with_start(content: bytes, lines: bytes) -> bytes:
    """`content`, a shell script, with `lines` in place of those it has or else after its first line."""
    found = _START_PATTERN.search(content)
    if found is not None:
        return content[: found.start()] + lines + without_start(content[found.end() :])
    first, feed, rest = content.partition(b"\n")
    return first + feed + lines + rest


def without_start(content: bytes) -> bytes:
    """`content` without the lines that start an update."""
    return _START_PATTERN.sub(b"", content)


def _python(block: bytes) -> str | None:
    found = _PYTHON_PATTERN.search(block)
    if found is None:
        return None
    try:
        words = shlex.split(found[1].decode("utf-8", "surrogateescape"))
    except ValueError:
        return None
    return words[0] if len(words) == 1 else None
