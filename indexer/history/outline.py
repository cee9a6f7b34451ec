"""Which definition a line of a text is in, by how it is written and indented: old versions of files are never parsed.

Going up from a line, the next one that is indented less is what it is in: a definition, or a block in one. Code that is
not indented by its nesting gives no names; a string that holds what looks like a definition may give a wrong one.
"""

from __future__ import annotations

import re

NAMES_LIMIT = 40
"""Definitions of one file; a change that touches more of them says nothing of any."""

_LONG_LINES = 500  # bytes on average: minified
_FOLLOWING = 8  # lines in which what a decorator stands above is looked for
_PASSED = frozenset(b")]}{#/*@")
"""How lines begin that end nothing, though they are indented less: brackets, comments, decorators."""


class Outline:
    """The definitions of one text, found as far as they are asked for.

    rule   matches lines that begin one: the first group is the indentation, the last that matches the name
    """

    def __init__(self, text: bytes, rule: re.Pattern[bytes]) -> None:
        lines = text.split(b"\n")
        self._lines = lines if len(text) <= _LONG_LINES * len(lines) else []
        self._rule = rule
        self._names: dict[int, str] = {}  # by the index of the line that begins the definition

    def names(self, first: int, count: int) -> set[str]:
        """Qualified names of what lines `first` … `first + count - 1` (from 1) are in or begin; never of the file."""
        lines = self._lines[first - 1 : first - 1 + count] if count > 0 else []
        written = [index for index, line in enumerate(lines, first - 1) if line.strip()]
        if not written:
            return set()
        found = {name for index in written if (name := self._begun(index))}
        found |= {self._at(written[0]), self._at(written[-1])}
        found.discard("")
        return found

    def every(self) -> set[str]:
        """The qualified names of all definitions."""
        return {name for index in range(len(self._lines)) if (name := self._begun(index))}

    def _at(self, index: int) -> str:
        """What a line begins or is in; a decorator belongs to what follows."""
        name = self._begun(index)
        line = self._lines[index].lstrip()
        if not name and line.startswith(b"@"):
            ahead = range(index + 1, min(index + _FOLLOWING, len(self._lines)))
            name = next((name for following in ahead if (name := self._begun(following))), "")
        return name or self._around(index)

    def _begun(self, index: int) -> str:
        """The qualified name of the definition that a line begins, if any."""
        known = self._names.get(index)
        if known is None:
            match = self._rule.match(self._lines[index])
            if match is None:
                known = ""
            else:
                own = match[match.lastindex or 0].decode("utf-8", "replace")
                outer = self._around(index) if match[1] else ""
                known = f"{outer}.{own}" if outer else own
            self._names[index] = known
        return known

    def _around(self, index: int) -> str:
        """The qualified name of what a line is in; empty for the file itself."""
        line = self._lines[index]
        indent = len(line) - len(line.lstrip(b" \t"))
        while indent and index:
            index -= 1
            line = self._lines[index]
            inside = line.lstrip(b" \t\r")
            if len(line) - len(inside) < indent and inside and inside[0] not in _PASSED:
                if name := self._begun(index):
                    return name
                indent = len(line) - len(inside)
        return ""
