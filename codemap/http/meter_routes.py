"""The meter and its budgets over HTTP: the person's ledger, as on the command line."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import Response

from codemap.http.models import MOST_NAME, BudgetBody, MeterBody
from codemap.http.schemas import answers
from codemap.render.json import dumps
from indexer.errors import NotFoundError, UsageError


def router() -> APIRouter:
    """The routes; each opens the ledger for itself, in a thread."""
    routes = APIRouter(prefix="/v1")

    @routes.get("/meter", responses=answers("meter-report"))
    def report(
        by: str = "task",
        since: Annotated[str | None, Query(max_length=10)] = None,
        task: Annotated[str | None, Query(max_length=MOST_NAME)] = None,
        map: bool = False,
    ) -> Response:
        """Sums by task, model, caller or day; with `map`, of what answers of the map saved or spent."""
        from codemap.tokens.meter import render
        from codemap.tokens.meter.meter import Meter

        with Meter() as own:
            if map:
                return _json(render.json_map(own.map_report(by, since=since, task=task)), "meter-map")
            return _json(render.json_report(own.report(by, since=since, task=task)), "meter-report")

    @routes.post("/meter", responses=answers("meter-record"))
    def record(body: MeterBody) -> Response:
        """Count a call, once for its request id."""
        from codemap.tokens.meter import render
        from codemap.tokens.meter.meter import Meter

        with Meter() as own:
            recorded = own.record(
                body.response,
                task=body.task,
                caller=body.caller,
                model=body.model,
                request_id=body.request_id,
                reservation=body.reservation,
            )
        return _json(render.json_recorded(recorded), "meter-record")

    @routes.get("/budget", responses=answers("budget"))
    def budgets(task: Annotated[str | None, Query(max_length=MOST_NAME)] = None) -> Response:
        """What a task, or every task that has a budget, has spent and has left."""
        from codemap.tokens.meter import render_budgets
        from codemap.tokens.meter.meter import Meter

        with Meter() as own:
            found = [each for each in own.budgets() if task in (None, each.task)]
        if task is not None and not found:
            raise NotFoundError(f"{task} has no budget")
        return _json(render_budgets.json_budgets(found), "budget")

    @routes.post("/budget", responses=answers("budget"))
    def act(body: BudgetBody) -> Response:
        """Set or raise a limit, ask whether a call fits, set its tokens aside, or give them back."""
        from codemap.tokens.meter import render_budgets
        from codemap.tokens.meter.meter import Meter

        with Meter() as own:
            if body.action == "release":
                if body.reservation is None:
                    raise UsageError("release needs the reservation")
                released = own.release(body.reservation)
                return Response(dumps({"released": released}) + "\n", media_type="application/json")
            return _json(render_budgets.json_budgets([_acted(own, body)]), "budget")

    return routes


def _acted(own: Any, body: BudgetBody) -> Any:
    if body.task is None:
        raise UsageError(f"{body.action} needs a task")
    if body.action in ("set", "raise") and body.input is None:
        raise UsageError(f"{body.action} needs the tokens of input")
    if body.action == "set":
        return own.set_budget(body.task, body.input, output=body.output, warn_percent=body.warn_percent)
    if body.action == "raise":
        return own.raise_budget(body.task, body.input, output=body.output)
    if body.action == "check":
        return own.check(body.task, body.input or 0, output=body.output)
    return own.reserve(body.task, body.input or 0, output=body.output)


def _json(text: str, name: str) -> Response:
    return Response(text, 200, {"codemap-schema": f"codemap/{name}/1"}, "application/json")
