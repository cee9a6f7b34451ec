"""What `codemap doctor` finds, as values."""

from __future__ import annotations

from typing import Literal, NamedTuple

State = Literal["ok", "missing", "wrong"]


class Finding(NamedTuple):
    """One thing that was looked at.

    state   missing: nothing depends on it but what its line says; wrong: something does not work
    advice  what to do; None where all is well
    """

    name: str
    state: State
    text: str
    advice: str | None = None
