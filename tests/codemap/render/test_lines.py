"""One line for each symbol or edge."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from codemap.render import lines
from queries.answers import Edge, Node


def test_an_edge_line(edges: tuple[Edge, ...], validate: Callable[[str, object], None]) -> None:
    row = lines.EdgeLines().json(edges[0])
    assert row == (
        b'{"kind":"calls","resolution":"candidate","line":10,"evidence":"name",'
        b'"caller":{"path":"shop/auth.py","qualname":"login","start_line":6,"end_line":13},'
        b'"callee":{"path":"shop/sessions.py","qualname":"Session.flush","start_line":31,"end_line":35}}\n'
    )
    validate("edge-line", json.loads(row))


def test_edge_lines_as_text(edges: tuple[Edge, ...]) -> None:
    writer = lines.EdgeLines()
    assert [writer.text(edge) for edge in (edges[0], edges[3])] == [
        b"shop/auth.py:login calls?:10 shop/sessions.py:Session.flush\n",
        b"shop/cart.py imports:2 shop/auth.py:login\n",
    ]


def test_marks_of_edge_lines(edges: tuple[Edge, ...], validate: Callable[[str, object], None]) -> None:
    writer = lines.EdgeLines()
    reached, many = replace(edges[1], evidence="dispatch"), replace(edges[1], overrides=1)
    assert [writer.text(edge) for edge in (reached, many)] == [
        b"shop/auth.py:login calls(dispatch):12 shop/auth.py:rotate_token\n",
        b"shop/auth.py:login calls:12 shop/auth.py:rotate_token (+1 override)\n",
    ]
    row = json.loads(writer.json(many))
    validate("edge-line", row)
    assert (row["evidence"], row["overrides"]) == ("scope", 1)


def test_symbol_lines(nodes: dict[str, Node], validate: Callable[[str, object], None]) -> None:
    validate("symbol-line", json.loads(lines.symbol(nodes["login"])))
    validate("shown-line", json.loads(lines.place(nodes["login"])))
    assert lines.symbol_text(nodes["login"]) == b"shop/auth.py:login:6-13 function"
