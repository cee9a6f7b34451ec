"""Characters that could steer a terminal or reorder what is read, made visible.

Names, paths and source come from repositories that may be hostile: control characters (C0, DEL, C1), bidirectional
controls (Unicode Standard Annex 9) and line separators are written as escapes. Lone surrogates, which stand for bytes
that are not UTF-8, cannot be printed and are escaped too.
"""

from __future__ import annotations

import re

_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_LINES = "\u2028\u2029"
_ALWAYS = rf"\x00-\x08\x0b-\x1f\x7f-\x9f{_BIDI}{_LINES}\ud800-\udfff"

_LINE = re.compile(rf"[\t\n{_ALWAYS}]")
_BLOCK = re.compile(rf"[{_ALWAYS}]")
_JSON = re.compile(rf"[\x7f-\x9f{_BIDI}{_LINES}\ud800-\udfff]")

# DEL, C1, U+061C, U+200E/F, U+2028-202E, U+2066-2069 as UTF-8; other bytes of UTF-8 never match these sequences.
_JSON_BYTES = re.compile(rb"\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]")


def line(text: str) -> str:
    """`text` on one line: nothing in it moves a cursor, ends the line or changes the reading order."""
    return text if text.isascii() and text.isprintable() else _LINE.sub(_visible, text)


def block(text: str) -> str:
    """Like `line`, but tabs and line feeds stay: for source code."""
    return _BLOCK.sub(_visible, text)


def json_text(text: str) -> str:
    """Serialised JSON with the characters JSON allows but a terminal should not see as `\\uXXXX`: the same value."""
    return text if text.isascii() and "\x7f" not in text else _JSON.sub(_unicode, text)


def json_bytes(data: bytes) -> bytes:
    """`json_text` for UTF-8 bytes."""
    return _JSON_BYTES.sub(lambda match: _unicode_character(match[0].decode()).encode(), data)


def _visible(match: re.Match[str]) -> str:
    character = match[0]
    if character in _NAMED:
        return _NAMED[character]
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def _unicode(match: re.Match[str]) -> str:
    return _unicode_character(match[0])


def _unicode_character(character: str) -> str:
    return f"\\u{ord(character):04x}"


_NAMED = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
