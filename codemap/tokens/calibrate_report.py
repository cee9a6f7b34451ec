"""A calibration, or what one would send, as text and as JSON (`docs/schema/calibration.json`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from codemap.render import escape
from codemap.render.json import dumps
from codemap.tokens.encodings import units
from codemap.tokens.ratios import Calibration, as_row
from codemap.tokens.samples import Samples
from queries.tokens import Measure

SCHEMA = "codemap/calibration/1"


@dataclass(frozen=True, slots=True)
class Planned:
    """A text that would be sent."""

    kind: str
    role: str  # small | large | check
    digest: str
    characters: int  # UTF-16 units
    tokens: int  # by the heuristic


@dataclass(frozen=True, slots=True)
class Plan:
    """What a calibration would send, and where."""

    model: str
    endpoint: str
    requests: tuple[Planned, ...]


def plan(model: str, endpoint: str, samples: Mapping[str, Samples]) -> Plan:
    """What would be sent, in order."""
    heuristic = Measure()
    return Plan(
        model,
        endpoint,
        tuple(
            Planned(kind, role, sha256(text.encode()).hexdigest(), units(text), heuristic.count(text))
            for kind, each in samples.items()
            for role, text in (("small", each.small), ("large", each.large), ("check", each.check))
        ),
    )


def plan_json(found: Plan) -> str:
    """`codemap/calibration/1` of a dry run."""
    body = {
        "schema": SCHEMA,
        "model": found.model,
        "endpoint": found.endpoint,
        "dry_run": True,
        "requests": [
            {
                "kind": each.kind,
                "role": each.role,
                "digest": each.digest,
                "characters": each.characters,
                "estimated_tokens": each.tokens,
            }
            for each in found.requests
        ],
        "calibration": None,
    }
    return dumps(body) + "\n"


def plan_text(found: Plan) -> str:
    """A line for each request, and the sum."""
    out = [f"would ask {escape.line(found.endpoint)} how many tokens {escape.line(found.model)} counts, max_tokens=1:"]
    out += [
        f"  {each.kind} {each.role}: {each.characters:,} characters, about {each.tokens:,} tokens, "
        f"sha256 {each.digest[:12]}"
        for each in found.requests
    ]
    characters = sum(each.characters for each in found.requests)
    tokens = sum(each.tokens for each in found.requests)
    out.append(f"{len(found.requests)} requests, {characters:,} characters, about {tokens:,} tokens (heuristic)")
    return "\n".join(out) + "\n"


def to_json(found: Calibration) -> str:
    """`codemap/calibration/1` of what was measured and stored."""
    row = as_row(found)
    body = {
        "schema": SCHEMA,
        "model": found.model,
        "endpoint": row.pop("endpoint"),
        "dry_run": False,
        "requests": [],
        "calibration": row,
    }
    return dumps(body) + "\n"


def to_text(found: Calibration) -> str:
    """A line for each kind of text."""
    out = [f"{escape.line(found.model)}, calibrated {found.calibrated_at} ({found.estimator})"]
    for kind, ratio in found.ratios.items():
        out.append(
            f"  {kind}: {ratio.characters_per_token:.3f} characters a token; the third sample was predicted "
            f"{ratio.error:+.1%} off; budgets keep {ratio.margin:.0%} back"
        )
    out.append(f"  a message costs {found.overhead} tokens besides its text")
    return "\n".join(out) + "\n"
