"""The published schemas as OpenAPI has them: one component for each file of `docs/schema`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import orjson

PLACES = (Path(__file__).parent.parent / "schemas", Path(__file__).parents[2] / "docs" / "schema")
"""In an installed package, and in the sources."""

COMPONENTS = "#/components/schemas/"


def answers(name: str) -> dict[int | str, dict[str, Any]]:
    """What a route answers with: the schema of that name, or an error."""
    said = {
        400: "The request is wrong.",
        404: "No such symbol or repository.",
        409: "The map is too old.",
        422: "The request is wrong.",
        503: "There is no map yet.",
    }
    errors: dict[int | str, dict[str, Any]] = {
        status: {"description": text, "content": _content("error")} for status, text in said.items()
    }
    return {200: {"description": f"codemap/{name}/1", "content": _content(name)}, **errors}


@cache
def components() -> dict[str, Any]:
    """Every published schema, its references led to the other components; empty where the files are not there."""
    folder = next((place for place in PLACES if place.is_dir()), None)
    if folder is None:
        return {}
    return {path.stem: _led(orjson.loads(path.read_bytes()), path.stem) for path in sorted(folder.glob("*.json"))}


def _content(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": COMPONENTS + name}}}


def _led(value: Any, home: str) -> Any:
    if isinstance(value, list):
        return [_led(each, home) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _reference(inner, home) if key == "$ref" else _led(inner, home)
        for key, inner in value.items()
        if key != "$schema"
    }


def _reference(target: str, home: str) -> str:
    file, _, inside = target.partition("#")
    return COMPONENTS + (file.removesuffix(".json") or home) + inside
