"""How commits are read, by the languages that are known."""

from __future__ import annotations

import hashlib
import re
from functools import cache

from indexer.languages import LANGUAGES, by_name, language_of

VERSION = 1
"""Raised with every change of the history stage after which the same commit could give other facts."""


@cache
def rules_fingerprint() -> str:
    """Changes with whatever could give other facts for the same commit."""
    rules = [(language.name, language.extensions, language.definition_lines) for language in LANGUAGES]
    return f"{VERSION}-{hashlib.sha256(repr(sorted(rules)).encode()).hexdigest()[:12]}"


def outline_of(path: str) -> re.Pattern[bytes] | None:
    """The rule for lines that begin a definition in a file."""
    language = language_of(path)
    return None if language is None else _outline(language)


@cache
def _outline(language: str) -> re.Pattern[bytes] | None:
    rule = by_name(language).definition_lines
    return re.compile(rule) if rule else None
