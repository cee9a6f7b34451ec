"""From counts of samples to ratios: the slope between two texts of very different size, so that what every message
costs besides its text cancels, and a third text that is predicted and compared, so that the error is known."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from codemap.tokens import pieces
from codemap.tokens.encodings import units
from codemap.tokens.ratios import Calibration, Ratio, Sample
from codemap.tokens.samples import Samples
from indexer.errors import CodemapError

LEAST_MARGIN = {"map": 0.1, "json": 0.08, "source": 0.12}
"""What a budget keeps back at least, as a share of it. Single answers and files on seven repositories, counted by three
tokenizers, differ from their calibrated estimate by up to these; see `docs/decisions/calibrated-ratios.md`."""

ERROR_FACTOR = 2.0
"""A sample that was predicted wrong by a share tells that the ratio itself may be: so much more is kept back."""

PROPORTIONAL = 0.001
"""Where characters alone predict every third sample within this share, the counter goes by characters. A tokenizer does
not, however near it may come in one sample."""


class CalibrationError(CodemapError):
    """What was counted gives no ratio."""


@dataclass(frozen=True, slots=True)
class _Line:
    """Tokens as a straight line over a figure of texts of a kind.

    per_token   the figure's units a token: the slope between the small and the large text
    overhead    tokens of an empty text
    error       of the prediction of the third text, as a share of its count
    """

    per_token: float
    overhead: float
    error: float


def calibrate(
    model: str,
    samples: Mapping[str, Samples],
    count: Callable[[str], int],
    *,
    commit: str | None = None,
    endpoint: str = "",
    now: datetime | None = None,
) -> Calibration:
    """Measure the ratios of a model.

    samples   three texts for each kind; see `codemap.tokens.samples`
    count     tokens that the provider counts for a message of a text
    commit, endpoint, now   kept with the result

    Raises CalibrationError when the counts cannot be those of a tokenizer, and what `count` raises.
    """
    counts = {kind: tuple(map(count, each)) for kind, each in samples.items()}
    lines = {name: _lines(model, samples, counts, figure) for name, figure in pieces.FIGURES.items()}
    name = _best(lines)
    ratios = {kind: _ratio(kind, samples[kind], counts[kind], name, lines) for kind in samples}
    return Calibration(
        model=model,
        calibrated_at=(now or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        commit=commit,
        endpoint=endpoint,
        estimator=name,
        overhead=max(0, math.ceil(round(max(line.overhead for line in lines[name].values()), 6))),
        ratios=ratios,
    )


def _best(lines: Mapping[str, Mapping[str, _Line]]) -> str:
    """The figure that tokens are proportional to: the one by which all kinds of text cost most nearly the same."""
    if all(abs(line.error) <= PROPORTIONAL for line in lines[pieces.CHARACTERS].values()):
        return pieces.CHARACTERS

    def spread(name: str) -> float:
        costs = [line.per_token for line in lines[name].values()]
        return max(costs) / min(costs)

    return min((name for name in lines if name != pieces.CHARACTERS), key=spread)


def _ratio(
    kind: str, samples: Samples, counts: Sequence[int], name: str, lines: Mapping[str, Mapping[str, _Line]]
) -> Ratio:
    error = lines[name][kind].error
    return Ratio(
        characters_per_token=lines[pieces.CHARACTERS][kind].per_token,
        weight_per_token=lines[name][kind].per_token,
        error=round(error, 5),
        margin=round(max(LEAST_MARGIN[kind], ERROR_FACTOR * abs(error)), 5),
        samples=tuple(
            Sample(
                role=role,
                digest=sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
                characters=units(text),
                weight=round(pieces.FIGURES[name](text), 2),
                tokens=tokens,
            )
            for role, text, tokens in zip(Samples._fields, samples, counts, strict=True)
        ),
    )


def _lines(
    model: str, samples: Mapping[str, Samples], counts: Mapping[str, Sequence[int]], figure: Callable[[str], float]
) -> dict[str, _Line]:
    """A line for each kind of text."""
    return {kind: _line(model, kind, [figure(text) for text in each], counts[kind]) for kind, each in samples.items()}


def _line(model: str, kind: str, figures: Sequence[float], counts: Sequence[int]) -> _Line:
    small, large, check = counts
    if not small < min(large, check):
        raise CalibrationError(
            f"the counts for {model} do not grow with the text ({kind}: {small}, {large} and {check} tokens for a "
            "small, a large and a middling text): they are of no use"
        )
    per_token = (figures[1] - figures[0]) / (large - small)
    if not 0.05 < per_token < 100:
        raise CalibrationError(f"the counts for {model} give {per_token:.2f} {kind} characters a token: that cannot be")
    predicted = small + (figures[2] - figures[0]) / per_token
    return _Line(per_token, overhead=small - figures[0] / per_token, error=predicted / check - 1)
