"""What `codemap doctor` found: a line for each thing, what to do beneath it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codemap.render import escape
from codemap.render.json import dumps

if TYPE_CHECKING:
    from codemap.findings import Finding


def text(found: Sequence[Finding]) -> str:
    """For people."""
    width = max(len(each.name) for each in found)
    out = []
    for each in found:
        out.append(f"{each.state:<8}{each.name:<{width}}  {escape.line(each.text)}")
        if each.advice is not None:
            out.append(f"{'':<8}{'':<{width}}  → {escape.line(each.advice)}")
    return "".join(row + "\n" for row in out)


def json(found: Sequence[Finding]) -> str:
    """`codemap/doctor/1`."""
    rows = [{"name": each.name, "state": each.state, "text": each.text, "advice": each.advice} for each in found]
    return dumps({"schema": "codemap/doctor/1", "findings": rows}) + "\n"
