"""The service as an ASGI application."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import ASGIApp

from codemap import __version__
from codemap.http import meter_routes, problems, routes, schemas
from codemap.http.asking import Asking
from codemap.http.guard import MCP, Guard
from codemap.http.mcp_mount import Mounted
from codemap.http.metrics import CONTENT_TYPE, Metrics
from codemap.http.page import page
from codemap.http.settings import Settings
from codemap.service.shared import SharedService
from indexer.errors import CodemapError

Family = tuple[str, str, str, list[tuple[str, dict[str, str], float]]]


def make(service: SharedService, settings: Settings) -> ASGIApp:
    """The application. The service is started and closed with it."""
    metrics = Metrics()
    asking = Asking(service, settings)
    mounted = Mounted(service, settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        service.start()
        try:
            async with mounted.running():
                yield
        finally:
            await service.close()

    app = FastAPI(
        title="codemap",
        version=__version__,
        description="The part of a repository that matters for a task, within a token budget.",
        lifespan=lifespan,
        redirect_slashes=False,
        docs_url=None,  # FastAPI's pages take scripts from elsewhere
        redoc_url=None,
    )
    app.add_exception_handler(CodemapError, problems.on_codemap_error)
    app.add_exception_handler(RequestValidationError, problems.on_invalid)
    app.add_exception_handler(HTTPException, problems.on_http_error)
    app.add_exception_handler(Exception, problems.on_defect)
    app.include_router(routes.router(asking), tags=["map"])
    app.include_router(meter_routes.router(), tags=["meter"])
    app.include_router(routes.health(asking), tags=["server"])
    app.router.routes.append(Route(MCP, mounted))

    @app.get("/metrics", tags=["server"], response_class=Response)
    async def figures() -> Response:
        """Figures for Prometheus."""
        return Response(metrics.text(_families(service)), media_type=CONTENT_TYPE)

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return page(app.openapi())

    _publish(app)
    return Guard(app, settings, metrics)


def _publish(app: FastAPI) -> None:
    """OpenAPI with the published schemas in place of guesses."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
            made.setdefault("components", {}).setdefault("schemas", {}).update(schemas.components())
            app.openapi_schema = made
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _families(service: SharedService) -> Iterator[Family]:
    counts = service.counts
    answers, updates = "codemap_answers_total", "codemap_updates_total"
    yield (
        answers,
        "counter",
        "Answers by how they came about.",
        [(answers, {"from": name}, counts[name]) for name in ("made", "cached")],
    )
    yield (
        updates,
        "counter",
        "Updates of maps.",
        [(updates, {"result": "ok"}, counts["updates"]), (updates, {"result": "failed"}, counts["updates failed"])],
    )
    ready = "codemap_map_ready"
    rows = [(ready, {"repo": each.name}, float(each.ready)) for each in service.repositories.all]
    yield ready, "gauge", "Whether a map is there.", rows
