"""A subgraph as text: cheap for a model to read, easy for a person.

    4 symbols in 2 files; * matches the words, ? marks a candidate

    shop/auth.py # Who is asking.
    *12-30 def login(request, user) # Remember the user in the session.
      calls: Session.flush:20, rotate_token:28+29
    41-44 def rotate_token(request)

    shop/sessions.py
    8-60 class Session
      51-58 def flush(self)
        calls?: delete:55

    omitted: 3 symbols, 1 file, 5 edges (calls 4, imports 1)
    tokens: 131 of 4000 (heuristic-pieces/1.09)
    map: 1f2e3d4c5b, fresh

A symbol stands under the class or function around it where that is shown, else it bears its qualified name. Symbols of
which no more than the name is shown stand in one line, each behind its first line: `40 login, *52 logout`. Edges stand
under their source, by kind, with the lines they are at; `contains` is the indentation. Under `calls(dispatch)` are the
methods that subclasses of the receiver's class have in place of the one under `calls`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from codemap.render import escape, tail
from codemap.render.names import MODULE, Names, lines
from queries.answers import Edge, FileCard, Node, Subgraph

_DOC = " # "


def subgraph(answer: Subgraph) -> str:
    """The whole answer, ending in a line feed. Its cost is what `answer.tokens` speaks of."""
    out = [_summary(answer)]
    names = Names([*answer.nodes, *(end for edge in answer.edges for end in (edge.source, edge.target))])
    seeds = {seed.id for seed in answer.seeds}
    edges = _by_source(answer.edges)
    nodes = _by_file(answer.nodes)
    for card in answer.files:
        out.append("")
        _file(out, card, nodes.get(card.path, []), seeds, edges, names)
    out.append("")
    tail.notes(out, answer.notes)
    tail.omitted(out, answer.omitted)
    tail.tokens(out, answer.tokens)
    tail.staleness(out, answer.staleness)
    return "\n".join(out) + "\n"


def _summary(answer: Subgraph) -> str:
    text = f"{tail.count(len(answer.nodes), 'symbol')} in {tail.count(len(answer.files), 'file')}"
    marks = []
    if answer.seeds:
        marks.append("* matches the words")
    if any(edge.resolution == "candidate" for edge in answer.edges):
        marks.append("? marks a candidate")
    return f"{text}; {', '.join(marks)}" if marks else text


def _by_file(nodes: Iterable[Node]) -> dict[str, list[Node]]:
    found: dict[str, list[Node]] = {}
    for node in nodes:
        found.setdefault(node.path, []).append(node)
    for group in found.values():
        group.sort(key=lambda node: (node.start_line, -node.end_line, node.qualname))
    return found


def _by_source(edges: Iterable[Edge]) -> dict[int, list[Edge]]:
    found: dict[int, list[Edge]] = {}
    for edge in edges:
        if edge.kind != "contains":
            found.setdefault(edge.source.id, []).append(edge)
    return found


def _file(
    out: list[str],
    card: FileCard,
    nodes: Sequence[Node],
    seeds: set[int],
    edges: dict[int, list[Edge]],
    names: Names,
) -> None:
    module = next((node for node in nodes if node.qualname == MODULE), None)
    mark = "*" if module is not None and module.id in seeds else ""
    header = escape.line(" ".join(card.header.split()))
    out.append(mark + escape.line(card.path) + (_DOC + header if header else ""))
    depths: dict[str, int] = {}
    printed = 0  # last line of the last body shown: what lies within has been read
    run = -1  # depth of the line that names stand in, one after the other, -1 after any other line
    for node in nodes:
        around = node.qualname.rpartition(".")[0]
        depth = depths[node.qualname] = depths[around] + 1 if around in depths else 0
        indent = "  " * depth
        named = edges.get(node.id)
        if node is not module:
            inside = node.end_line <= printed
            mark = "*" if node.id in seeds else ""
            if node.signature or node.doc or node.body is not None or node.passages or inside or node.why:
                out.append(f"{indent}{mark}{lines(node)} {_title(node, nested=depth > 0, inside=inside)}".rstrip())
                run = -1
            else:
                entry = f"{mark}{node.start_line} {_title(node, nested=depth > 0, inside=False)}"
                if run == depth:
                    out[-1] += f", {entry}"
                else:
                    out.append(indent + entry)
                run = depth
            if node.body is not None and not inside:
                out.extend(_lines(node.body.rstrip("\n"), indent + " ", _margin([node.body])))
                printed = node.end_line
            elif node.passages and not inside:
                out.extend(_passages(node, indent + " "))
        if node.why:
            out.append(f"{indent}  why: {escape.line(', '.join(node.why))}")
        if named:
            out.extend(f"{indent}  {line}" for line in edge_lines(named, names))
            run = -1


def _title(node: Node, *, nested: bool, inside: bool) -> str:
    """What stands behind the line range: as little as tells the reader what it is."""
    name = node.qualname.rpartition(".")[2]
    if inside:
        return escape.line(name)
    if node.body is not None or node.passages:
        return "" if nested or name == node.qualname else escape.line(node.qualname)
    signature = node.signature
    if not signature:
        signature = name if nested else node.qualname
    elif not nested and name != node.qualname:
        signature = qualified(signature, name, node.qualname)
    doc = _DOC + node.doc if node.doc else ""
    return escape.line(signature + doc)


def qualified(signature: str, name: str, qualname: str) -> str:
    """`signature` with the first whole word `name` in it replaced by `qualname`; before it where there is none."""
    # No regular expression: compiling one for every name would cost more than the rest of the answer.
    start = signature.find(name)
    while start >= 0:
        end = start + len(name)
        if not (_in_word(signature[start - 1 : start]) or _in_word(signature[end : end + 1])):
            return signature[:start] + qualname + signature[end:]
        start = signature.find(name, start + 1)
    return f"{qualname} {signature}"


def _in_word(character: str) -> bool:
    return character.isalnum() or character in ("_", "$")


def _passages(node: Node, indent: str) -> Iterable[str]:
    """The parts of a body that are shown, the lines that are left out in their places: `… 14-39`."""
    margin = _margin([text for _, text in node.passages])
    following = node.start_line
    for line, text in node.passages:
        if line > following:
            yield _left_out(following, line - 1, indent)
        yield from _lines(text, indent, margin)
        following = line + text.count("\n") + 1
    if following <= node.end_line:
        yield _left_out(following, node.end_line, indent)


def _left_out(first: int, last: int, indent: str) -> str:
    return f"{indent}… {first}" if first == last else f"{indent}… {first}-{last}"


def _margin(texts: Iterable[str]) -> int:
    """Blanks that all lines begin with."""
    rows = (row for text in texts for row in text.split("\n") if row.strip())
    return min((len(row) - len(row.lstrip(" \t")) for row in rows), default=0)


def _lines(text: str, indent: str, margin: int) -> Iterable[str]:
    return (escape.block(indent + row[margin:]) if row.strip() else "" for row in text.split("\n"))


def edge_lines(edges: Iterable[Edge], names: Names) -> list[str]:
    """`calls: a:12, b:14+15`: a line for each kind, its targets in the order of their first lines."""
    kinds: dict[tuple[int, str], dict[tuple[str, str], list[int]]] = {}
    for edge in edges:
        kind = _KINDS.index(edge.kind) if edge.kind in _KINDS else len(_KINDS), tail.kind(edge)
        at = kinds.setdefault(kind, {}).setdefault((names.of(edge.target), tail.overrides(edge)), [])
        if edge.line not in at:
            at.append(edge.line)
    return [f"{kind}: {', '.join(_targets(targets))}" for (_, kind), targets in sorted(kinds.items())]


def _targets(targets: dict[tuple[str, str], list[int]]) -> list[str]:
    ordered = sorted((sorted(at), *target) for target, at in targets.items())
    return [f"{name}:{'+'.join(map(str, at))}{overrides}" for at, name, overrides in ordered]


_KINDS = ("imports", "inherits", "overrides", "calls", "references")
