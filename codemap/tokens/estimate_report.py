"""An estimate as text and as JSON (`docs/schema/estimate.json`): one compact document, never longer than a limit."""

from __future__ import annotations

from typing import Any

from codemap.render import escape
from codemap.render.json import dumps
from codemap.render.tail import count
from codemap.tokens.encodings import Estimator
from codemap.tokens.estimate import Contributor, Estimate
from codemap.tokens.estimate_inputs import RefusedError

REPORT_LIMIT = 32_768  # bytes, the final newline included
SNAPSHOT = "checked_unchanged_not_atomic"
UNKNOWN = ("message_overhead", "provider_count", "cached_input", "reasoning_output", "money")
"""What no count of text alone can tell."""

_HINTS = {
    "duplicate_file": "the same file is named twice",
    "encoding_unavailable": "its vocabulary is not installed: install `codemap-subgraph[exact]`",
    "hard_link": "the file has a second name",
    "input_changed": "it changed while it was read: try again",
    "input_too_large": "an input may hold 262,144 bytes",
    "malformed_utf8": "it is not valid UTF-8",
    "model_not_calibrated": "run `codemap calibrate --model MODEL` first",
    "outside_root": "name a file beneath --root by its path from there",
    "secret_name": "files of that name commonly hold secrets",
    "stdin_not_redirected": "pipe text in or redirect a file",
    "symbolic_link": "links are not followed: name the file itself",
    "root_symbolic_link": "a part of --root is a symbolic link: name the folder itself",
    "tokenization_limit": "it has more tokens than an exact encoding counts in one text",
    "total_too_large": "all inputs together may hold 1,048,576 bytes",
}


def to_json(found: Estimate) -> str:
    """The report of a complete estimate. Raises RefusedError("output_limit") for one that would be too long."""
    report = _report(
        status="complete",
        estimator=_estimator(found.estimator),
        input={
            "count": len(found.contributors),
            "bytes": sum(each.size for each in found.contributors),
            "units": sum(each.units for each in found.contributors),
            "estimatedTokensPerCall": found.tokens,
        },
        contributors=[_contributor(each) for each in found.shown],
        projection={
            "returned": len(found.shown),
            "omitted": len(found.hidden),
            "omittedEstimatedTokens": sum(each.tokens for each in found.hidden),
        },
        scenario={
            "inputEstimatedTokens": found.scenario.input,
            "outputAllocatedTokens": found.scenario.output,
            "totalAllocatedTokens": found.scenario.total,
            "money": None,
        },
        snapshot=SNAPSHOT,
    )
    text = dumps(report) + "\n"
    if len(text.encode("utf-8", "surrogatepass")) > REPORT_LIMIT:
        raise RefusedError("output_limit")
    return text


def failure_json(status: str, code: str, ordinal: int | None = None) -> str:
    """The report of an estimate there is none of. status: invalid (the call was wrong) | incomplete (refused)."""
    return dumps(_report(status=status, error=code, ordinal=ordinal)) + "\n"


def to_text(found: Estimate) -> str:
    """A few lines for a person."""
    how = found.estimator.method + (f" for {found.estimator.model}" if found.estimator.model else "")
    size = sum(each.size for each in found.contributors)
    out = [
        f"{found.tokens:,} tokens a call ({escape.line(how)}): {count(len(found.contributors), 'input')}, {size:,} B"
    ]
    out += [f"  input {each.ordinal} ({each.source}): {each.tokens:,}, {each.size:,} B" for each in found.shown]
    if found.hidden:
        out.append(f"  {len(found.hidden)} more: {sum(each.tokens for each in found.hidden):,}")
    all_calls = found.scenario
    if all_calls.total is None:
        out.append("all calls: not known without --output-budget")
    else:
        out.append(f"all calls: {all_calls.input:,} in + {all_calls.output:,} out = {all_calls.total:,}")
    return "\n".join(out) + "\n"


def hint(code: str) -> str:
    """What a code means, or ""."""
    return _HINTS.get(code, "")


def _report(
    *,
    status: str,
    estimator: object = None,
    input: object = None,
    contributors: object = (),
    projection: object = None,
    scenario: object = None,
    snapshot: str | None = None,
    error: str | None = None,
    ordinal: int | None = None,
) -> dict[str, Any]:
    return {
        "schemaVersion": 1,
        "status": status,
        "scope": "selected_text_only",
        "estimator": estimator,
        "input": input,
        "contributors": contributors,
        "projection": projection,
        "scenario": scenario,
        "unknown": list(UNKNOWN),
        "snapshot": snapshot,
        "errorCode": error,
        "errorInputOrdinal": ordinal,
    }


def _estimator(how: Estimator) -> dict[str, Any]:
    from codemap import __version__

    return {
        "method": how.method,
        "versions": {"codemap": __version__, **how.versions},
        "model": how.model,
        "charactersPerToken": how.characters_per_token,
        "calibratedAt": how.calibrated_at,
    }


def _contributor(each: Contributor) -> dict[str, Any]:
    return {
        "ordinal": each.ordinal,
        "source": each.source,
        "bytes": each.size,
        "units": each.units,
        "estimatedTokens": each.tokens,
    }
