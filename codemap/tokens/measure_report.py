"""A measurement as a table and as JSON (`docs/schema/measure.json`)."""

from __future__ import annotations

from typing import Any

from codemap.render import escape
from codemap.render.json import dumps
from codemap.render.tail import count
from codemap.tokens.measure import Amount, Measured

SHOWN_FOLDERS = 20


def to_json(found: Measured, window: int | None) -> str:
    """`codemap/measure/1`. `window`: tokens of a context window, None where none was named."""
    how = found.measure
    body: dict[str, Any] = {
        "schema": "codemap/measure/1",
        "root": found.root,
        "path": found.path,
        "revision": found.revision,
        **_row(found.total),
        "languages": {name: _row(amount) for name, amount in found.languages.items()},
        "folders": {name: _row(amount) for name, amount in found.folders.items()},
        "left_out": {name: _row(amount) for name, amount in found.left_out.items()},
        "measure": {
            "method": how.method,
            "model": how.model,
            "characters_per_token": how.characters_per_token,
            "calibrated_at": how.calibrated_at,
            "calibrated_on": how.calibrated_on,
        },
        "window": None if window is None else {"tokens": window, "share": round(found.total.tokens / window, 4)},
    }
    return dumps(body) + "\n"


def to_text(found: Measured, window: int | None) -> str:
    """A table: all, by language, by folder, and what was left out."""
    state = f"commit {found.revision[:10]}" if found.revision else "the working tree"
    out = [f"code people wrote, {escape.line(found.path)} of {escape.line(found.root)}, {state}", ""]
    rows = [("", "files", "characters", "tokens"), *_rows("all", {"": found.total})]
    rows += _rows("", found.languages)
    folders = dict(list(found.folders.items())[:SHOWN_FOLDERS])
    rows += [("", "", "", ""), *_rows("", folders)]
    rest = list(found.folders.values())[SHOWN_FOLDERS:]
    if rest:
        rows += _rows(f"{len(rest)} more", {"": _sum(rest)})
    if found.left_out:
        rows += [("", "", "", ""), ("left out:", "", "", ""), *_rows("", found.left_out)]
    out += _aligned(rows)
    how = found.measure
    model = f" for {escape.line(how.model)}" if how.model else ""
    out += ["", f"tokens counted by {escape.line(how.method)}{model}"]
    if window is not None:
        out.append(f"that is {found.total.tokens / window:,.2f} context windows of {count(window, 'token')}")
    return "\n".join(out) + "\n"


def _rows(label: str, amounts: dict[str, Amount]) -> list[tuple[str, str, str, str]]:
    return [
        (
            escape.line(name) or label,
            f"{amount.files:,}",
            f"{amount.characters:,}" if amount.characters else "",
            f"{amount.tokens:,}" if amount.characters else "",
        )
        for name, amount in amounts.items()
    ]


def _aligned(rows: list[tuple[str, str, str, str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *(row[column].rjust(widths[column]) for column in (1, 2, 3))])
        for row in rows
    ]
    return [line.rstrip() for line in lines]


def _sum(amounts: list[Amount]) -> Amount:
    return Amount(
        sum(each.files for each in amounts),
        sum(each.characters for each in amounts),
        sum(each.tokens for each in amounts),
    )


def _row(amount: Amount) -> dict[str, int]:
    return {"files": amount.files, "characters": amount.characters, "tokens": amount.tokens}
