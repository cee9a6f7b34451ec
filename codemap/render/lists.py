"""Answers about one symbol or file as text: relations, file dependencies, routes, definitions, symbols."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from codemap.render import escape, tail
from codemap.render.cost import settled
from codemap.render.names import MODULE, lines, located
from indexer.errors import CodemapError
from queries.answers import Edge, Node, Staleness, Tokens
from queries.relations import FileRelations, Relations, Route
from queries.tokens import Measure


def relations(relation: str, answer: Relations, state: Staleness, measure: Measure) -> str:
    """Who calls, is called by or names a symbol, by file; lines are those of the caller's file."""
    incoming = relation != "callees"
    out = [f"{relation} of {', '.join(map(spot, answer.symbols))}: {_size(answer.edges, incoming=incoming)}"]
    _by_file(out, answer.edges, incoming=incoming)
    if answer.candidates:
        out.append(f"candidates, receiver unknown: {_size(answer.candidates, incoming=incoming)}")
        _by_file(out, answer.candidates, incoming=incoming)
    return sealed_lines(out, state, measure)


def files(relation: str, answer: FileRelations, state: Staleness, measure: Measure) -> str:
    """The files a file depends on, or that depend on it, with the lines of the dependent file."""
    out = [f"{relation} of {escape.line(answer.path)}: {tail.count(len(answer.edges), 'file')}"]
    for edge in answer.edges:
        path = edge.target if relation == "dependencies" else edge.source
        kinds = ", ".join(f"{kind} {number}" for kind, number in edge.kinds)
        out.append(f"  {escape.line(path)}:{'+'.join(map(str, edge.lines))} ({kinds})")
    return sealed_lines(out, state, measure)


def route(answer: Route, state: Staleness, measure: Measure) -> str:
    """A chain of symbols, one a line, the edge to the next between them."""
    note = {"forward": "", "reverse": " (the edges run backwards)", "undirected": " (some edges run backwards)"}
    out = [f"path of {tail.count(len(answer.edges), 'edge')}{note.get(answer.direction, '')}"]
    for index, node in enumerate(answer.nodes):
        out.append(spot(node))
        if index < len(answer.edges):
            edge = answer.edges[index]
            arrow = "↓" if edge.source.id == node.id else "↑"
            out.append(f"  {arrow} {tail.kind(edge)}:{edge.line}{tail.overrides(edge)}")
    return sealed_lines(out, state, measure)


def symbols(nodes: Sequence[Node], state: Staleness, measure: Measure) -> str:
    """One symbol a line with its signature and documentation."""
    out = []
    for node in nodes:
        out.append(f"{spot(node)} {node.kind}{' (test)' if node.test else ''}")
        out.extend(f"  {escape.line(text)}" for text in (node.signature, node.doc) if text)
    return sealed_lines(out, state, measure)


def definitions(nodes: Sequence[Node]) -> str:
    """`path:line:column qualname kind`, as editors and grep print places; the signature beneath."""
    out = []
    for node in nodes:
        column = "" if node.column is None else f":{node.column}"
        out.append(f"{escape.line(node.path)}:{node.name_line}{column} {escape.line(node.qualname)} {node.kind}")
        if node.signature:
            out.append(f"  {escape.line(node.signature)}")
    return "".join(row + "\n" for row in out)


def definition_block(position: str, nodes: Sequence[Node], error: CodemapError | None, state: Staleness) -> str:
    """A position, and indented under it what stands there; the state of the map only where it is not fresh."""
    out = [escape.line(position)]
    if error is not None:
        out.append(f"  error: {escape.line(' '.join(str(error).split()))}")
    elif nodes:
        out.extend(f"  {row}" for row in definitions(nodes).splitlines())
    else:
        out.append("  not known")
    if not state.fresh:
        tail.staleness(out, state)
        out[-1] = f"  {out[-1]}"
    return "".join(row + "\n" for row in out)


def state_line(state: Staleness) -> str:
    """The last line of an answer alone."""
    ending: list[str] = []
    tail.staleness(ending, state)
    return "".join(row + "\n" for row in ending)


def spot(node: Node) -> str:
    """Where a symbol is: `path:qualname:lines`; a module by its path."""
    return f"{located(node)}:{lines(node)}" if node.qualname != MODULE else located(node)


def _end(edge: Edge, *, incoming: bool) -> Node:
    return edge.source if incoming else edge.target


def _size(edges: Sequence[Edge], *, incoming: bool) -> str:
    paths = {_end(edge, incoming=incoming).path for edge in edges}
    return f"{tail.count(len(edges), 'place')} in {tail.count(len(paths), 'file')}" if edges else "none"


def _by_file(out: list[str], edges: Iterable[Edge], *, incoming: bool) -> None:
    grouped: dict[str, dict[tuple[int, str, str], tuple[Node, list[int]]]] = {}
    for edge in edges:
        node = _end(edge, incoming=incoming)
        group = grouped.setdefault(node.path, {})
        kind = tail.kind(edge).replace("?", "")  # candidates stand apart
        places = group.setdefault((node.id, kind, tail.overrides(edge)), (node, []))[1]
        if edge.line not in places:
            places.append(edge.line)
    for path, group in grouped.items():
        out.append(escape.line(path))
        for (_, kind, overrides), (node, places) in group.items():
            at = "+".join(map(str, sorted(places)))
            mark = kind.removeprefix("calls")
            out.append(f"  {escape.line(node.qualname)}:{at}{mark and f' {mark}'}{overrides}")


def sealed_lines(out: Sequence[str], state: Staleness, measure: Measure) -> str:
    """Lines of an answer, then its cost and the state it speaks of."""
    ending: list[str] = []
    tail.staleness(ending, state)

    def render(cost: Tokens) -> str:
        cost_line: list[str] = []
        tail.tokens(cost_line, cost)
        return "".join(row + "\n" for row in (*out, *cost_line, *ending))

    return settled(render, measure)
