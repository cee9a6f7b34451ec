"""The endpoint: what is asked, what each failure says, and where the key goes."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from codemap.tokens import calibrate_http
from codemap.tokens.calibrate_http import Endpoint, EndpointError, base_url_of
from indexer.errors import UsageError

KEY = "sk-our-own-key"


class Server:
    """Answers requests in turn, the last one for ever, and keeps what it was asked."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, dict[str, str], bytes]] = []
        self.asked: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.waits: list[float] = []
        self.url = ""

    def then(self, status: int, body: object, **headers: str) -> Server:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.answers.append((status, {name.replace("_", "-"): value for name, value in headers.items()}, data))
        return self

    def endpoint(self, key: str | None = KEY) -> Endpoint:
        return Endpoint(self.url, key, self.waits.append)


@pytest.fixture
def server() -> Iterator[Server]:
    own = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            own.asked.append((self.path, dict(self.headers), body))
            status, headers, data = own.answers.pop(0) if len(own.answers) > 1 else own.answers[0]
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, args=(0.01,))
        thread.start()
        own.url = "http://" + f"127.0.0.1:{listening.server_port}/v1"
        yield own
        listening.shutdown()
        thread.join()


def _counted(tokens: object) -> dict[str, Any]:
    return {"usage": {"prompt_tokens": tokens}}


def test_one_token_of_an_answer_is_asked_for(server: Server) -> None:
    assert server.then(200, _counted(42)).endpoint().count("m", "some text") == 42
    path, headers, body = server.asked[0]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert body == {"model": "m", "messages": [{"role": "user", "content": "some text"}], "max_tokens": 1}


def test_without_a_key_none_is_sent(server: Server) -> None:
    server.then(200, _counted(42)).endpoint(None).count("m", "x")
    assert "Authorization" not in server.asked[0][1]


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_busy_server_is_asked_again_after_a_growing_wait(server: Server, status: int) -> None:
    server.then(status, {}).then(status, b"no json").then(status, {}).then(200, _counted(7))
    assert server.endpoint().count("m", "x") == 7
    assert server.waits == [1.0, 2.0, 4.0]


def test_the_wait_is_as_long_as_the_server_asks(server: Server) -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    server.then(429, {}, Retry_After="17").then(503, {}, Retry_After=soon).then(429, {}, Retry_After="soon")
    server.then(200, _counted(7)).endpoint().count("m", "x")
    assert server.waits[0] == 17.0
    assert 25 < server.waits[1] <= 30
    assert server.waits[2] == 4.0


def test_a_server_that_stays_busy_is_given_up(server: Server) -> None:
    server.then(429, {"error": {"message": "slow down"}})
    with pytest.raises(EndpointError, match=r"answered 429: slow down \(tried 5 times\); try again later"):
        server.endpoint().count("m", "x")
    assert server.waits == [1.0, 2.0, 4.0, 8.0]


def test_a_server_that_asks_for_an_hour_is_given_up(server: Server) -> None:
    with pytest.raises(EndpointError, match="tried 1 times"):
        server.then(429, {}, Retry_After="3600").endpoint().count("m", "x")
    assert server.waits == []


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (
            401,
            {"error": {"message": "bad key"}},
            r"refused the key \(401\): check CODEMAP_API_KEY or OPENAI_API_KEY: bad",
        ),
        (403, {}, r"refused the key \(403\)"),
        (404, {"error": "no such model"}, r"knows no such model or address \(404\).*no such model"),
        (400, {"error": {"message": "context too long"}}, "answered 400: context too long"),
        (200, b"<html>", "does not answer in JSON"),
        (200, [], "something else than a JSON object"),
        (200, {}, "without `usage.prompt_tokens`"),
        (200, _counted(None), "without `usage.prompt_tokens`"),
        (200, _counted(0), "without `usage.prompt_tokens`"),
        (200, _counted(True), "without `usage.prompt_tokens`"),
    ],
)
def test_every_failure_has_a_word_of_its_own(server: Server, status: int, body: object, words: str) -> None:
    with pytest.raises(EndpointError, match=words):
        server.then(status, body).endpoint().count("m", "x")
    assert len(server.asked) == 1


def test_a_key_that_a_server_repeats_is_not_shown(server: Server) -> None:
    with pytest.raises(EndpointError) as caught:
        server.then(401, {"error": {"message": f"wrong key {KEY}\n\x1b[31mred"}}).endpoint().count("m", "x")
    assert KEY not in str(caught.value)
    assert "wrong key [key] " in str(caught.value)
    assert KEY not in repr(server.endpoint())


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(server: Server, status: int) -> None:
    server.then(status, {}, Location=f"{server.url}/elsewhere")
    with pytest.raises(EndpointError, match="redirects elsewhere"):
        server.endpoint().count("m", "x")
    assert len(server.asked) == 1


def test_newer_models_take_the_limit_by_another_name(server: Server) -> None:
    server.then(400, {"error": {"message": "Use 'max_completion_tokens' instead of 'max_tokens'."}})
    assert server.then(200, _counted(9)).endpoint().count("o9", "x") == 9
    assert "max_tokens" not in server.asked[1][2]
    assert server.asked[1][2]["max_completion_tokens"] == 1


def test_nobody_there(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    with pytest.raises(EndpointError, match="cannot be reached"):
        Endpoint("http://" + "127.0.0.1:9", None, waits.append).count("m", "x")
    assert len(waits) == calibrate_http.TRIES - 1


LOOPBACK = ("localhost:8000/v1", "127.0.0.1:8000/v1", "[::1]:8000/v1", "127.8.9.1/v1")


@pytest.mark.parametrize("place", LOOPBACK)
def test_plain_http_is_for_this_machine_alone(place: str) -> None:
    assert Endpoint.of(f"http://{place}/", {}) == Endpoint(f"http://{place}")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://example.org/v1", "http would show the key"),
        ("http://" + "localhost.example.org", "http would show the key"),
        ("ftp://example.org", "begins with https"),
        ("example.org/v1", "begins with https"),
        ("https://", "begins with https"),
        ("https://user:pass@example.org", "holds a name, a password or a query"),
        ("https://example.org/v1?key=1", "holds a name, a password or a query"),
        ("https://example.org:port/v1", "cannot be read"),
    ],
)
def test_an_address_that_would_show_the_key_is_refused(url: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Endpoint.of(url, {"OPENAI_API_KEY": KEY})


def test_the_environment_names_key_and_address() -> None:
    found = Endpoint.of(None, {"OPENAI_API_KEY": "a", "CODEMAP_API_KEY": "b", "OPENAI_BASE_URL": "https://x.org/v1/"})
    assert (found.url, found.key) == ("https://x.org/v1", "b")
    assert Endpoint.of(None, {"OPENAI_API_KEY": " a\n"}).key == "a"
    assert base_url_of(None, {}) == calibrate_http.BASE_URL


@pytest.mark.parametrize("environment", [{}, {"OPENAI_API_KEY": ""}])
def test_a_missing_key_is_said_before_anything_is_sent(environment: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="no key: set CODEMAP_API_KEY or OPENAI_API_KEY in the environment"):
        Endpoint.of("https://example.org/v1", environment)


def test_a_key_cannot_add_headers() -> None:
    with pytest.raises(UsageError, match="characters that a key cannot have") as caught:
        Endpoint.of("https://example.org/v1", {"OPENAI_API_KEY": "a\r\nX-Other: b"})
    assert "X-Other" not in str(caught.value)


def test_a_server_that_takes_neither_limit_is_given_up_with_its_words(server: Server) -> None:
    server.then(400, {"error": {"message": "Use max_completion_tokens instead of max_tokens."}})
    server.then(400, {"error": {"message": "max_completion_tokens must be at least 16"}})
    with pytest.raises(EndpointError, match=r"takes no request for one token.*at least 16"):
        server.endpoint().count("m", "x")
    assert len(server.asked) == 2
