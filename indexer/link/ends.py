"""What becomes of the links of a chain, as states and edges."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from indexer.link.callees import Callee
from indexer.link.flows import Flow

RESOLVED: Final = "resolved"
EXTERNAL: Final = "external"
PENDING: Final = "pending"

NOBODY: Final = ("", -1)

Edge: TypeAlias = tuple[str, int, str, str, tuple[str, int]]
"""path, symbol, kind, evidence, receiver (see `Callee`)."""


class Outcome(NamedTuple):
    """What became of one link of a chain."""

    state: str  # resolved | external | pending | "unresolved: <reason>"
    targets: tuple[tuple[str, int], ...]  # (path, symbol) of what is named
    callees: tuple[Callee, ...]  # what runs if it is called, or because it is read
    flows: tuple[Flow, ...] = ()
    receiver: tuple[str, int] = NOBODY  # pending: the class the member was looked for in; `~number`: it surely lacks it
    read: tuple[tuple[str, int], ...] = ()  # attributes that are named beside the functions that run
    held: tuple[tuple[tuple[str, int], tuple[str, int]], ...] = ()
    """Attributes that are called, each with the class of the receiver: subclasses may have something else there."""
    spelled: str = ""  # pending: the part of the name that is known, see `indexer.evidence.ANY`


class Links(NamedTuple):
    """What became of a whole chain: the state of each link, and the edges of all together."""

    states: tuple[str, ...]
    edges: tuple[Edge, ...]
    flows: tuple[Flow, ...] = ()
    receiver: tuple[str, int] = NOBODY  # of the last link, if that is pending
    spelled: str = ""  # as of an outcome
    after: tuple[str, int] = NOBODY  # the class after which `super()` looked for the last link, and found nothing


NOTHING: Final = Outcome(RESOLVED, (), ())
OUTSIDE: Final = Outcome(EXTERNAL, (), ())
WAITING: Final = Outcome(PENDING, (), ())

READ: Final = 0
CALL: Final = 1
BASE: Final = 2
WRITE: Final = 3
THROW: Final = 4
DELETE: Final = 5
"""What a chain is there for: the edges of its last link depend on it."""


Plan: TypeAlias = tuple[tuple[str, ...], tuple[tuple[int, str, str, int], ...], str | None, int]
"""What each occurrence of a chain adds: states; edges (target id, kind, evidence, receiver id); the member it calls on
a receiver that is not known, or not to have it; that receiver's class, or 0."""


def links(outcomes: list[Outcome], use: int) -> Links:
    """Outcomes put together. The last link of a base makes no edge: the class does."""
    edges: list[Edge] = []
    flows: tuple[Flow, ...] = ()
    for outcome in outcomes[:-1] if use == BASE else outcomes:
        if outcome.callees:
            edges += [(path, number, "calls", evidence, about) for path, number, evidence, about in outcome.callees]
            flows += outcome.flows
            edges += [(path, number, "references", "scope", NOBODY) for path, number in outcome.read]
            edges += [(path, number, "references", "scope", about) for (path, number), about in outcome.held]
        elif outcome.targets:
            held = dict(outcome.held)
            edges += [
                (path, number, "references", "scope", held.get((path, number), NOBODY))
                for path, number in outcome.targets
            ]
    return Links(
        tuple([outcome.state for outcome in outcomes]), tuple(edges), flows, outcomes[-1].receiver, outcomes[-1].spelled
    )


def together(first: Links, following: Links) -> Links:
    """The links of a chain's head and those of the rest."""
    return Links(
        first.states + following.states,
        first.edges + following.edges,
        first.flows + following.flows,
        following.receiver,
        following.spelled,
        following.after,
    )
