"""What surrounds an editor's cursor, as JSON: `codemap/context/1`, see `docs/schema/context.json`."""

from __future__ import annotations

from codemap.render.json import Object, dumps, staleness, tokens
from indexer.evidence import MARKED
from queries.answers import Edge, Node
from queries.effects import RELATIONS, Context, Effect


def context(answer: Context) -> str:
    """One line. A path is said once, in `files`; all else names its file by the index there."""
    files: dict[str, int] = {}

    def symbol(node: Node) -> Object:
        found: Object = {
            "file": files.setdefault(node.path, len(files)),
            "qualname": node.qualname,
            "kind": node.kind,
            "lines": [node.start_line, node.end_line],
        }
        said = {"signature": node.signature, "doc": node.doc}
        return {**found, **{name: text for name, text in said.items() if text}}

    def related(each: Effect) -> Object:
        distance: Object = {"distance": each.node.hop} if each.node.hop > 1 else {}
        return {**symbol(each.node), **distance, "via": via(each.edge)}

    def via(edge: Edge) -> Object:
        found: Object = {"kind": edge.kind, "line": edge.line}
        if edge.evidence in MARKED:
            found["evidence"] = edge.evidence
        if edge.overrides:
            found["overrides"] = edge.overrides
        if answer.symbol.id not in (edge.source.id, edge.target.id):
            found["target"] = edge.target.qualname
        return found

    body: Object = {"symbol": symbol(answer.symbol), "around": [symbol(node) for node in answer.around]}
    for relation in RELATIONS:
        body[relation] = [related(each) for each in answer.related.get(relation, ())]
    return (
        dumps(
            {
                "schema": "codemap/context/1",
                "line": answer.line,
                "files": list(files),
                **body,
                "omitted": answer.omitted,
                "notes": list(answer.notes),
                "tokens": tokens(answer.tokens),
                "staleness": staleness(answer.staleness),
            }
        )
        + "\n"
    )
