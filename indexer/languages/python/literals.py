"""The values of string and number literals."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.chains import decode
from indexer.languages.python.walk import Walk
from indexer.model import ExpressionRow

MAX_STRING: Final = 200
"""Characters of a string literal that are kept; of a longer one only the type is."""

_ESCAPES: Final = {
    "\n": "", "\\": "\\", "'": "'", '"': '"',
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
}  # fmt: skip
_NAME: Final = re.compile(r"[A-Za-z0-9_]{2,}", re.ASCII)
_CONTENT: Final = k.kind("string_content")
_INTERPOLATION: Final = k.kind("interpolation")
_escape = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)


def split(raw: str) -> tuple[str, str]:
    """Prefix (lower case) and content of a string literal, without its quotes."""
    start = 0
    while start < len(raw) and raw[start] not in "\"'":
        start += 1
    quotes = 3 if raw[start : start + 3] in ('"""', "'''") and len(raw) >= start + 6 else 1
    return raw[:start].lower(), raw[start + quotes : -quotes]


def unescape(content: str, raw: bool) -> str:
    """The value of a literal's content; escapes by character name are left as they stand."""
    if raw or "\\" not in content:
        return content
    return _escape.sub(_one, content)


def _one(match: re.Match[str]) -> str:
    octal, short, middle, long, other = match.groups()
    if other is not None:
        return _ESCAPES.get(other, match.group())
    number = int(octal, 8) if octal else int(short or middle or long, 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else match.group()


def string_value(w: Walk, node: Node) -> ExpressionRow | None:
    """The row of a string literal, or None if it is one with interpolations."""
    start, end = node.start_byte, node.end_byte
    source = w.source
    quote = source[start]
    if end - start > 4 * MAX_STRING:
        prefix = source[start : start + 2].lower() if quote not in "\"'" else ""
        if "f" in prefix:
            return None
        return ("literal", "bytes") if "b" in prefix else ("literal", "str")
    if (quote == '"' or quote == "'") and source[start + 1] != quote:
        content = source[start + 1 : end - 1]
        if content.isascii() and "\\" not in content:
            return ("literal", "str", content) if len(content) <= MAX_STRING else ("literal", "str")
    prefix, content = split(source[start:end])
    if "f" in prefix or "t" in prefix:
        return None
    if "b" in prefix:
        return ("literal", "bytes")
    value = unescape(decode(content), "r" in prefix)
    return ("literal", "str", value) if len(value) <= MAX_STRING else ("literal", "str")


def plain_string(w: Walk, node: Node) -> str | None:
    """The value of a short string literal; None for any other."""
    row = string_value(w, node)
    return row[2] if row is not None and len(row) == 3 else None


def affixes(w: Walk, node: Node) -> ExpressionRow | None:
    """The row of an f-string that spells a name around what it puts in, `f"visit_{kind}"`; None for any other."""
    texts = [""]
    for child in node.children:
        if child.kind_id == _CONTENT:
            texts[-1] += w.source[child.start_byte : child.end_byte]
        elif child.kind_id == _INTERPOLATION:
            texts.append("")
    return name_of(texts)


def name_of(texts: list[str]) -> ExpressionRow | None:
    """The row of a text of which only some parts are known, in order, where it spells a name."""
    prefix, suffix = texts[0], texts[-1]
    if len(texts) < 2 or not _NAME.fullmatch("".join(texts)) or len(prefix) + len(suffix) > MAX_STRING:
        return None
    return ("literal", "affix", prefix, suffix)


def integer_key(w: Walk, node: Node) -> ExpressionRow:
    """The row of an integer literal that is a key or an index."""
    digits = w.source[node.start_byte : node.end_byte]
    if len(digits) < 10 and digits.isdigit():
        return ("literal", "int", int(digits))
    return ("literal", "int")


def constant_key(w: Walk, node: Node) -> ExpressionRow | None:
    """The row of a number, a truth value or None that is a key or a bound; None for anything else."""
    kind = node.kind_id
    if kind == k.INTEGER:
        return integer_key(w, node)
    if kind == k.UNARY_OPERATOR and node.child_count == 2 and node.child(1).kind_id == k.INTEGER:
        row = integer_key(w, node.child(1))
        if len(row) == 3 and w.source[node.start_byte] == "-":
            return ("literal", "int", -row[2])
        return ("literal", "int")
    if kind == k.TRUE or kind == k.FALSE:
        return ("literal", "bool", kind == k.TRUE)
    return None
