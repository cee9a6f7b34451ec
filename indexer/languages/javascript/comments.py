"""Comments as documentation, file headers, and signatures: read from the text around a definition."""

from __future__ import annotations

import re
from typing import Final

_MAX_HEADER: Final = 400
_MAX_DOC: Final = 200
_MAX_SIGNATURE: Final = 300

_DIRECTIVE: Final = re.compile(
    rb"[*\s!]*(?:eslint|@ts-|ts-|tslint|prettier|istanbul|c8 |v8 |jshint|jslint|global |globals |#region|#endregion|"
    rb"@flow|@jsx|@vitest|@jest|webpack|biome-|deno-lint|use strict|#__|@__|sourceMapp)"
)
_STRICT: Final = re.compile(rb"(?:'use [a-z ]+'|\"use [a-z ]+\")[ \t]*;?")
_BLANKS: Final = re.compile(rb"\s*")


def signature(text: bytes, start: int, end: int) -> str:
    """The head of a definition on one line."""
    line = b" ".join(text[start:end].split()).decode("utf-8", "replace")
    return line.rstrip("{ ").rstrip(";, ")[:_MAX_SIGNATURE]


def doc_before(text: bytes, start: int) -> str:
    """First line of the comment that stands directly before `start`; "" where there is none."""
    window = text[max(0, start - 400) : start].rstrip()
    line = window.rfind(b"\n")
    if line >= 0 and not window.endswith(b"*/") and window.find(b"//", line) < 0:
        return ""  # most definitions have none
    for _ in range(8):
        line_start = text.rfind(b"\n", 0, start) + 1
        before = text[line_start:start].rstrip()
        if not before:
            if line_start < 2:
                return ""
            line_start, start = text.rfind(b"\n", 0, line_start - 1) + 1, line_start - 1
            before = text[line_start:start].rstrip()
        stripped = before.lstrip()
        if stripped.startswith(b"//"):
            if not _DIRECTIVE.match(stripped[2:]):
                return _first_line([*_line_comments(text, line_start), stripped[2:]])
            start = line_start + len(before) - len(stripped)
        elif before.endswith(b"*/"):
            end = line_start + len(before)
            start = text.rfind(b"/*", 0, end - 2)
            if start < 0:
                return ""
            body = text[start + 2 : end - 2]
            if not _DIRECTIVE.match(body):
                return _first_line(body.split(b"\n"))
        else:
            return ""
    return ""


def _line_comments(text: bytes, line_start: int) -> list[bytes]:
    """The `//` lines directly above the line that starts at `line_start`, in order; at most 50."""
    lines: list[bytes] = []
    while line_start > 0 and len(lines) < 50:
        previous = text.rfind(b"\n", 0, line_start - 1) + 1
        line = text[previous:line_start].strip()
        if not line.startswith(b"//") or _DIRECTIVE.match(line[2:]):
            break
        lines.append(line[2:])
        line_start = previous
    return lines[::-1]


def _first_line(lines: list[bytes]) -> str:
    for line in lines:
        cleaned = _bare(line)
        if cleaned.startswith("@"):
            return ""
        if any(c.isalnum() for c in cleaned):
            return cleaned[:_MAX_DOC]
    return ""


def _bare(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip().lstrip("*/!").strip()


def header(text: bytes) -> str:
    """The comments before the first code: shebang, directives and lint switches are passed over."""
    at = 0
    if text.startswith(b"#!"):
        at = text.find(b"\n") + 1 or len(text)
    lines: list[str] = []
    while sum(map(len, lines)) < _MAX_HEADER:
        at = _BLANKS.match(text, at).end()  # type: ignore[union-attr]
        if text.startswith(b"//", at):
            end = text.find(b"\n", at)
            end = len(text) if end < 0 else end
            body = [text[at + 2 : end]]
        elif text.startswith(b"/*", at):
            end = text.find(b"*/", at)
            if end < 0:
                break
            body, end = text[at + 2 : end].split(b"\n"), end + 2
        else:
            strict = _STRICT.match(text, at)
            if strict is None:
                break
            at = strict.end()
            continue
        at = end
        if not _DIRECTIVE.match(body[0] if len(body) == 1 or body[0].strip(b"* ") else body[1]):
            lines += [cleaned for cleaned in map(_bare, body) if cleaned]
    return "\n".join(lines)[:_MAX_HEADER]
