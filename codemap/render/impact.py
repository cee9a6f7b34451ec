"""The impact of a change as text.

    impact of uncommitted changes: 3 symbols depend on 1 changed and 1 gone; 2 tests in 1 file

    changed
    shop/sessions.py
      Session.flush:31-35
    gone
    shop/sessions.py:forget, named by shop/auth.py:2+14

    1 edge away
    shop/auth.py
      login:6-13 calls:10 Session.flush

    tests to run
    tests/test_auth.py (2)
      test_login:4-5 calls:5 login

Behind a symbol stands its own first edge on the way to the change: the kind, the line in the symbol's file, the target.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from codemap.render import escape, tail
from codemap.render.names import MODULE, Names, lines
from queries.answers import Node
from queries.effects import Effect, Gone, Impact


def impact(answer: Impact) -> str:
    """The whole answer, ending in a line feed. Its cost is what `answer.tokens` speaks of."""
    names = Names(_named(answer))
    out = [_summary(answer)]
    if answer.changed or answer.gone:
        out.append("")
    if answer.changed:
        out.append("changed")
        _changed(out, answer.changed)
    if answer.gone:
        out.append("gone")
        out.extend(_gone(each) for each in answer.gone)
    for distance in sorted({each.node.hop for each in answer.dependents}):
        out += ["", f"{tail.count(distance, 'edge')} away"]
        _effects(out, [each for each in answer.dependents if each.node.hop == distance], names)
    if answer.candidates:
        out += ["", "candidates, receiver unknown"]
        _effects(out, answer.candidates, names)
    if answer.tests:
        out += ["", "tests to run"]
        for file in answer.tests:
            out.append(f"{escape.line(file.path)} ({file.total})")
            out.extend(_effect(each, names) for each in file.shown)
    out.append("")
    if answer.hubs:
        hubs = ", ".join(f"{names.of(node)} ({number})" for node, number in answer.hubs)
        out.append(f"not followed, with the edges into each: {hubs}")
    tail.notes(out, answer.notes)
    _omitted(out, answer)
    tail.tokens(out, answer.tokens)
    tail.staleness(out, answer.staleness)
    return "\n".join(out) + "\n"


def _named(answer: Impact) -> Iterable[Node]:
    for each in (*answer.dependents, *answer.candidates, *(test for file in answer.tests for test in file.shown)):
        yield each.node
        yield each.edge.target
    yield from answer.changed
    yield from (node for node, _ in answer.hubs)


def _summary(answer: Impact) -> str:
    totals = answer.totals
    gone = f" and {totals['gone']} gone" if totals["gone"] else ""
    number = totals["dependents"]
    depend = f"{tail.count(number, 'symbol')} {'depends' if number == 1 else 'depend'}"
    return f"impact of {escape.line(answer.of)}: {depend} on {totals['changed']} changed{gone}; {_tests(answer)}"


def _tests(answer: Impact) -> str:
    if not answer.totals["tests"]:
        return "no test"
    return f"{tail.count(answer.totals['tests'], 'test')} in {tail.count(answer.totals['test_files'], 'file')}"


def _changed(out: list[str], nodes: Sequence[Node]) -> None:
    for path in dict.fromkeys(node.path for node in nodes):
        out.append(escape.line(path))
        inside = [node for node in nodes if node.path == path and node.qualname != MODULE]
        out.extend(f"  {escape.line(node.qualname)}:{lines(node)}" for node in inside)


def _gone(gone: Gone) -> str:
    what = gone.path if gone.qualname == MODULE else f"{gone.path}:{gone.qualname}"
    now = f" (now {escape.line(gone.now)})" if gone.now else ""
    places: dict[tuple[str, str], list[int]] = {}
    for mention in gone.mentions:
        mark = "?" if mention.resolution != "resolved" else ""
        at = places.setdefault((escape.line(mention.path), mark), [])
        if mention.line not in at:
            at.append(mention.line)
    parts = [f"{path}:{'+'.join(map(str, at))}{mark}" for (path, mark), at in places.items()]
    if gone.omitted:
        parts.append(f"{gone.omitted} more")
    return f"{escape.line(what)}{now}" + (f", named by {', '.join(parts)}" if parts else "")


def _effects(out: list[str], effects: Sequence[Effect], names: Names) -> None:
    for path in dict.fromkeys(each.node.path for each in effects):
        out.append(escape.line(path))
        out.extend(_effect(each, names) for each in effects if each.node.path == path)


def _effect(each: Effect, names: Names) -> str:
    edge = each.edge
    kind = tail.kind(edge).replace("?", "")  # candidates stand apart
    where = "" if each.node.qualname == MODULE else f":{lines(each.node)}"
    target = f"{names.of(edge.target)}{tail.overrides(edge)}"
    return f"  {escape.line(each.node.qualname)}{where} {kind}:{edge.line} {target}"


def _omitted(out: list[str], answer: Impact) -> None:
    left = answer.omitted
    dependents = sum(left.dependents.values())
    far = ", ".join(f"{tail.count(distance, 'edge')} away {number}" for distance, number in left.dependents.items())
    parts = [tail.count(dependents, "dependent") + f" ({far})"] if dependents else []
    counts = ((left.changed, "changed symbol"), (left.gone, "gone symbol"), (left.candidates, "candidate"))
    more = ((left.tests, "test"), (left.test_files, "test file"), (left.hubs, "hub"))
    parts += [tail.count(number, noun) for number, noun in (*counts, *more) if number]
    if parts:
        out.append("omitted: " + ", ".join(parts))
