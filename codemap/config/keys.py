"""The keys of a configuration file: what each may hold, and the field of `Config` it fills."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from codemap.config.durations import FORM, seconds
from codemap.config.values import ON_STALE

MOST_HOPS = 10
MOST_TOKENS = 10_000_000
MOST_COMMITS = 10_000_000
LONGEST_NAME = 200  # characters


class Key(NamedTuple):
    """One setting."""

    field: str
    allowed: str  # what it may hold, to be read after "has to be"
    value: Callable[[object], object]  # from TOML's value to the field's; raises ValueError for what is not allowed


def _whole(least: int, most: int) -> Callable[[object], int]:
    def value(given: object) -> int:
        if type(given) is not int or not least <= given <= most:  # True is an int, too
            raise ValueError
        return given

    return value


def _truth(given: object) -> bool:
    if not isinstance(given, bool):
        raise ValueError
    return given


def _duration(given: object) -> int:
    if not isinstance(given, str):
        raise ValueError
    return seconds(given)


def _choice(*choices: str) -> Callable[[object], str]:
    def value(given: object) -> str:
        if not isinstance(given, str) or given not in choices:
            raise ValueError
        return given

    return value


def _name(given: object) -> str:
    if not isinstance(given, str) or not 0 < len(given) <= LONGEST_NAME or not given.isprintable():
        raise ValueError
    return given


KEYS: dict[str, Key] = {
    "budget": Key("budget", f"a whole number from 1 to {MOST_TOKENS}", _whole(1, MOST_TOKENS)),
    "hops": Key("hops", f"a whole number from 0 to {MOST_HOPS}", _whole(0, MOST_HOPS)),
    "model": Key("model", f"the name of a model, at most {LONGEST_NAME} characters", _name),
    "max-age": Key("max_age", f"a length of time in quotes: {FORM}", _duration),
    "on-stale": Key("on_stale", "one of " + ", ".join(f'"{each}"' for each in ON_STALE), _choice(*ON_STALE)),
    "submodules": Key("submodules", "true or false", _truth),
    "history": Key("history", f"a whole number from 0 to {MOST_COMMITS}", _whole(0, MOST_COMMITS)),
}
