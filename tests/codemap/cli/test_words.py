"""The words of a query."""

from __future__ import annotations

import io
import sys

import pytest

from codemap.cli import words
from indexer.errors import UsageError


def _pipe(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_words_are_joined() -> None:
    assert words.query(["login", "time out"]) == "login time out"


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    _pipe(monkeypatch, "café\nline two".encode())
    assert words.query(["see", "-", "-"]) == "see café\nline two"


def test_at_most_the_limit_is_read(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _pipe(monkeypatch, b"a" * (words.LIMIT + 5))
    assert words.query(["-"]) == "a" * words.LIMIT
    assert capsys.readouterr().err == "codemap: only the first 200,000 bytes of standard input are read\n"


@pytest.mark.parametrize("data", [b"\x7fELF\x02\x01\x00", b"\x89PNG\r\n\x1a\n" + bytes(range(128, 256))])
def test_binary_input_is_refused(data: bytes) -> None:
    with pytest.raises(UsageError, match="not text"):
        words.decode(data)


def test_encodings_that_say_what_they_are() -> None:
    assert words.decode("\ufefflogin".encode()) == "login"
    assert words.decode("login é".encode("utf-16")) == "login é"
    assert words.decode(b"caf\xe9 is latin-1") == "caf\ufffd is latin-1"


@pytest.mark.parametrize("given", [[""], ["  ", "\n"]])
def test_nothing_to_look_for(given: list[str]) -> None:
    with pytest.raises(UsageError, match="no words"):
        words.query(given)


def test_empty_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    _pipe(monkeypatch, b"")
    with pytest.raises(UsageError, match="no words"):
        words.query(["-"])
