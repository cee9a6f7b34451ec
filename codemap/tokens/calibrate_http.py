"""How many tokens a provider counts for a text: one request to an OpenAI-compatible endpoint, with care for the key.

The key comes from the environment, goes to the endpoint alone (no redirect is followed) and never into a message.
"""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPException, HTTPMessage
from ipaddress import ip_address
from typing import IO, Any
from urllib.parse import urlsplit

from indexer.errors import CodemapError, UsageError

KEYS = ("CODEMAP_API_KEY", "OPENAI_API_KEY")
BASE_URLS = ("CODEMAP_BASE_URL", "OPENAI_BASE_URL")
BASE_URL = "https://api.openai.com/v1"
TIMEOUT_SECONDS = 60.0
TRIES = 5
LONGEST_WAIT = 60.0  # seconds; a server that asks for more is given up
ANSWER_LIMIT = 1_000_000  # bytes
SHOWN = 200  # characters of a server's own words


class EndpointError(CodemapError):
    """The endpoint cannot be reached, or does not tell what was asked."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to ask. `url` is the base of the interface, ending before `/chat/completions`."""

    url: str
    key: str | None = field(default=None, repr=False)
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)

    @classmethod
    def of(cls, base_url: str | None, environment: Mapping[str, str] = os.environ) -> Endpoint:
        """The endpoint at `base_url`, or the one the environment names, with the key from there.

        Raises UsageError for an address that would show the key to others.
        """
        url = base_url_of(base_url, environment)
        key = next((environment[name].strip() for name in KEYS if environment.get(name)), None)
        if key is None and not _is_loopback(urlsplit(url).hostname or ""):
            raise UsageError(f"no key: set {' or '.join(KEYS)} in the environment")
        if key is not None and not (key.isascii() and key.isprintable()):
            raise UsageError("the key in the environment holds characters that a key cannot have")
        return cls(url, key)

    def count(self, model: str, text: str) -> int:
        """Tokens that the provider counts for a message of `text`, whatever it adds included. Raises EndpointError."""
        body: dict[str, Any] = {"model": model, "messages": [{"role": "user", "content": text}], "max_tokens": 1}
        try:
            answer = self._ask(body)
        except _RefusedParameterError:
            body["max_completion_tokens"] = body.pop("max_tokens")
            try:
                answer = self._ask(body)
            except _RefusedParameterError as refused:
                raise EndpointError(f"{self.url} takes no request for one token: 400{refused}") from refused
        usage = answer.get("usage")
        tokens = usage.get("prompt_tokens") if isinstance(usage, dict) else None
        if not isinstance(tokens, int) or isinstance(tokens, bool) or tokens < 1:
            raise EndpointError(f"{self.url} answered without `usage.prompt_tokens`: it does not say what it counts")
        return tokens

    def _ask(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Ask until there is an answer, waiting as the server asks where it is busy or broken."""
        request = urllib.request.Request(
            f"{self.url}/chat/completions", json.dumps(body).encode(), self._headers(), method="POST"
        )
        for attempt in range(1, TRIES + 1):
            try:
                return self._once(request)
            except _BusyError as busy:
                wait = busy.wait if busy.wait is not None else float(2 ** (attempt - 1))
                if attempt == TRIES or wait > LONGEST_WAIT:
                    raise EndpointError(f"{busy.what} (tried {attempt} times); try again later") from busy
                self.sleep(wait)
        raise AssertionError("unreachable")

    def _once(self, request: urllib.request.Request) -> dict[str, Any]:
        try:
            with self._opener().open(request, timeout=TIMEOUT_SECONDS) as response:
                data = response.read(ANSWER_LIMIT + 1)
        except urllib.error.HTTPError as error:
            with error:
                raise self._failure(error) from None
        except (OSError, HTTPException) as error:  # no connection, no name, a broken or late answer
            reason = getattr(error, "reason", None) or error
            raise _BusyError(f"{self.url} cannot be reached: {self._safe(str(reason))}", None) from None
        try:
            answer = json.loads(data)
        except ValueError:
            raise EndpointError(f"{self.url} does not answer in JSON: is it the base of an OpenAI interface?") from None
        if not isinstance(answer, dict):
            raise EndpointError(f"{self.url} answered something else than a JSON object")
        return answer

    def _failure(self, error: urllib.error.HTTPError) -> Exception:
        """What an HTTP status means for the person."""
        said = self._said(error)
        if error.code == 429 or error.code >= 500:
            return _BusyError(f"{self.url} answered {error.code}{said}", _retry_after(error.headers))
        if error.code == 400 and "max_completion_tokens" in said:
            return _RefusedParameterError(said)
        if 300 <= error.code < 400:
            return EndpointError(f"{self.url} redirects elsewhere, where the key is not sent: name the final address")
        if error.code in (401, 403):
            return EndpointError(f"{self.url} refused the key ({error.code}): check {' or '.join(KEYS)}{said}")
        if error.code == 404:
            return EndpointError(f"{self.url} knows no such model or address (404): check --model and --base-url{said}")
        return EndpointError(f"{self.url} answered {error.code}{said}")

    def _said(self, error: urllib.error.HTTPError) -> str:
        """The server's own words, after a colon; "" where there are none."""
        try:
            content = json.loads(error.read(ANSWER_LIMIT))
            found = content["error"]
            words = found["message"] if isinstance(found, dict) else found
        except (OSError, HTTPException, ValueError, KeyError, TypeError):
            return ""
        return f": {self._safe(words)}" if isinstance(words, str) and words.strip() else ""

    def _safe(self, words: str) -> str:
        """Another's words, on one line, short, and without the key that some servers repeat."""
        if self.key:
            words = words.replace(self.key, "[key]")
        return " ".join(words.split())[:SHOWN]

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "codemap"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        return headers

    def _opener(self) -> urllib.request.OpenerDirector:
        handlers: list[urllib.request.BaseHandler] = [_NoRedirect()]
        if _is_loopback(urlsplit(self.url).hostname or ""):
            handlers.append(urllib.request.ProxyHandler({}))
        return urllib.request.build_opener(*handlers)


class _BusyError(Exception):
    """Worth another try; `wait` is what the server asks for, in seconds."""

    def __init__(self, what: str, wait: float | None) -> None:
        super().__init__(what)
        self.what = what
        self.wait = wait


class _RefusedParameterError(Exception):
    """Newer models take `max_completion_tokens` in place of `max_tokens`, and say so."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        return None


def base_url_of(given: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The base address: as given, else from the environment, else OpenAI's. Raises UsageError; see `checked_url`."""
    named = next((environment[name] for name in BASE_URLS if environment.get(name)), BASE_URL)
    return checked_url(given or named)


def checked_url(text: str) -> str:
    """The base address without a slash at its end. Raises UsageError for one the key must not go to."""
    try:
        parts = urlsplit(text.strip())
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        raise UsageError(f"the base URL cannot be read: {error}") from error
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise UsageError("the base URL holds a name, a password or a query: the key comes from the environment")
    if not host or parts.scheme not in ("https", "http"):
        raise UsageError("the base URL begins with https:// and a host")
    if parts.scheme == "http" and not _is_loopback(host):
        raise UsageError(f"http would show the key to the network: use https for {host}")
    return parts.geturl().rstrip("/")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _retry_after(headers: Message) -> float | None:
    """Seconds the server asks to wait; None where it does not say."""
    text = (headers.get("Retry-After") or "").strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        return float(text)
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError):
        return None
