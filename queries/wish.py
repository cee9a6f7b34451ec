"""What may be asked of a subgraph beside its words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wish:
    """Nothing of it is asked for by default.

    expand    names of symbols, more of whose neighbours are shown
    after     the cursor of an answer to the same question: go on where that ended
    explain   say for each symbol what brought it in
    """

    expand: tuple[str, ...] = ()
    after: str | None = None
    explain: bool = False


NOTHING_MORE = Wish()
