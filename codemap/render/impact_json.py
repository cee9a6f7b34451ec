"""The impact of a change as JSON: `codemap/impact/1`, see `docs/schema/impact.json`."""

from __future__ import annotations

from codemap.render.json import Object, dumps, staleness, tokens
from indexer.evidence import MARKED
from queries.answers import Edge, Node
from queries.effects import Effect, Gone, Impact, Mention


def impact(answer: Impact) -> str:
    """One line. A path is said once, in `files`; all else names its file by the index there."""
    files: dict[str, int] = {}

    def file(path: str) -> int:
        return files.setdefault(path, len(files))

    def symbol(node: Node) -> Object:
        lines = [node.start_line, node.end_line]
        return {"file": file(node.path), "qualname": node.qualname, "kind": node.kind, "lines": lines}

    def effect(each: Effect) -> Object:
        return {**symbol(each.node), "distance": each.node.hop, "via": via(each.edge)}

    def via(edge: Edge) -> Object:
        found: Object = {"kind": edge.kind, "line": edge.line}
        if edge.evidence in MARKED:
            found["evidence"] = edge.evidence
        if edge.overrides:
            found["overrides"] = edge.overrides
        return {**found, "file": file(edge.target.path), "qualname": edge.target.qualname}

    def mention(each: Mention) -> Object:
        found: Object = {"file": file(each.path), "qualname": each.qualname, "line": each.line, "kind": each.kind}
        return found if each.resolution == "resolved" else {**found, "resolution": each.resolution}

    def gone(each: Gone) -> Object:
        found: Object = {"path": each.path, "qualname": each.qualname, "kind": each.kind}
        if each.now is not None:
            found["now"] = each.now
        found["mentions"] = [mention(place) for place in each.mentions]
        if each.omitted:
            found["omitted"] = each.omitted
        return found

    body: Object = {
        "changed": [symbol(node) for node in answer.changed],
        "gone": [gone(each) for each in answer.gone],
        "dependents": [effect(each) for each in answer.dependents],
        "candidates": [effect(each) for each in answer.candidates],
        "tests": [
            {
                "file": file(each.path),
                "total": each.total,
                "distance": each.distance,
                "symbols": [effect(test) for test in each.shown],
            }
            for each in answer.tests
        ],
        "hubs": [{"file": file(node.path), "qualname": node.qualname, "edges": number} for node, number in answer.hubs],
    }
    return (
        dumps(
            {
                "schema": "codemap/impact/1",
                "of": answer.of,
                "totals": answer.totals,
                "files": list(files),
                **body,
                "omitted": _omitted(answer),
                "notes": list(answer.notes),
                "tokens": tokens(answer.tokens),
                "staleness": staleness(answer.staleness),
            }
        )
        + "\n"
    )


def _omitted(answer: Impact) -> Object:
    left = answer.omitted
    return {
        "changed": left.changed,
        "gone": left.gone,
        "dependents": {str(distance): number for distance, number in left.dependents.items()},
        "candidates": left.candidates,
        "tests": left.tests,
        "test_files": left.test_files,
        "hubs": left.hubs,
    }
