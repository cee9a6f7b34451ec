"""gitignore patterns, matched as git matches them.

libgit2's own matcher drops a negation that has nothing to negate in its own file, so `!kept` in a folder does not bring
back what a file above it ignores. Source: https://git-scm.com/docs/gitignore and git's wildmatch.c. Matching takes time
proportional to the length of pattern times path, whatever the pattern: ignore files come with the repository.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_Matcher = re.Pattern[bytes] | None  # None: "**", any number of folders

_CLASSES = {
    b"alnum": rb"a-zA-Z0-9",
    b"alpha": rb"a-zA-Z",
    b"blank": rb" \t",
    b"cntrl": rb"\x00-\x1f\x7f",
    b"digit": rb"0-9",
    b"graph": rb"\x21-\x7e",
    b"lower": rb"a-z",
    b"print": rb"\x20-\x7e",
    b"punct": rb"!-/:-@\[-`{-~",
    b"space": rb" \t\n\r\f\v",
    b"upper": rb"A-Z",
    b"xdigit": rb"0-9a-fA-F",
}
_BRACKET = re.compile(rb"\[([!^]?)((?:\]|\[:[a-z]*:\]|\\.|[^\]\\])(?:\[:[a-z]*:\]|\\.|[^\]\\])*)\]", re.S)
_MEMBER = re.compile(rb"\[:([a-z]*):\]|(\\.|.)(?:-(\\.|[^\]]))?", re.S)


class Pattern(NamedTuple):
    """One line of an ignore file."""

    negated: bool
    folders_only: bool
    anchored: bool  # matched against the whole path from the ignore file on, else against the name alone
    parts: tuple[_Matcher, ...]  # one per part of the path

    def matches(self, path: Sequence[bytes], is_folder: bool) -> bool:
        """Whether it speaks of `path`, given in parts from the folder of the ignore file on."""
        if self.folders_only and not is_folder:
            return False
        if self.anchored:
            return _matches(self.parts, path)
        name = self.parts[0]
        return name is None or name.match(path[-1]) is not None


def parse(content: bytes, ignore_case: bool = False) -> tuple[Pattern, ...]:
    """The patterns of an ignore file, last first: the first of them that matches decides."""
    patterns = []
    for line in content.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        line = _without_trailing_blanks(line.removesuffix(b"\r"))
        if line and not line.startswith(b"#") and (pattern := _pattern(line, ignore_case)):
            patterns.append(pattern)
    return tuple(reversed(patterns))


def _without_trailing_blanks(line: bytes) -> bytes:
    """Without blanks at the end, but for one that a backslash guards."""
    stripped = line.rstrip(b" ")
    guards = len(stripped) - len(stripped.rstrip(b"\\"))
    return stripped + b" " if guards % 2 and len(stripped) < len(line) else stripped


def _pattern(line: bytes, ignore_case: bool) -> Pattern | None:
    negated = line.startswith(b"!")
    line = line[negated:]
    folders_only = line.endswith(b"/")
    line = line[: len(line) - folders_only]
    anchored = b"/" in line
    parts = _parts(line.removeprefix(b"/"), re.S | (re.I if ignore_case else re.NOFLAG))
    return Pattern(negated, folders_only, anchored, parts) if parts else None


def _parts(glob: bytes, flags: re.RegexFlag) -> tuple[_Matcher, ...] | None:
    """The pattern part by part; None for one that can match nothing."""
    parts: list[_Matcher] = []
    runs: list[bytes] = [b""]  # of the part being read: what stands between its stars, as regular expressions
    position = 0
    while position <= len(glob):
        character = glob[position : position + 1]
        position += 1
        if character == b"\\":
            character = glob[position : position + 1]
            position += 1
            if not character:
                return None
            if character != b"/":
                runs[-1] += re.escape(character)
                continue
        if character in (b"/", b""):
            parts.append(_part(runs, glob[:position], flags))
            runs = [b""]
        elif character == b"*":
            runs.append(b"")
        elif character == b"?":
            runs[-1] += b"."
        elif character == b"[":
            bracket = _BRACKET.match(glob, position - 1)
            if bracket is None:
                return None
            runs[-1] += _class(bracket)
            position = bracket.end()
        else:
            runs[-1] += re.escape(character)
    return tuple(parts)


def _part(runs: list[bytes], glob: bytes, flags: re.RegexFlag) -> _Matcher:
    """A regular expression for one part. Between stars the leftmost match is as good as any, so nothing is tried twice:
    each run after a star is an atomic group."""
    if len(runs) > 2 and not any(runs):
        return None
    first, *others = runs
    if not others:
        return re.compile(first + rb"\Z", flags)
    middle = b"".join(b"(?>.*?" + run + b")" for run in others[:-1] if run)
    return re.compile(first + middle + b".*" + others[-1] + rb"\Z", flags)


def _class(bracket: re.Match[bytes]) -> bytes:
    members = []
    for name, low, high in _MEMBER.findall(bracket[2]):
        if name:
            members.append(_CLASSES.get(name, b""))
        elif high:
            low, high = low[-1:], high[-1:]
            # git compares with the first character before it knows of the range, so it counts in a reversed one, too.
            members.append(re.escape(low) + (b"-" + re.escape(high) if low <= high else b""))
        else:
            members.append(re.escape(low[-1:]))
    inside = b"".join(members)
    if not inside:
        return b"." if bracket[1] else b"(?!)"
    return b"[" + (b"^" if bracket[1] else b"") + inside + b"]"


def _matches(parts: tuple[_Matcher, ...], path: Sequence[bytes]) -> bool:
    """Parts against parts. A "**" takes as few as it can; when what follows fails, the last one takes one more."""
    part = at = 0
    resume_part = resume_at = -1
    while at < len(path):
        if part < len(parts) and parts[part] is None:
            if part == len(parts) - 1:
                return True
            resume_part, resume_at = part, at
            part += 1
            continue
        matcher = parts[part] if part < len(parts) else None
        if matcher is not None and matcher.match(path[at]):
            part += 1
            at += 1
        elif resume_part >= 0:
            resume_at += 1
            part, at = resume_part + 1, resume_at
        else:
            return False
    return part == len(parts)
