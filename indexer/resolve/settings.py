"""Reading configuration that nobody vouches for: size-limited, never executed, and ignored when it makes no sense."""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Callable
from typing import Any, TypeAlias

Read: TypeAlias = Callable[[str], bytes | None]

MAX_BYTES = 1_000_000
"""Larger configuration files are ignored."""

# Strings are matched first so that what looks like a comment in one is left alone. Unterminated strings and comments
# run to the end, which keeps the scan linear.
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"?'
_COMMENT = re.compile(rf"({_STRING})|//[^\n\r]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?", re.DOTALL)
_TRAILING_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])", re.DOTALL)


def read_text(read: Read, path: str) -> str:
    """The file's text; "" when it is absent, too large or not UTF-8."""
    data = read(path)
    if data is None or len(data) > MAX_BYTES:
        return ""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return ""


def read_json(read: Read, path: str) -> dict[str, Any]:
    """A JSON object, comments and trailing commas allowed; {} when there is none."""
    text = read_text(read, path)
    if not text:
        return {}
    try:
        value = json.loads(text)
    except ValueError:
        value = _tolerant(text)
    except RecursionError:
        return {}
    return value if isinstance(value, dict) else {}


def _tolerant(text: str) -> Any:
    text = _COMMENT.sub(lambda match: match[1] or " ", text)
    text = _TRAILING_COMMA.sub(lambda match: match[1] or "", text)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def read_toml(read: Read, path: str) -> dict[str, Any]:
    """A TOML document; {} when it is absent or malformed."""
    try:
        return tomllib.loads(read_text(read, path))
    except (ValueError, RecursionError):
        return {}


def read_ini(read: Read, path: str) -> configparser.RawConfigParser:
    """An INI document, without interpolation; empty when it is absent or malformed."""
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(read_text(read, path))
    except (configparser.Error, ValueError):
        return configparser.RawConfigParser()
    return parser


def table(value: Any, *keys: str) -> dict[str, Any]:
    """The table at `keys` in nested tables; {} when any of them is not one."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def texts(value: Any) -> tuple[str, ...]:
    """The strings of a string or list of strings; anything else gives none."""
    if isinstance(value, str):
        return (value,)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
