"""Every route, its schema, and what it says to wrong requests."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2

Validate = Callable[[str, object], None]
Ask = Callable[..., None]


def test_questions_are_answered_after_their_schemas(ask: Ask, own_shop: Path, validate: Validate) -> None:
    async def main(client: httpx2.AsyncClient) -> None:
        async def got(schema: str, path: str, **params: Any) -> Any:
            response = await client.get(path, params=params)
            assert response.status_code == 200, response.text
            assert response.headers["codemap-schema"] == f"codemap/{schema}/1"
            validate(schema, response.json())
            assert response.json()["schema"] == f"codemap/{schema}/1"
            return response.json()

        response = await client.post("/v1/subgraph", json={"text": "who logs in", "budget": 800})
        validate("subgraph", response.json())
        assert response.json()["tokens"]["estimate"] <= 800
        assert "login" in [node["qualname"] for node in response.json()["nodes"]]

        more = {"text": "who logs in", "expand": ["shop/auth.py:login"], "explain": True, "include_bodies": "auto"}
        wide = await client.post("/v1/subgraph", json={**more, "hops": 1})
        validate("subgraph", wide.json())
        assert all(node["why"] for node in wide.json()["nodes"])
        assert max(node.get("hop", 0) for node in wide.json()["nodes"]) == 1
        assert "remember" in next(node["body"] for node in wide.json()["nodes"] if node["qualname"] == "login")
        assert "why" not in response.json()["nodes"][0]

        (symbol,) = (await got("symbol", "/v1/symbols/shop/auth.py:login"))["symbols"]
        assert (symbol["start_line"], symbol["end_line"]) == (6, 13)
        callers = await got("relations", "/v1/callers", name="rotate_token")
        assert [(edge["symbol"]["qualname"], edge["line"]) for edge in callers["edges"]] == [("login", 12)]
        callees = await got("relations", "/v1/callees", name="logout")
        assert {edge["symbol"]["qualname"] for edge in callees["edges"]} == {"current_session", "Session.flush"}
        assert (await got("relations", "/v1/references", name="login"))["relation"] == "references"
        route = await got("path", "/v1/path", **{"from": "login", "to": "new_token"})
        assert len(route["edges"]) == 2
        impact = await got("impact", "/v1/impact", symbol="rotate_token")
        assert "login" in str(impact)
        assert (await got("status", "/v1/status"))["root"] == str(own_shop)

        text = await client.get("/v1/callers", params={"name": "rotate_token", "form": "text"})
        assert text.headers["content-type"] == "text/plain; charset=utf-8"
        assert text.text.startswith("callers of shop/auth.py:rotate_token:21-22: 1 place in 1 file\n")

        report = await client.post("/v1/update", json={})
        validate("report", report.json())
        assert report.json()["unchanged"] is True
        assert (await client.post("/v1/update", json={"wait": False})).status_code == 202

    ask(main)


def test_what_is_wrong_is_said(ask: Ask, validate: Validate) -> None:
    async def main(client: httpx2.AsyncClient) -> None:
        async def refused(status: int, code: str, said: str, method: str, path: str, **more: Any) -> Any:
            response = await client.request(method, path, **more)
            assert response.status_code == status, response.text
            assert response.headers["codemap-schema"] == "codemap/error/1"
            validate("error", response.json())
            assert response.json()["code"] == code
            assert said in response.json()["message"]
            return response.json()

        subgraph = "/v1/subgraph"
        missing = await refused(404, "not_found", "no symbol is called logn", "GET", "/v1/symbols/logn")
        assert missing["names"] == ["login"]
        small = await refused(
            422, "budget_too_small", "the smallest", "POST", subgraph, json={"text": "login", "budget": 5}
        )
        fitting = await client.post(subgraph, json={"text": "login", "budget": small["smallest"]})
        assert fitting.status_code == 200
        await refused(422, "usage", "text: field required", "POST", subgraph, json={})
        await refused(422, "usage", "text: ", "POST", subgraph, json={"text": ""})
        await refused(422, "usage", "text: ", "POST", subgraph, json={"text": "x" * 100_001})
        await refused(422, "usage", "budget: ", "POST", subgraph, json={"text": "x", "budget": 100_001})
        await refused(422, "usage", "budget: ", "POST", subgraph, json={"text": "x", "budget": "500"})
        await refused(422, "usage", "hops: ", "POST", subgraph, json={"text": "x", "hops": 11})
        await refused(422, "usage", "include_bodies", "POST", subgraph, json={"text": "x", "include_bodies": "all"})
        await refused(422, "usage", "expand: ", "POST", subgraph, json={"text": "x", "expand": ["n"] * 51})
        gone = await refused(404, "not_found", "logn", "POST", subgraph, json={"text": "login", "expand": ["logn"]})
        assert gone["names"] == ["login"]
        await refused(422, "usage", "budgt: ", "POST", subgraph, json={"text": "x", "budgt": 5})
        await refused(
            400, "usage", "no JSON", "POST", subgraph, content=b"{", headers={"content-type": "application/json"}
        )
        await refused(413, "too_large", "1048576 bytes", "POST", subgraph, content=b"x" * (1 << 20) + b"x")
        await refused(414, "too_large", "8000 characters", "GET", "/v1/callers", params={"name": "x" * 8000})
        await refused(422, "usage", "name: ", "GET", "/v1/callers", params={"name": "x" * 1001})
        await refused(422, "usage", "name: ", "GET", "/v1/callers")
        await refused(404, "not_found", "is not served here", "GET", "/v1/status", params={"repo": "/etc"})
        await refused(404, "not_found", "not calibrated", "POST", subgraph, json={"text": "login", "model": "m"})
        await refused(400, "usage", "nothing", "GET", "/v1/impact", params={"diff": "nothing"})
        await refused(404, "no_such_place", "/docs", "GET", "/v2/subgraph")
        await refused(405, "no_such_method", "/docs", "GET", subgraph)
        await refused(
            406, "schema", "major version 1", "GET", "/v1/status", headers={"codemap-schema": "codemap/status/2"}
        )
        for wanted in ("1", "1.7", "codemap/status/1"):
            assert (await client.get("/v1/status", headers={"codemap-schema": wanted})).status_code == 200

    ask(main)


def test_a_stale_map_is_refused_and_brought_up_to_date(ask: Ask, own_shop: Path, validate: Validate) -> None:
    async def main(client: httpx2.AsyncClient) -> None:
        auth = own_shop / "shop" / "auth.py"
        question = {"name": "login"}
        assert (await client.get("/v1/callers", params=question)).status_code == 200
        auth.write_text("\n" + auth.read_text())
        stale = await client.get("/v1/callers", params=question)
        assert (stale.status_code, stale.headers["retry-after"]) == (409, "2")
        validate("error", stale.json())
        assert stale.json()["staleness"]["differing"] == ["shop/auth.py"]
        for _ in range(100):  # the update was started by the refusal
            fresh = await client.get("/v1/callers", params=question)
            if fresh.status_code == 200:
                break
            await asyncio.sleep(0.1)
        assert fresh.json()["symbols"][0]["start_line"] == 7
        auth.write_text("\n" + auth.read_text())
        known = await client.get("/v1/callers", params={**question, "on_stale": "warn"})
        assert (known.status_code, known.json()["staleness"]["fresh"]) == (200, False)
        said = await client.get("/v1/status")
        assert (said.status_code, said.json()["staleness"]["differing"]) == (200, ["shop/auth.py"])
        assert known.json()["symbols"][0]["start_line"] == 7
        waited = await client.get("/v1/callers", params={**question, "on_stale": "refresh"})
        assert waited.json()["staleness"]["fresh"], waited.json()
        assert (waited.json()["staleness"]["fresh"], waited.json()["symbols"][0]["start_line"]) == (True, 8)

    ask(main)


def test_several_repositories_are_told_apart(ask: Ask, own_shop: Path, tmp_path: Path) -> None:
    other, twin = tmp_path / "other", tmp_path / "deep" / "other"
    for folder in (other, twin):
        shutil.copytree(own_shop, folder)
        (folder / "shop" / "more.py").write_text(f"def only_{folder.parent.name}():\n    pass\n".replace("-", "_"))

    async def main(client: httpx2.AsyncClient) -> None:
        async def status(repo: str | None) -> httpx2.Response:
            return await client.get("/v1/status", params={} if repo is None else {"repo": repo})

        assert "name one as repo" in (await status(None)).json()["message"]
        assert (await status("shop")).json()["root"] == str(own_shop)
        assert (await status(str(twin))).json()["root"] == str(twin)
        assert (await status(str(twin / "shop" / "more.py"))).json()["root"] == str(twin)
        assert (await status("other")).json()["names"] == ["shop", str(other), str(twin)]
        found = await client.get("/v1/symbols/only_deep", params={"repo": str(twin)})
        assert found.json()["symbols"][0]["path"] == "shop/more.py"
        assert (await client.get("/v1/symbols/only_deep", params={"repo": str(other)})).status_code == 404

    ask(main, other, twin)
