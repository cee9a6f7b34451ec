"""Who is let in, and with how much: the outermost layer of the service, before anything of a request is looked at.

A page in a browser can send requests to this machine, under a name that its owner made to point here; so the name asked
for (Host) and the page asking (Origin) are checked, though nobody beyond this machine can connect.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from urllib.parse import urlsplit

from fastapi.responses import Response
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from codemap.http.metrics import Metrics
from codemap.http.problems import SCHEMA, problem
from codemap.http.settings import Settings, is_loopback

_log = logging.getLogger(__name__)

OPEN = ("/healthz", "/readyz")
"""What is asked by machines that hold no token, and tells nothing."""

MCP = "/mcp"

CLOSING = {"connection": "close"}  # the rest of the body is not read


class RefusedBodyError(Exception):
    """A body is larger than it may be, or takes longer to come."""


class Guard:
    """Checks Host, Origin, token, sizes and how many requests are under way; counts and times what it lets through."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self._app = app
        self._settings = settings
        self._metrics = metrics
        self._under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self._refused(scope)
        if refused is not None:
            self._metrics.count("refused", refused.status_code, 0.0)
            await refused(scope, receive, send)
            return
        if scope["path"] == MCP and scope["method"] == "GET":  # a stream that stays open, one for each session
            await self._app(scope, receive, send)
            return
        if self._under_way >= self._settings.requests:
            self._metrics.count("refused", 429, 0.0)
            message = f"{self._settings.requests} requests are under way: try again"
            await problem(429, "too_many", message)(scope, receive, send)
            return
        await self._watched(scope, receive, send)

    async def _watched(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = 0
        began = time.perf_counter()
        body = _Body(receive, self._settings)

        async def noted(message: Message) -> None:
            nonlocal status
            if body.refused is not None and not status:
                return  # whatever is made of half a body
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self._under_way += 1
        self._metrics.under_way = self._under_way
        try:
            try:
                await self._app(scope, body.receive, noted)
            except RefusedBodyError:
                pass  # told below
            except Exception as error:
                if body.refused is None:
                    raise
                _log.warning("after a refused body: %s: %s", type(error).__name__, error)  # made of half a body
            if body.refused is not None and not status:
                status = body.refused.status_code
                await body.refused(scope, receive, send)
        finally:
            self._under_way -= 1
            self._metrics.under_way = self._under_way
            path = MCP if scope["path"] == MCP else getattr(scope.get("route"), "path", "none")
            self._metrics.count(path, status or 500, time.perf_counter() - began)

    def _refused(self, scope: Scope) -> Response | None:
        """The answer to who is not let in, else None."""
        headers = Headers(scope=scope)
        if not self._knows_host(headers.get("host", "")):
            return problem(421, "host", "this server does not go by that name: start it with --allow-host NAME")
        origin = headers.get("origin")
        if origin is not None and not self._knows_origin(origin):
            return problem(403, "origin", "pages of another origin may not ask this server")
        if self._settings.token is not None and scope["path"] not in OPEN and not self._knows_token(headers):
            bearer = {"www-authenticate": 'Bearer realm="codemap"'}
            return problem(401, "token", "send the token as `Authorization: Bearer …`", headers=bearer)
        if len(scope.get("query_string", b"")) + len(scope["path"]) > self._settings.query:
            return problem(414, "too_large", f"an address may have {self._settings.query} characters at most")
        wanted = headers.get("codemap-schema")
        if wanted is not None and not _has_major(wanted):
            return problem(406, "schema", f"answers are of major version 1 of their schemas, not {wanted[:40]}")
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > self._settings.body:
            return _too_large(self._settings)
        return None

    def _knows_host(self, host: str) -> bool:
        name = _name(host)
        if name in self._settings.hosts or is_loopback(name):
            return True
        # Beyond this machine the token says who may ask, under whatever name; a page in a browser does not have it.
        return self._settings.token is not None and not self._settings.hosts

    def _knows_origin(self, origin: str) -> bool:
        name = (urlsplit(origin).hostname or "") if "://" in origin else ""
        return name in self._settings.hosts or is_loopback(name)

    def _knows_token(self, headers: Headers) -> bool:
        kind, _, given = headers.get("authorization", "").partition(" ")
        right = self._settings.token or ""
        return kind.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), right.encode())


class _Body:
    """The body as it comes, as long as it is no larger than it may be, and there in time: neither need have been told.

    refused   what to answer where it was not
    """

    def __init__(self, receive: Receive, settings: Settings) -> None:
        self._receive = receive
        self._settings = settings
        self._until = asyncio.get_running_loop().time() + settings.sending
        self._size = 0
        self._whole = False
        self.refused: Response | None = None

    async def receive(self) -> Message:
        """The next part; when all are there, that the client has gone."""
        if self.refused is not None:
            raise RefusedBodyError
        if self._whole:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError as error:
            seconds = f"{self._settings.sending:g} s"
            self.refused = problem(408, "too_slow", f"a body has to come within {seconds}", headers=CLOSING)
            raise RefusedBodyError from error
        self._size += len(message.get("body", b""))
        if self._size > self._settings.body:
            self.refused = _too_large(self._settings)
            raise RefusedBodyError
        self._whole = not message.get("more_body", False)
        return message


def _too_large(settings: Settings) -> Response:
    return problem(413, "too_large", f"a body may have {settings.body} bytes at most", headers=CLOSING)


def _name(host: str) -> str:
    """The name in a Host header, without the port."""
    if host.startswith("["):
        return host.partition("]")[0].removeprefix("[").lower()
    return host.rpartition(":")[0].lower() if ":" in host else host.lower()


def _has_major(wanted: str) -> bool:
    """Whether a client asks for what is served: `1`, `1.2` or `codemap/subgraph/1`."""
    major = SCHEMA.rpartition("/")[2]
    return wanted.rpartition("/")[2].partition(".")[0].strip() == major
