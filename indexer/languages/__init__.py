"""The registry: every language codemap knows, and the only place to add one."""

from __future__ import annotations

from indexer.languages.base import Language
from indexer.languages.javascript import JavaScript
from indexer.languages.python import Python
from indexer.languages.typescript import Tsx, TypeScript

LANGUAGES: tuple[Language, ...] = (Python(), JavaScript(), TypeScript(), Tsx())

_BY_NAME = {language.name: language for language in LANGUAGES}
_BY_EXTENSION = {extension: language.name for language in LANGUAGES for extension in language.extensions}


def language_of(path: str) -> str | None:
    """Name of the language of a file, by the extension of its name; None for files that are not source."""
    name = path.rpartition("/")[2]
    stem, dot, extension = name.rpartition(".")
    return _BY_EXTENSION.get(dot + extension) if stem else None


def by_name(name: str) -> Language:
    """The language of that name; KeyError for a name that is not registered."""
    return _BY_NAME[name]
