"""One line for each symbol or edge: how other programs check the map. Hundreds of thousands are normal.

Lines of JSON are made safe for terminals by whoever writes them, many at a time.
"""

from __future__ import annotations

import orjson

from codemap.render import escape, tail
from codemap.render.names import lines, located
from queries.answers import Edge, Node


def place(node: Node) -> bytes:
    """`docs/schema/shown-line.json`, without the line feed."""
    return escape.json_bytes(orjson.dumps(_place(node)))


def symbol(node: Node) -> bytes:
    """`docs/schema/symbol-line.json`, without the line feed."""
    return orjson.dumps(
        {
            "path": node.path,
            "qualname": node.qualname,
            "kind": node.kind,
            "start_line": node.start_line,
            "end_line": node.end_line,
            "name_line": node.name_line,
            "signature": node.signature,
            "doc": node.doc,
            "test": node.test,
        }
    )


def symbol_text(node: Node) -> bytes:
    """`path:qualname:lines kind`."""
    return f"{located(node)}:{lines(node)} {node.kind}".encode()


class EdgeLines:
    """Edges as lines with their line feed. Each symbol is written once and reused: most stand in many edges."""

    def __init__(self) -> None:
        self._places: dict[int, bytes] = {}
        self._names: dict[int, str] = {}

    def json(self, edge: Edge) -> bytes:
        """`docs/schema/edge-line.json`."""
        many = b',"overrides":%d' % edge.overrides if edge.overrides else b""
        if edge.support:
            many += b',"support":%d,"confidence":%b' % (edge.support, orjson.dumps(edge.confidence))
        return b'{"kind":"%b","resolution":"%b","line":%d,"evidence":"%b"%b,"caller":%b,"callee":%b}\n' % (
            edge.kind.encode(),
            edge.resolution.encode(),
            edge.line,
            edge.evidence.encode(),
            many,
            self._place(edge.source),
            self._place(edge.target),
        )

    def text(self, edge: Edge) -> bytes:
        """`caller kind:line callee`, the kind as `tail.kind` has it, then how many methods may stand in."""
        rest = f"{self._name(edge.target)}{tail.overrides(edge)}{tail.support(edge)}"
        return f"{self._name(edge.source)} {tail.kind(edge)}:{edge.line} {rest}\n".encode()

    def _place(self, node: Node) -> bytes:
        found = self._places.get(node.id)
        if found is None:
            found = self._places[node.id] = orjson.dumps(_place(node))
        return found

    def _name(self, node: Node) -> str:
        found = self._names.get(node.id)
        if found is None:
            found = self._names[node.id] = located(node)
        return found


def _place(node: Node) -> dict[str, str | int]:
    return {"path": node.path, "qualname": node.qualname, "start_line": node.start_line, "end_line": node.end_line}
