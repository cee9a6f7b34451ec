"""Which files a run parsed and linked, and why, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from codemap.render import escape, tail

if TYPE_CHECKING:
    from indexer.pipeline.report import Reason, Report

SHOWN_FILES = 40
"""Files shown of each list, unless said otherwise."""

LONGEST = 200
"""Characters of a reason."""

_PLAIN = {
    "new map": "the map is made anew",
    "new": "new to the map",
    "changed": "own content changed",
    "reader": "this version of codemap reads it in another way",
    "lost": "its facts were not in the cache any more",
}
_NOW = {
    "changed": ("has another answer now", "have other answers now"),
    "there now": ("is there now", "are there now"),
    "gone": ("is not there any more", "are not there any more"),
    "not there with its file": ("went with that file", "went with that file"),
    "in another language": ("is in another language now", "are in another language now"),
    "not known": ("may have another answer now", "may have other answers now"),
}


def words(reason: Reason) -> str:
    """A reason in at most `LONGEST` characters: `asked shop/auth.py for login, which has another answer now`."""
    text = _PLAIN.get(reason.kind) or (_import(reason) if reason.kind == "import" else _asked(reason))
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _import(reason: Reason) -> str:
    now, before = reason.asked[0]
    return f"{reason.of} leads to {now}, before to {before}"


def _asked(reason: Reason) -> str:
    names = [asked.what for asked in reason.asked]
    fates = {asked.now for asked in reason.asked}
    number = len(names) + reason.omitted
    one, many = _NOW[fates.pop() if len(fates) == 1 else "changed"]
    if reason.omitted:
        names.append(f"{reason.omitted:,} more")
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    others = f"; and {tail.count(reason.others, 'other file')}" if reason.others else ""
    return f"asked {reason.of} for {listed}, which {one if number == 1 else many}{others}"


def text_explanation(report: Report, limit: int = SHOWN_FILES) -> str:
    """The parsed, linked and removed files in the order of their paths, at most `limit` of each."""
    out: list[str] = []
    for title, rows in (
        ("parsed", _explained(report.extract_reasons, limit)),
        ("linked", _explained(report.relink_reasons, limit)),
        ("removed", ((path, "") for path in report.removed_files[:limit])),
    ):
        number = _numbers(report)[title]
        if number:
            out.append(f"{title} {tail.count(number, 'file')}:")
            out += (f"  {escape.line(path)}{why and ': '}{escape.line(why)}" for path, why in rows)
            if number > limit:
                out.append(f"  … and {number - limit:,} more")
    return "".join(f"{row}\n" for row in out)


def _explained(reasons: Mapping[str, Reason], limit: int) -> Iterator[tuple[str, str]]:
    return ((path, words(reasons[path])) for path in sorted(reasons)[:limit])


def _numbers(report: Report) -> dict[str, int]:
    return {
        "parsed": len(report.extract_reasons),
        "linked": len(report.relink_reasons),
        "removed": len(report.removed_files),
    }


def json_explanation(report: Report, limit: int = SHOWN_FILES) -> dict[str, object]:
    """The same as an object; `omitted` says how many files of each list are left out."""
    return {
        "parsed": _listed(report.extract_reasons, limit),
        "linked": _listed(report.relink_reasons, limit),
        "removed": list(report.removed_files[:limit]),
        "omitted": {title: max(number - limit, 0) for title, number in _numbers(report).items()},
    }


def _listed(reasons: Mapping[str, Reason], limit: int) -> Sequence[dict[str, object]]:
    return [
        {
            "path": path,
            "kind": reasons[path].kind,
            "reason": words(reasons[path]),
            "file": reasons[path].of if reasons[path].kind == "asked" else None,
        }
        for path in sorted(reasons)[:limit]
    ]
