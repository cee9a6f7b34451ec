"""Errors as answers: `codemap/error/1`, with a status that says whose fault it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from codemap.render.json import dumps
from indexer.errors import (
    AmbiguousError,
    BudgetTooSmallError,
    BusyError,
    CodemapError,
    ConfigError,
    NotFoundError,
    RepositoryError,
    StaleMapError,
    StoreError,
    UsageError,
)

if TYPE_CHECKING:
    from queries.answers import Staleness

SCHEMA = "codemap/error/1"
RETRY_SECONDS = 2
SHOWN_NAMES = 20

STATUSES: tuple[tuple[type[CodemapError], int, str], ...] = (
    (ConfigError, 500, "configuration"),
    (UsageError, 400, "usage"),
    (NotFoundError, 404, "not_found"),
    (AmbiguousError, 422, "ambiguous"),
    (BudgetTooSmallError, 422, "budget_too_small"),
    (StaleMapError, 409, "stale"),
    (RepositoryError, 404, "repository"),
    (BusyError, 503, "busy"),
    (StoreError, 503, "no_map"),
)


def problem(
    status: int,
    code: str,
    message: str,
    *,
    names: tuple[str, ...] = (),
    smallest: int | None = None,
    staleness: Staleness | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    """An error as an answer."""
    from codemap.render.json import staleness as staleness_json

    body: dict[str, Any] = {
        "schema": SCHEMA,
        "code": code,
        "message": message,
        "names": list(names[:SHOWN_NAMES]),
        "smallest": smallest,
        "staleness": None if staleness is None else staleness_json(staleness),
    }
    more = {"retry-after": str(RETRY_SECONDS)} if status in (409, 429, 503) else {}
    return Response(
        dumps(body) + "\n", status, {"codemap-schema": SCHEMA, **more, **(headers or {})}, "application/json"
    )


def of_error(error: CodemapError) -> Response:
    """The answer to a question that raised `error`."""
    status, code = next((row[1:] for row in STATUSES if isinstance(error, row[0])), (500, "failed"))
    names: tuple[str, ...] = getattr(error, "suggestions", ()) or getattr(error, "choices", ())
    return problem(
        status,
        code,
        " ".join(str(error).split()),
        names=names,
        smallest=getattr(error, "smallest", None),
        staleness=getattr(error, "staleness", None),
    )


async def on_codemap_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, CodemapError)
    return of_error(error)


async def on_invalid(_: Request, error: Exception) -> Response:
    """What the framework found wrong with a request."""
    assert isinstance(error, RequestValidationError)
    wrong = error.errors()[0]
    if wrong["type"] == "json_invalid":
        return problem(400, "usage", "the body is no JSON")
    where = ".".join(str(part) for part in wrong["loc"][1:]) or str(wrong["loc"][0])
    return problem(422, "usage", f"{where[:200]}: {wrong['msg'][:1].lower()}{wrong['msg'][1:]}")


async def on_defect(_: Request, error: Exception) -> Response:
    """What should not happen. The server writes down where it did, and goes on."""
    return problem(500, "defect", f"internal error: {type(error).__name__}")


async def on_http_error(_: Request, error: Exception) -> Response:
    """No such place, no such method."""
    assert isinstance(error, HTTPException)
    codes = {404: "no_such_place", 405: "no_such_method"}
    said = {404: "there is nothing here: /docs lists what is", 405: "this place takes another method: see /docs"}
    code = codes.get(error.status_code, "failed")
    headers = dict(error.headers) if error.headers else None
    return problem(error.status_code, code, said.get(error.status_code, str(error.detail)), headers=headers)
