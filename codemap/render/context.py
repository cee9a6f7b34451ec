"""What surrounds an editor's cursor, as text.

    shop/auth.py:9 is in login:6-13
      def login(request, user) # Remember the user in the session.
    calls
      current_session:48-52 shop/sessions.py calls:8 # The session of a request, made if there is none.
    callers
      checkout:21-27 shop/cart.py calls:25

The line behind the kind of an edge is in the file of the edge's source: the cursor's for what it calls, else the
other's. A path that is not said is that of the cursor.
"""

from __future__ import annotations

from codemap.render import escape, tail
from codemap.render.names import MODULE, lines
from queries.answers import Node
from queries.effects import RELATIONS, Context, Effect

_TITLES = {"uses": "other names it uses", "candidates": "candidates, receiver unknown"}


def context(answer: Context) -> str:
    """The whole answer, ending in a line feed. Its cost is what `answer.tokens` speaks of."""
    symbol = answer.symbol
    what = "module-level code" if symbol.qualname == MODULE else f"{escape.line(symbol.qualname)}:{lines(symbol)}"
    out = [f"{escape.line(symbol.path)}:{answer.line} is in {what}", *_said(symbol)]
    for outer in answer.around:
        out += [f"in {outer.kind} {escape.line(outer.qualname)}:{lines(outer)}", *_said(outer)]
    for relation in RELATIONS:
        group = answer.related.get(relation, ())
        if group:
            out.append(_TITLES.get(relation, relation))
            out.extend(_related(each, symbol) for each in group)
    tail.notes(out, answer.notes)
    if answer.omitted:
        out.append("omitted: " + ", ".join(f"{relation} {number}" for relation, number in answer.omitted.items()))
    tail.tokens(out, answer.tokens)
    tail.staleness(out, answer.staleness)
    return "\n".join(out) + "\n"


def _said(node: Node) -> list[str]:
    """Signature and documentation."""
    doc = f"# {node.doc}" if node.doc else ""
    text = " ".join(part for part in (node.signature, doc) if part)
    return [f"  {escape.line(text)}"] if text else []


def _related(each: Effect, symbol: Node) -> str:
    node, edge = each.node, each.edge
    if node.qualname == MODULE:
        name = escape.line(node.path)
    else:
        path = "" if node.path == symbol.path else f" {escape.line(node.path)}"
        name = f"{escape.line(node.qualname)}:{lines(node)}{path}"
    kind = tail.kind(edge).replace("?", "")  # candidates stand apart
    through = "" if symbol.id in (edge.source.id, edge.target.id) else f" {escape.line(edge.target.qualname)}"
    doc = f" # {escape.line(node.doc)}" if node.doc and not node.test else ""
    return f"  {name} {kind}:{edge.line}{through}{tail.overrides(edge)}{doc}"
