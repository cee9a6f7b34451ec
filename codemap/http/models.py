"""What requests may hold, beyond which they are refused with the reason."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field

MOST_TEXT = 100_000  # characters
MOST_NAME = 1000
MOST_NAMES = 50
MOST_BUDGET = 100_000  # tokens
MOST_SECONDS = 10**9

Form = Literal["json", "text"]
OnStale = Literal["refresh", "warn", "refuse"]

Name = Annotated[str, Field(min_length=1, max_length=MOST_NAME)]
Budget = Annotated[int, Field(ge=0, le=MOST_BUDGET)]

RepoQuery = Annotated[
    str | None, Query(description="Name or path of a served repository; needed where there are several.")
]
FormQuery = Annotated[Form, Query(description="How to answer; `text` is what a model reads.")]
StaleQuery = Annotated[
    OnStale | None, Query(description="What becomes of a map that is too old; default: as configured.")
]
AgeQuery = Annotated[
    int | None, Query(ge=0, le=MOST_SECONDS, description="Seconds that the map may be behind the newest commit.")
]


class Closed(BaseModel):
    """A body with the fields that are there and no others."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SubgraphBody(Closed):
    """`POST /v1/subgraph`."""

    text: Annotated[str, Field(min_length=1, max_length=MOST_TEXT)]
    budget: Budget | None = None
    hops: Annotated[int, Field(ge=0, le=10)] | None = None
    include_bodies: Annotated[
        bool | Literal["auto"], Field(description="Fill what is left with source; `auto` is the same as true.")
    ] = False
    expand: Annotated[
        list[Name], Field(max_length=MOST_NAMES, description="Symbols, more of whose neighbours are shown.")
    ] = []
    explain: Annotated[bool, Field(description="Say for each symbol what brought it in.")] = False
    model: Name | None = None
    after: Name | None = None
    form: Form = "json"
    repo: Name | None = None
    on_stale: OnStale | None = None
    max_age: Annotated[int, Field(ge=0, le=MOST_SECONDS)] | None = None


class UpdateBody(Closed):
    """`POST /v1/update`."""

    repo: Name | None = None
    full: bool = False
    wait: bool = True


class MeterBody(Closed):
    """`POST /v1/meter`: a provider's response, or its usage alone."""

    response: dict[str, Any]
    task: Name | None = None
    caller: Name | None = None
    model: Name | None = None
    request_id: Name | None = None
    reservation: Name | None = None


Tokens = Annotated[int, Field(ge=0, le=10**15)]


class BudgetBody(Closed):
    """`POST /v1/budget`: one of the things that can be done about a task's budget.

    set, raise              `input` and `output` are limits, or what is added to them
    check, reserve          they are what a call may take; an output that is not told may be all that is left
    release                 gives back `reservation`
    """

    action: Literal["set", "raise", "check", "reserve", "release"]
    task: Name | None = None
    input: Tokens | None = None
    output: Tokens | None = None
    warn_percent: Annotated[int, Field(ge=1, le=100)] = 80
    reservation: Name | None = None
