"""The published schemas are valid, and closed: an answer with an undocumented field does not pass."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from indexer.evidence import EVIDENCE, MARKED

FILES = sorted((Path(__file__).resolve().parents[2] / "docs/schema").glob("*.json"))


def _objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema of an object with named fields."""
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield schema
        for value in schema.values():
            yield from _objects(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _objects(value)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_schema_is_valid_and_closed(file: Path) -> None:
    schema = json.loads(file.read_text(encoding="utf-8"))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)
    for each in _objects(schema):
        assert each["additionalProperties"] is False
        assert set(each["required"]) <= set(each["properties"])


def test_every_answer_object_carries_its_cost_and_its_state() -> None:
    for file in FILES:
        schema = json.loads(file.read_text(encoding="utf-8"))
        name = schema.get("properties", {}).get("schema", {}).get("const")
        if name is None or name in (
            "codemap/report/1",
            "codemap/verification/1",
            "codemap/hooks/1",
            "codemap/error/1",
            "codemap/doctor/1",
        ):
            continue  # lines and lists have no room for it; runs change the state themselves
        if name.startswith(("codemap/meter-", "codemap/budget/", "codemap/measure/", "codemap/calibration/")):
            continue  # of the ledger or the sources, not of the map
        assert {"tokens", "staleness"} <= set(schema["required"]), name


def test_the_name_of_an_answer_is_that_of_its_schema() -> None:
    named = {
        file.stem: json.loads(file.read_text(encoding="utf-8")).get("properties", {}).get("schema", {}).get("const")
        for file in FILES
    }
    assert {stem: name for stem, name in named.items() if name} == {
        stem: f"codemap/{stem}/1" for stem, name in named.items() if name
    }


def test_every_schema_is_listed() -> None:
    page = (FILES[0].parent / "README.md").read_text(encoding="utf-8")
    assert {file.name for file in FILES} - {"common.json"} == set(re.findall(r"\]\(([\w-]+\.json)\)", page))


def test_how_edges_are_known_is_the_list_of_the_code() -> None:
    common = json.loads((FILES[0].parent / "common.json").read_text(encoding="utf-8"))
    assert tuple(common["$defs"]["evidence"]["enum"]) == EVIDENCE
    subgraph = json.loads((FILES[0].parent / "subgraph.json").read_text(encoding="utf-8"))
    marked = subgraph["properties"]["edges"]["items"]["properties"]["evidence"]["enum"]
    assert marked == [each for each in EVIDENCE if each in MARKED]
