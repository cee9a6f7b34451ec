"""Answers as JSON, one compact object and a line feed; the shapes are published in `docs/schema/`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import orjson

from codemap.render import escape
from codemap.render.cost import settled
from indexer.errors import CodemapError
from indexer.evidence import MARKED
from queries.answers import (
    Edge,
    FileCard,
    Node,
    Omitted,
    Staleness,
    Subgraph,
    Tokens,
)
from queries.tokens import Measure

if TYPE_CHECKING:
    from queries.relations import FileRelations, Relations, Route

Object = dict[str, Any]


def dumps(value: object) -> str:
    """Compact JSON that is safe on a terminal. Text that is not Unicode (lone surrogates) is escaped visibly."""
    try:
        return escape.json_text(orjson.dumps(value).decode())
    except TypeError:
        return escape.json_text(orjson.dumps(_unicode(value)).decode())


def subgraph(answer: Subgraph) -> str:
    """`codemap/subgraph/1`, which says each path once and leaves out what is as usual: the budget pays for every word.

    Nodes name their file by its index in `files`, edges and seeds their symbols by their index in `nodes`.
    """
    places = {node.id: index for index, node in enumerate(answer.nodes)}
    files = {card.path: index for index, card in enumerate(answer.files)}
    known = [edge for edge in answer.edges if edge.source.id in places and edge.target.id in places]
    return _line(
        {
            "schema": "codemap/subgraph/1",
            "query": answer.query,
            "seeds": [places[seed.id] for seed in answer.seeds if seed.id in places],
            "files": [_card(card) for card in answer.files],
            "nodes": [_ranked(node, files[node.path]) for node in answer.nodes],
            "edges": [_tie(edge, places) for edge in known],
            "omitted": _omitted(answer.omitted, places),
            "notes": list(answer.notes),
            "tokens": tokens(answer.tokens),
            "staleness": staleness(answer.staleness),
        }
    )


def _omitted(left: Omitted, places: dict[int, int]) -> Object:
    found: Object = {"symbols": left.symbols, "files": left.files, "edges": dict(sorted(left.edges.items()))}
    if left.after is not None:
        found["after"] = left.after
    if left.around:
        found["around"] = [{"node": places[each.symbol.id], **each.neighbours} for each in left.around]
    return found


def relations(relation: str, answer: Relations, state: Staleness, measure: Measure) -> str:
    """`codemap/relations/1`: callers, callees or references of a symbol."""
    incoming = relation != "callees"
    edges = (*answer.edges, *answer.candidates)
    body: Object = {
        "schema": "codemap/relations/1",
        "relation": relation,
        "symbols": [symbol(node) for node in answer.symbols],
        "edges": [_end(edge, edge.source if incoming else edge.target) for edge in edges],
    }
    return sealed(body, state, measure)


def files(relation: str, answer: FileRelations, state: Staleness, measure: Measure) -> str:
    """`codemap/files/1`: dependencies or dependents of a file."""
    body: Object = {
        "schema": "codemap/files/1",
        "relation": relation,
        "path": answer.path,
        "files": [
            {
                "path": edge.target if relation == "dependencies" else edge.source,
                "kinds": dict(edge.kinds),
                "lines": list(edge.lines),
            }
            for edge in answer.edges
        ],
    }
    return sealed(body, state, measure)


def route(answer: Route, state: Staleness, measure: Measure) -> str:
    """`codemap/path/1`: a chain of symbols, and the edge between each and the next."""
    places = {node.id: index for index, node in enumerate(answer.nodes)}
    body: Object = {
        "schema": "codemap/path/1",
        "direction": answer.direction,
        "nodes": [symbol(node) for node in answer.nodes],
        "edges": [
            {
                "source": places[edge.source.id],
                "target": places[edge.target.id],
                "kind": edge.kind,
                "resolution": edge.resolution,
                "line": edge.line,
                **_known(edge),
            }
            for edge in answer.edges
        ],
    }
    return sealed(body, state, measure)


def symbol(node: Node) -> Object:
    """What every answer says of a symbol."""
    return {
        "path": node.path,
        "qualname": node.qualname,
        "kind": node.kind,
        "start_line": node.start_line,
        "end_line": node.end_line,
        "signature": node.signature,
        "doc": node.doc,
        "test": node.test,
    }


def tokens(cost: Tokens) -> Object:
    return {
        "estimate": cost.estimate,
        "budget": cost.budget,
        "method": cost.method,
        "model": cost.model,
        "characters_per_token": cost.characters_per_token,
        "calibrated_at": cost.calibrated_at,
        "calibrated_on": cost.calibrated_on,
    }


def staleness(state: Staleness) -> Object:
    return {
        "fresh": state.fresh,
        "reason": state.reason,
        "map_commit": state.map_commit,
        "head_commit": state.head_commit,
        "head_time": state.head_time,
        "commits_behind": state.commits_behind,
        "commits_ahead": state.commits_ahead,
        "dirty_files": state.dirty_files,
        "untracked_files": state.untracked_files,
        "differing": list(state.differing),
        "built_at": state.built_at,
        "age_seconds": state.age_seconds,
    }


def symbols(nodes: Sequence[Node], state: Staleness, measure: Measure) -> str:
    """`codemap/symbol/1`."""
    return sealed({"schema": "codemap/symbol/1", "symbols": [symbol(node) for node in nodes]}, state, measure)


def definitions(nodes: Sequence[Node]) -> str:
    """`docs/schema/definition.json`: a list, so that "not known" is the empty one."""
    return _line([_place(node) for node in nodes])


def definition_line(position: str, nodes: Sequence[Node], error: CodemapError | None, state: Staleness) -> str:
    """`docs/schema/definition-line.json`: the answer to one position of many."""
    return _line(
        {
            "position": position,
            "definitions": [_place(node) for node in nodes],
            "error": None if error is None else str(error),
            "staleness": staleness(state),
        }
    )


def sealed(body: Object, state: Staleness, measure: Measure) -> str:
    """`body` with the figures every answer carries, the cost of the whole line among them."""

    def render(cost: Tokens) -> str:
        return _line({**body, "tokens": tokens(cost), "staleness": staleness(state)})

    return settled(render, measure)


def _place(node: Node) -> Object:
    return {
        "path": node.path,
        "qualname": node.qualname,
        "kind": node.kind,
        "start_line": node.start_line,
        "end_line": node.end_line,
        "line": node.name_line,
        "column": node.column,
    }


def _card(card: FileCard) -> Object:
    found: Object = {"path": card.path, "language": card.language}
    if card.state != "committed":
        found["state"] = card.state
    if card.header:
        found["header"] = card.header
    return found


def _ranked(node: Node, file: int) -> Object:
    found: Object = {
        "file": file,
        "qualname": node.qualname,
        "kind": node.kind,
        "lines": [node.start_line, node.end_line],
    }
    if node.signature:
        found["signature"] = node.signature
    if node.doc:
        found["doc"] = node.doc
    if node.test:
        found["test"] = True
    if node.hop:
        found["hop"] = node.hop
    if node.body is not None:
        found["body"] = node.body
    if node.passages:
        found["passages"] = [{"line": line, "text": text} for line, text in node.passages]
    if node.why:
        found["why"] = list(node.why)
    return found


def _tie(edge: Edge, places: dict[int, int]) -> Object:
    found: Object = {"source": places[edge.source.id], "target": places[edge.target.id], "kind": edge.kind}
    if edge.resolution != "resolved":
        found["resolution"] = edge.resolution
    found["line"] = edge.line
    if edge.evidence in MARKED:
        found["evidence"] = edge.evidence
    if edge.overrides:
        found["overrides"] = edge.overrides
    return found


def _end(edge: Edge, node: Node) -> Object:
    place: Object = {"kind": edge.kind, "resolution": edge.resolution, "line": edge.line}
    return {**place, **_known(edge), "symbol": symbol(node)}


def _known(edge: Edge) -> Object:
    """How an edge is known, and how many methods may stand in for its target."""
    found: Object = {"evidence": edge.evidence}
    if edge.overrides:
        found["overrides"] = edge.overrides
    return found


def _line(value: object) -> str:
    return dumps(value) + "\n"


def _unicode(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_unicode(key): _unicode(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_unicode(item) for item in value]
    return value
