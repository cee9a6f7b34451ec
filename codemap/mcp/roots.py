"""Which repository a call is about: the one named, the one that holds the client's roots, or the server's own."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

from codemap.home import Home
from codemap.service.maps import chosen, default_home, home_of
from indexer.errors import RepositoryError, UsageError

ASK_SECONDS = 5.0
KNOWN_SECONDS = 60.0  # a client of the newer protocol does not tell when its roots change
KEY = "roots"

Context = ServerRequestContext[Any]


class Roots:
    """The repositories a client has open. For the one client of a process."""

    def __init__(self, default: str) -> None:
        self.default = default
        self._known: tuple[str, ...] | None = None
        self._until = 0.0

    def forget(self) -> None:
        """The client's roots have changed."""
        self._known = None

    async def home(
        self, context: Context, params: types.CallToolRequestParams, named: str | None
    ) -> Home | types.InputRequiredResult:
        """The repository that a call is about, or what has to be asked of the client first.

        named   a file or folder in it, as the model wrote it; relative to a root

        Raises RepositoryError, or UsageError where several are open and none is named.
        """
        folders = await self._folders(context, params)
        if isinstance(folders, types.InputRequiredResult):
            return folders
        if named is not None:
            return _named(named, folders or (self.default,))
        homes = _homes(folders)
        if not homes:
            return default_home(self.default)
        if len(homes) > 1:
            names = ", ".join(str(home.root) for home in homes)
            raise UsageError(f"several repositories are open: say which with repo, one of {names}")
        return homes[0]

    async def _folders(
        self, context: Context, params: types.CallToolRequestParams
    ) -> tuple[str, ...] | types.InputRequiredResult:
        """The folders that the client works in; empty where it does not tell."""
        capabilities = context.session.client_capabilities
        if capabilities is None or capabilities.roots is None:
            return ()
        told = (params.input_responses or {}).get(KEY)
        if isinstance(told, types.ListRootsResult):
            return self._keep(told)
        if self._known is not None and time.monotonic() < self._until:
            return self._known
        if not context.session.can_send_request:
            return types.InputRequiredResult(input_requests={KEY: types.ListRootsRequest()})
        try:
            asked = await context.session.send_request(
                types.ListRootsRequest(), types.ListRootsResult, request_read_timeout_seconds=ASK_SECONDS
            )
        except (MCPError, TimeoutError):  # it says that it has roots, and then does not tell them
            return ()
        return self._keep(asked)

    def _keep(self, told: types.ListRootsResult) -> tuple[str, ...]:
        self._known = tuple(path for root in told.roots if (path := _path(str(root.uri))) is not None)
        self._until = time.monotonic() + KNOWN_SECONDS
        return self._known


def _path(uri: str) -> str | None:
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return None
    return url2pathname(parts.path) if os.name == "nt" else unquote(parts.path)


def _homes(folders: Iterable[str]) -> list[Home]:
    """The repositories that hold the folders, each once; what is no repository is none of them."""
    found: dict[str, Home] = {}
    for folder in folders:
        try:
            home = home_of(folder)
        except RepositoryError:
            continue
        if chosen(home):
            found.setdefault(str(home.root), home)
    return list(found.values())


def _named(place: str, bases: tuple[str, ...]) -> Home:
    """The repository of a place that is named: beneath the first base that has it."""
    error: RepositoryError | None = None
    for base in bases:
        try:
            home = home_of(place, base)
        except RepositoryError as failed:
            error = error or failed
            continue
        if chosen(home):
            return home
        error = error or RepositoryError(
            f"{home.root} is in no git repository and has no map: name a path in a repository"
        )
    assert error is not None
    raise error
