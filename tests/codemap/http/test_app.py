"""OpenAPI, figures, and the routes of the meter."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from jsonschema import Draft202012Validator

Ask = Callable[..., None]
Validate = Callable[[str, object], None]


@pytest.fixture(autouse=True)
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEMAP_LEDGER", str(tmp_path / "ledger.db"))


def test_openapi_has_the_published_schemas(ask: Ask, project_root: Path) -> None:
    async def main(client: httpx2.AsyncClient) -> None:
        described = (await client.get("/openapi.json")).json()
        page = await client.get("/docs")
        assert page.headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha256-")
        assert all(path.replace("{", "").split("}")[0] in page.text.replace("{", "") for path in described["paths"])
        assert all(f'id="{name}"' in page.text for name in described["components"]["schemas"])
        schemas = described["components"]["schemas"]
        for file in (project_root / "docs" / "schema").glob("*.json"):
            published = json.loads(file.read_text(encoding="utf-8"))
            assert schemas[file.stem]["title"] == published["title"]
            assert schemas[file.stem].get("properties", {}).keys() == published.get("properties", {}).keys()
        for path, methods in described["paths"].items():
            for method in methods.values():
                if path.startswith("/v1/"):
                    assert method["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
        # References lead somewhere, and an answer passes them.
        root = {"$ref": "#/components/schemas/relations", "components": described["components"]}
        answer = (await client.get("/v1/callers", params={"name": "login"})).json()
        Draft202012Validator(root).validate(answer)
        assert not Draft202012Validator(root).is_valid({**answer, "more": 1})

    ask(main)


def test_figures_and_answers_that_are_given_again(ask: Ask, own_shop: Path) -> None:
    async def main(client: httpx2.AsyncClient) -> None:
        async def figure(line: str) -> float:
            rows = (await client.get("/metrics")).text.splitlines()
            return float(next(row for row in rows if row.startswith(line + " ")).rpartition(" ")[2])

        question = {"text": "who logs in", "budget": 500}
        answers = [(await client.post("/v1/subgraph", json=question)).text for _ in range(3)]
        assert answers[0] == answers[1] == answers[2]
        assert await figure('codemap_requests_total{route="/v1/subgraph",status="200"}') == 3
        assert await figure('codemap_answers_total{from="made"}') == 1
        assert await figure('codemap_answers_total{from="cached"}') == 2
        assert await figure('codemap_map_ready{repo="shop"}') == 1
        await client.post("/v1/subgraph", json={**question, "budget": 501})
        assert await figure('codemap_answers_total{from="made"}') == 2
        (own_shop / "codemap.toml").write_text("hops = 0\n")
        less = (await client.post("/v1/subgraph", json=question)).json()
        assert {node.get("hop", 0) for node in less["nodes"]} == {0}  # what the configuration says now

    ask(main)


def test_answers_are_metered_where_it_is_asked_for(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main(client: httpx2.AsyncClient) -> None:
        async def noted() -> dict[str, int]:
            rows = (await client.get("/v1/meter", params={"map": True, "by": "command"})).json()["rows"]
            return {row["key"]: row["answers"] for row in rows}

        await client.get("/v1/callers", params={"name": "login"})
        assert await noted() == {}
        monkeypatch.setenv("CODEMAP_METER", "1")
        for _ in range(2):  # made, and given again
            await client.get("/v1/callers", params={"name": "login"})
        await client.get("/v1/callers", params={"name": "logn"})
        assert await noted() == {"callers": 2}

    ask(main)


def test_the_meter_and_budgets(ask: Ask, validate: Validate) -> None:
    async def main(client: httpx2.AsyncClient) -> None:
        async def budget(action: str, status: int = 200, **more: Any) -> Any:
            response = await client.post("/v1/budget", json={"action": action, **more})
            assert response.status_code == status, response.text
            if status == 200 and action != "release":
                validate("budget", response.json())
                return response.json()["tasks"][0]
            return response.json()

        await budget("set", task="t", input=100, output=50)
        assert (await budget("check", task="t", input=90))["state"] == "warn"
        held = await budget("reserve", task="t", input=60, output=10)
        assert (await budget("reserve", task="t", input=60))["state"] == "stop"
        usage = {"id": "r1", "usage": {"prompt_tokens": 30, "completion_tokens": 5}}
        recorded = await client.post(
            "/v1/meter", json={"response": usage, "task": "t", "reservation": held["reservation"]}
        )
        validate("meter-record", recorded.json())
        again = await client.post("/v1/meter", json={"response": usage, "task": "t"})
        assert (recorded.json()["new"], again.json()["new"]) == (True, False)
        report = (await client.get("/v1/meter")).json()
        validate("meter-report", report)
        assert (report["total"]["calls"], report["total"]["input"], report["total"]["output"]) == (1, 30, 5)
        validate("meter-map", (await client.get("/v1/meter", params={"map": True})).json())
        assert (await budget("raise", task="t", input=5))["limit"] == {"input": 105, "output": 55}
        held = await budget("reserve", task="t", input=1)
        assert (await budget("release", reservation=held["reservation"])) == {"released": True}
        shown = (await client.get("/v1/budget", params={"task": "t"})).json()
        assert shown["tasks"][0]["left"] == {"input": 75, "output": 50}
        await budget("release", 400)
        await budget("set", 400, task="t")
        await budget("check", 400)
        await budget("raise", 404, task="unknown", input=1)
        assert (await client.get("/v1/budget", params={"task": "unknown"})).status_code == 404
        assert (await client.post("/v1/meter", json={"response": {}})).status_code == 400
        assert (await client.get("/v1/meter", params={"by": "weather"})).status_code == 400

    ask(main)
