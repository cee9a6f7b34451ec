"""The page at `/docs`: what the OpenAPI document says, as text. It loads nothing, and has no script."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from typing import Any

import orjson
from fastapi.responses import Response

STYLE = (
    "body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}h2{margin:2em 0 0;font-size:1.1em}"
    "code,pre{font-family:monospace;font-size:13px}table{border-collapse:collapse}"
    "td{padding:2px 12px 2px 0;vertical-align:top}pre{overflow:auto;background:#8882;padding:8px}"
)
POLICY = (
    f"default-src 'none'; style-src 'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}


def page(described: dict[str, Any]) -> Response:
    """The document as a page."""
    return Response("".join(_lines(described)), 200, HEADERS, "text/html; charset=utf-8")


def _lines(described: dict[str, Any]) -> Iterator[str]:
    info = described["info"]
    title = escape(f"{info['title']} {info['version']}")
    yield f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
    yield f"<h1>{title}</h1><p>{escape(info['description'])} As OpenAPI: <a href=/openapi.json>/openapi.json</a></p>"
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield from _operation(f"{method.upper()} {path}", operation)
    yield "<h1>Schemas</h1>"
    for name, schema in described["components"]["schemas"].items():
        text = orjson.dumps(schema, option=orjson.OPT_INDENT_2).decode()
        yield f'<h2 id="{escape(name)}">{escape(name)}</h2><details><summary>JSON Schema</summary>'
        yield f"<pre>{escape(text)}</pre></details>"
    yield "</html>\n"


def _operation(title: str, operation: dict[str, Any]) -> Iterator[str]:
    yield f"<h2><code>{escape(title)}</code></h2><p>{escape(operation.get('description', ''))}</p><table>"
    for each in operation.get("parameters", ()):
        needed = ", needed" if each.get("required") else ""
        yield _row(f"{each['name']} ({each['in']}{needed})", _kind(each["schema"]), each.get("description", ""))
    for content in operation.get("requestBody", {}).get("content", {}).values():
        yield _row("body", _kind(content["schema"]), "")
    for status, response in operation.get("responses", {}).items():
        kinds = [_kind(each["schema"]) for each in response.get("content", {}).values() if each.get("schema")]
        yield _row(status, ", ".join(kinds), response["description"])
    yield "</table>"


def _row(name: str, kind: str, meaning: str) -> str:
    return f"<tr><td><code>{escape(name)}</code><td>{kind}<td>{escape(meaning)}</tr>"


def _kind(schema: dict[str, Any]) -> str:
    """A schema in a few words, as HTML; one that has a name leads to it."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"] if each.get("type") != "null")
    if "enum" in schema:
        return escape(" or ".join(map(str, schema["enum"])))
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    limits = ("minimum", "maximum", "minLength", "maxLength")
    told = ", ".join(f"{limit} {schema[limit]}" for limit in limits if limit in schema)
    return escape(f"{schema.get('type', 'any')}{f' ({told})' if told else ''}")
