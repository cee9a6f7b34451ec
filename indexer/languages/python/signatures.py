"""Signatures, documentation lines and headers, cut from the source."""

from __future__ import annotations

import re
from typing import Final

from indexer.languages.python.chains import decode
from indexer.languages.python.literals import split, unescape
from indexer.languages.python.walk import Walk

MAX_SIGNATURE: Final = 300
MAX_ASSIGNMENT: Final = 80
MAX_DOC: Final = 200
MAX_HEADER: Final = 400

_coding = re.compile(r"#.*coding[:=]").match
_token = re.compile(r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|#[^\n]*""")


def signature(w: Walk, start: int, end: int) -> str:
    """A definition's head on one line: blanks collapsed, comments left out, at most 300 characters."""
    text = w.source[start:end]
    if "\n" in text:
        if "#" in text:
            text = _token.sub(lambda match: match.group(1) or "", text)
        text = " ".join(text.split()).replace("( ", "(").replace(", )", ")").replace(",)", ")").replace(" )", ")")
    elif "  " in text:
        text = " ".join(text.split())
    return text if len(text) <= MAX_SIGNATURE and text.isascii() else cut(decode(text), MAX_SIGNATURE)


def assignment_signature(w: Walk, start: int, end: int, head: int) -> str:
    """`name = value` or `name: T = value` if that is short, else `name: T`, which ends at `head`, else nothing."""
    for stop in (end, head):
        if 0 < stop - start <= MAX_ASSIGNMENT:
            text = w.source[start:stop]
            if "\n" not in text:
                return decode(text)
            if "#" not in text:
                return decode(" ".join(text.split()))
    return ""


def cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def first_line(literal: str) -> str:
    """The first line with text of a docstring, given its source; at most 200 characters."""
    prefix, content = split(literal[: 4 * MAX_DOC] + literal[-3:] if len(literal) > 4 * MAX_DOC + 3 else literal)
    if "b" in prefix or "f" in prefix:
        return ""
    for line in content.split("\n"):
        line = decode(line.strip())
        if line and line != "\\":
            if "\\" in line:
                line = " ".join(unescape(line, "r" in prefix).split())
            return cut(line, MAX_DOC)
    return ""


def docstring_header(literal: str) -> str:
    """The first lines of a module's docstring, at most 400 characters."""
    prefix, content = split(literal)
    if "b" in prefix or "f" in prefix:
        return ""
    lines = [line.strip() for line in decode(content).strip().lstrip("\\").split("\n")]
    return cut("\n".join(lines).strip(), MAX_HEADER)


def comment_header(source: str) -> str:
    """The comment block a file starts with, without `#!`, coding and editor lines; at most 400 characters."""
    lines: list[str] = []
    if not source.startswith(("#", "\n", " ", "\f")):
        return ""
    for number, line in enumerate(source[: 20 * MAX_HEADER].split("\n")):
        line = line.strip()
        if not line.startswith("#"):
            if line or lines:
                break
            continue
        if (number == 0 and line.startswith("#!")) or _coding(line) or line.startswith("# vim:"):
            continue
        text = line.lstrip("#").strip()
        if text or lines:
            lines.append(text)
    return cut(decode("\n".join(lines)).strip(), MAX_HEADER)
