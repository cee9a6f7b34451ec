"""What a server is started with, and its limits."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass

from indexer.errors import UsageError

TOKEN = "CODEMAP_TOKEN"
LEAST_TOKEN = 16  # characters


@dataclass(frozen=True, slots=True)
class Settings:
    """Where to listen, whom to answer, and how much of anything.

    token         a client has to show it, as a bearer token; None: none, which only a loopback address may do without
    hosts         names that a client may use for this server; empty: any, where a token is asked for
    body          bytes of a request
    text, name    characters of a question's text, of a symbol's name
    query         characters of a query string
    budget        tokens of an answer
    requests      under way at once; streams of MCP that wait for news apart
    sending       seconds that a request's body may take to come
    seconds       an answer may take
    closing       seconds that answers under way have when the server stops
    """

    host: str = "127.0.0.1"
    port: int = 7802
    token: str | None = None
    hosts: tuple[str, ...] = ()
    body: int = 1 << 20
    text: int = 100_000
    name: int = 1000
    query: int = 8000
    budget: int = 100_000
    requests: int = 256
    sending: float = 10.0
    seconds: float = 30.0
    closing: int = 10

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host)


def checked(settings: Settings) -> Settings:
    """The same. Raises UsageError for a server that anybody could ask anything."""
    if settings.token is None and not settings.loopback:
        raise UsageError(
            f"{settings.host} can be reached from other machines: set {TOKEN} to a secret that clients send as a "
            "bearer token, or keep to 127.0.0.1"
        )
    if settings.token is not None and (len(settings.token) < LEAST_TOKEN or not settings.token.isascii()):
        raise UsageError(f"{TOKEN} has to be at least {LEAST_TOKEN} characters of ASCII")
    return settings


def token_of_environment() -> str | None:
    """The token that clients have to show. It is never an option: those can be read by everyone on the machine."""
    return os.environ.get(TOKEN) or None


def is_loopback(host: str) -> bool:
    """Whether a name or address is that of this machine alone."""
    name = host.strip("[]").lower()
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
