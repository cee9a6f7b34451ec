"""From the bytes on disk to the normalised text that extractors read (see `indexer.model`)."""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from typing import NamedTuple

_CODING = re.compile(rb"\A(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))?[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)")
_UTF8_NAMES = frozenset({"utf8", "utf-8", "utf-8-sig", "u8", "utf8mb4", "utf-8-unix", "utf-8-dos", "utf-8-mac"})
# Codecs that are no character encodings, or whose decoders take quadratic time.
_REFUSED = frozenset({"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "mbcs", "oem"})


class Skip(NamedTuple):
    """A file that is listed but not mapped, and why."""

    reason: str


def normalise(raw: bytes) -> tuple[bytes, tuple[str, ...]] | Skip:
    """The source as UTF-8 without BOM, lines ended by a line feed, and notes on what was changed to get there.

    Decoded as declared: by its BOM (UTF-8, UTF-16), else by a PEP 263 coding line, else as UTF-8. What cannot be
    decoded so is read as latin-1, with a note. Text that holds a NUL is binary and gives a `Skip`.
    """
    text, notes = _decoded(raw)
    if b"\0" in text:
        return Skip("binary: NUL byte")
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return text, notes


def _decoded(raw: bytes) -> tuple[bytes, tuple[str, ...]]:
    if raw.startswith(BOM_UTF8):
        raw = raw[len(BOM_UTF8) :]
        declared = "utf-8"
    elif raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        declared = "utf-16"
    else:
        declared = _declared(raw)
    if declared == "utf-8":
        if raw.isascii() or _is_utf8(raw):
            return raw, ()
    elif (decoded := _recoded(raw, declared)) is not None:
        return decoded, (() if decoded == raw else (f"decoded as {declared}",))
    return raw.decode("latin-1").encode(), (f"decoded as latin-1: not valid {declared.upper()}",)


def _declared(raw: bytes) -> str:
    """The encoding a comment in the first two lines names, "utf-8" where there is none."""
    if b"coding" not in raw[:400]:
        return "utf-8"
    match = _CODING.match(raw)
    if match is None:
        return "utf-8"
    name = match[1].decode("ascii").lower().replace("_", "-")
    return "utf-8" if name in _UTF8_NAMES else name


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _recoded(raw: bytes, encoding: str) -> bytes | None:
    if encoding in _REFUSED:
        return None
    try:
        return raw.decode(encoding).encode("utf-8", "replace")
    except (LookupError, UnicodeError, ValueError):
        return None
