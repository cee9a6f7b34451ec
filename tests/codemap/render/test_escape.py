"""Nothing from a repository steers a terminal."""

from __future__ import annotations

import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemap.render import escape

HOSTILE = "\x1b\x07\x7f\x9b\u202e\u2066\u200f\u061c\u2028"


def test_a_line_stays_one_line_and_shows_what_it_hides() -> None:
    assert escape.line("a\nb\tc\rd\x1b[0m\x9b\u202e\ud800") == "a\\nb\\tc\\rd\\x1b[0m\\x9b\\u202e\\ud800"


def test_letters_of_any_script_stay() -> None:
    text = "naïve café 日本語 x\u0301 🙂 — «»"
    assert escape.line(text) == escape.block(text) == text


def test_a_block_keeps_tabs_and_line_feeds_only() -> None:
    assert escape.block("if x:\n\treturn\r\x00") == "if x:\n\treturn\\r\\x00"


@pytest.mark.parametrize("character", HOSTILE)
def test_json_shows_no_control_and_means_the_same(character: str) -> None:
    data = orjson.dumps({"name": f"a{character}é"})
    for safe in (escape.json_bytes(data).decode(), escape.json_text(data.decode())):
        assert character not in safe
        assert json.loads(safe) == {"name": f"a{character}é"}


@given(st.text())
def test_both_forms_of_json_agree_and_mean_the_same(text: str) -> None:
    data = orjson.dumps(text)
    assert escape.json_bytes(data).decode() == escape.json_text(data.decode())
    assert json.loads(escape.json_bytes(data)) == text


@given(st.text(alphabet=st.characters()))
def test_a_line_never_holds_a_control(text: str) -> None:
    shown = escape.line(text)
    assert not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 or c in "\u2028\u2029\u202e" for c in shown)
    shown.encode()  # no lone surrogate is left
