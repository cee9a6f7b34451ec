"""Questions to the map over HTTP."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response

from codemap.http.asking import Asking, Wanted
from codemap.http.models import (
    MOST_BUDGET,
    MOST_NAME,
    MOST_NAMES,
    AgeQuery,
    FormQuery,
    RepoQuery,
    StaleQuery,
    SubgraphBody,
    UpdateBody,
)
from codemap.http.schemas import answers
from codemap.render.json import dumps
from codemap.service.questions import (
    DEFAULT_IMPACT_HOPS,
    ImpactOf,
    PathOf,
    Relation,
    RelationsOf,
    StatusOf,
    SubgraphOf,
    SymbolOf,
)

NameQuery = Annotated[
    str, Query(min_length=1, max_length=MOST_NAME, description="`login`, `Session.flush`, `a.py:login`")
]
BudgetQuery = Annotated[int | None, Query(ge=0, le=MOST_BUDGET, description="Tokens of the answer.")]


def router(asking: Asking) -> APIRouter:
    """The routes of questions and of updates."""
    routes = APIRouter(prefix="/v1")

    @routes.post("/subgraph", responses=answers("subgraph"))
    async def subgraph(body: SubgraphBody) -> Response:
        """The part of the repository that matters for a text, within a budget."""
        question = SubgraphOf(
            body.text,
            body.budget,
            body.hops,
            include_bodies=bool(body.include_bodies),
            model=body.model,
            after=body.after,
            form=body.form,
            expand=tuple(body.expand),
            explain=body.explain,
        )
        return await asking.answer(body.repo, question, Wanted(body.on_stale, body.max_age))

    @routes.get("/symbols/{name:path}", responses=answers("symbol"))
    async def symbols(
        name: Annotated[str, Path(min_length=1, max_length=MOST_NAME)],
        repo: RepoQuery = None,
        form: FormQuery = "json",
        on_stale: StaleQuery = None,
        max_age: AgeQuery = None,
    ) -> Response:
        """Every symbol that a name fits."""
        return await asking.answer(repo, SymbolOf(name, form=form), Wanted(on_stale, max_age))

    for relation in ("callers", "callees", "references"):
        _relation(routes, asking, relation)

    @routes.get("/impact", responses=answers("impact"))
    async def impact(
        symbol: Annotated[list[str] | None, Query(max_length=MOST_NAMES, description="May be repeated.")] = None,
        diff: Annotated[str | None, Query(max_length=MOST_NAME, description="A commit, or `A..B`.")] = None,
        hops: Annotated[int, Query(ge=1, le=20)] = DEFAULT_IMPACT_HOPS,
        budget: BudgetQuery = None,
        repo: RepoQuery = None,
        form: FormQuery = "json",
        on_stale: StaleQuery = None,
        max_age: AgeQuery = None,
    ) -> Response:
        """What depends on symbols, on what changed since a commit, or on what is not committed."""
        question = ImpactOf(tuple(symbol or ()), diff, hops, budget, form)
        return await asking.answer(repo, question, Wanted(on_stale, max_age))

    @routes.get("/path", responses=answers("path"))
    async def path(
        start: Annotated[str, Query(alias="from", min_length=1, max_length=MOST_NAME)],
        end: Annotated[str, Query(alias="to", min_length=1, max_length=MOST_NAME)],
        repo: RepoQuery = None,
        form: FormQuery = "json",
        on_stale: StaleQuery = None,
        max_age: AgeQuery = None,
    ) -> Response:
        """A shortest chain of edges between two symbols."""
        return await asking.answer(repo, PathOf(start, end, form=form), Wanted(on_stale, max_age))

    @routes.get("/status", responses=answers("status"))
    async def status(repo: RepoQuery = None, form: FormQuery = "json") -> Response:
        """What the map holds, and whether it is fresh."""
        return await asking.answer(repo, StatusOf(form=form), Wanted("warn"))

    @routes.post("/update", responses=answers("report"))
    async def update(body: UpdateBody) -> Response:
        """Bring a map up to date with its files; without `wait`, answer 202 at once."""
        repository = asking.service.repositories.find(body.repo)
        if not body.wait:
            asking.service.update_later(repository, full=body.full)
            return Response(status_code=202)
        report = await asking.service.update(repository, full=body.full)
        return Response(dumps(report) + "\n", 200, {"codemap-schema": "codemap/report/1"}, "application/json")

    return routes


def _relation(routes: APIRouter, asking: Asking, relation: Relation) -> None:
    meanings = {
        "callers": "The places that call a symbol.",
        "callees": "What a symbol calls.",
        "references": "Every place that names a symbol.",
    }

    async def related(
        name: NameQuery,
        repo: RepoQuery = None,
        form: FormQuery = "json",
        on_stale: StaleQuery = None,
        max_age: AgeQuery = None,
    ) -> Response:
        return await asking.answer(repo, RelationsOf(name, relation, form=form), Wanted(on_stale, max_age))

    routes.add_api_route(
        f"/{relation}",
        related,
        methods=["GET"],
        name=relation,
        description=meanings[relation],
        responses=answers("relations"),
    )


def health(asking: Asking) -> APIRouter:
    """Whether the server lives, and whether it can answer."""
    routes = APIRouter()
    repositories = asking.service.repositories.all

    @routes.get("/healthz")
    async def healthz() -> dict[str, Any]:
        """The server lives."""
        return {"status": "ok"}

    @routes.get("/readyz", responses={503: {"description": "Maps are being made."}})
    async def readyz(
        wait: Annotated[float, Query(ge=0, le=60, description="Seconds to wait for it.")] = 0.0,
    ) -> Response:
        """Every map is there."""
        until = time.monotonic() + wait
        while not (ready := all(each.ready for each in repositories)) and time.monotonic() < until:
            await asyncio.sleep(0.1)
        body = {"status": "ok"} if ready else {"status": "not ready"}
        return Response(dumps(body) + "\n", 200 if ready else 503, media_type="application/json")

    return routes
