"""The page of `/docs`: everything as text, nothing from elsewhere."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

from codemap.http.page import page

BAD = "<script src=x>\"'&"
DESCRIBED = {
    "info": {"title": BAD, "version": "1", "description": BAD},
    "paths": {
        f"/v1/{BAD}": {
            "get": {
                "description": BAD,
                "parameters": [
                    {"name": "name", "in": "query", "required": True, "schema": {"type": "string", "maxLength": 9}},
                    {"name": BAD, "in": BAD, "schema": {"anyOf": [{"enum": ["a", BAD]}, {"type": "null"}]}},
                ],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/body"}}}},
                "responses": {"200": {"description": BAD, "content": {"application/json": {"schema": {}}}}},
            }
        }
    },
    "components": {"schemas": {"body": {"type": "object", "description": BAD}, BAD: {}}},
}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.addresses: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.addresses |= {value or "" for name, value in attributes if name in ("href", "src")}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_nothing_is_loaded_and_everything_is_text() -> None:
    response = page(DESCRIBED)
    read = _Reader()
    read.feed(bytes(response.body).decode())
    assert not read.tags & {"script", "link", "img", "iframe", "object", "form"}
    assert read.addresses == {"/openapi.json", "#body"}
    assert f"GET /v1/{BAD}" in read.text
    assert "name (query, needed)string (maxLength 9)" in read.text
    assert f"a or {BAD}" in read.text


def test_the_policy_lets_in_the_own_style_alone() -> None:
    response = page(DESCRIBED)
    (style,) = re.findall(r"<style>(.*?)</style>", bytes(response.body).decode())
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = response.headers["content-security-policy"]
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}'; ")
