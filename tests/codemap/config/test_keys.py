"""The published schema says what the code says."""

from __future__ import annotations

import json
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator, ValidationError

from codemap.config.durations import shown
from codemap.config.keys import KEYS
from codemap.config.values import Config

SCHEMA = json.loads((Path(__file__).resolve().parents[3] / "docs/schema/config.json").read_text(encoding="utf-8"))

GOOD = ["budget = 1", "budget = 10000000", "hops = 0", "hops = 10", "max-age = '0s'", "max-age = '2d'", "history = 0",
        "on-stale = 'refresh'", "submodules = false", "model = 'x'"]  # fmt: skip
BAD = ["budget = 0", "budget = 10000001", "budget = true", "budget = 1.5", "hops = -1", "hops = 11", "max-age = '1w'",
       "max-age = 3", "max-age = 'h'", "max-age = '1234567890s'", "history = -1", "on-stale = 'no'", "submodules = 1",
       "model = ''", "model = 3"]  # fmt: skip


def test_the_keys_are_those_of_the_schema_and_fill_every_field() -> None:
    assert SCHEMA["properties"].keys() == KEYS.keys()
    settings = {field.name for field in fields(Config)} - {"source", "notes"}
    assert {key.field for key in KEYS.values()} == settings


def test_the_defaults_are_those_of_the_schema() -> None:
    defaults = {key: schema.get("default") for key, schema in SCHEMA["properties"].items()}
    config = Config()
    assert defaults.pop("max-age") == shown(config.max_age)
    assert defaults == {key: getattr(config, KEYS[key].field) for key in defaults}


@pytest.mark.parametrize("line", GOOD)
def test_what_the_schema_allows_is_allowed(line: str) -> None:
    ((key, given),) = tomllib.loads(line).items()
    Draft202012Validator(SCHEMA).validate({key: given})
    KEYS[key].value(given)


@pytest.mark.parametrize("line", BAD)
def test_what_the_schema_forbids_is_a_mistake(line: str) -> None:
    ((key, given),) = tomllib.loads(line).items()
    with pytest.raises(ValidationError):
        Draft202012Validator(SCHEMA).validate({key: given})
    with pytest.raises(ValueError):  # noqa: PT011 - what to say is up to the caller
        KEYS[key].value(given)
