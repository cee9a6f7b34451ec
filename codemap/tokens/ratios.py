"""Calibrated ratios: what they are, and where they are kept.

One file per repository, beside the facts that its worktrees share: a ratio is measured on the repository's own text and
says little of another's.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import orjson

from codemap.tokens.encodings import Count, Estimator
from codemap.tokens.pieces import FIGURES
from indexer.errors import NotFoundError, StoreError
from indexer.locks import writer_lock
from queries.tokens import Measure

FILE = "ratios.json"
SCHEMA = "codemap/ratios/1"
KINDS = ("map", "json", "source")
"""Text of the map, JSON of the map, source code."""

LOCK_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Sample:
    """A text that was sent, and what the provider counted."""

    role: str  # small | large | check
    digest: str  # sha256 of its UTF-8
    characters: int  # UTF-16 units
    weight: float  # what the calibration's estimator makes of it
    tokens: int  # as counted by the provider, the overhead of a message included


@dataclass(frozen=True, slots=True)
class Ratio:
    """What a kind of text costs.

    characters_per_token   UTF-16 units a token: the slope between the small and the large sample
    weight_per_token       the same by the figure that the calibration's estimator names
    error                  of the third sample's prediction, as a share of its count; positive: predicted too much
    margin                 what a budget keeps back, as a share, since single texts differ from the ratio
    """

    characters_per_token: float
    weight_per_token: float
    error: float
    margin: float
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class Calibration:
    """All that is known of a model's tokens.

    estimator   what tokens are proportional to; one of `codemap.tokens.pieces.FIGURES`
    overhead    tokens a message costs besides its text
    """

    model: str
    calibrated_at: str  # ISO 8601, UTC
    commit: str | None
    endpoint: str  # without credentials
    estimator: str
    overhead: int
    ratios: Mapping[str, Ratio]  # by kind

    def counter(self, *kinds: str) -> Count:
        """Tokens of a text that is in equal parts of each of `kinds`, rounded up."""
        chosen = [self.ratios[kind] for kind in kinds]
        rate = sum(1 / ratio.weight_per_token for ratio in chosen) / len(chosen)
        figure = FIGURES[self.estimator]
        return lambda text: _up(figure(text) * rate)

    def measure(self, *kinds: str) -> Measure:
        """How answers of such text are counted."""
        chosen = [self.ratios[kind] for kind in kinds]
        per_token = len(chosen) / sum(1 / ratio.characters_per_token for ratio in chosen)
        error = max(abs(ratio.error) for ratio in chosen)
        return Measure(
            method=f"calibrated-{self.estimator}",
            model=self.model,
            characters_per_token=round(per_token, 4),
            calibrated_at=self.calibrated_at,
            calibrated_on=f"{' and '.join(kinds)} text, checked within {math.ceil(error * 1000) / 10}%",
            counter=self.counter(*kinds),
        )

    def margin(self, *kinds: str) -> float:
        """What a budget for such text keeps back, as a share."""
        return max(self.ratios[kind].margin for kind in kinds)


def calibrated_estimator(calibration: Calibration, kind: str) -> Estimator:
    """What `codemap estimate --model` counts with."""
    return Estimator(
        method=f"calibrated-{calibration.estimator}",
        versions={},
        count=calibration.counter(kind),
        model=calibration.model,
        characters_per_token=calibration.ratios[kind].characters_per_token,
        calibrated_at=calibration.calibrated_at,
    )


class Ratios:
    """The calibrations kept in a folder."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._path = os.path.join(folder, FILE)

    def of(self, model: str) -> Calibration:
        """The calibration of a model. Raises NotFoundError: no ratio of another model is ever taken for it."""
        known = self.all()
        if model not in known:
            raise NotFoundError(
                f"{model} is not calibrated here: run `codemap calibrate --model {model}`", tuple(known)
            )
        found = known[model]
        if found.estimator not in FIGURES:
            raise NotFoundError(f"{model} was calibrated by another version: run `codemap calibrate --model {model}`")
        return found

    def all(self) -> dict[str, Calibration]:
        """Every calibration by its model, in order of names. Raises StoreError for a file that cannot be read."""
        try:
            with open(self._path, "rb") as file:
                content = orjson.loads(file.read())
            if content["schema"] != SCHEMA:
                raise ValueError(content["schema"])
            return {model: _calibration(model, row) for model, row in sorted(content["models"].items())}
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise StoreError(f"{self._path} cannot be read: remove it and calibrate again") from error

    def put(self, calibration: Calibration) -> None:
        """Keep a calibration in place of the model's former one. Raises StoreError, BusyError."""
        try:
            os.makedirs(self._folder, exist_ok=True)
        except OSError as error:
            raise StoreError(f"cannot write {self._folder}: {error.strerror}") from error
        with writer_lock(f"{self._path}.lock", LOCK_SECONDS, lambda _: None):
            known = {**self.all(), calibration.model: calibration}
            content = {"schema": SCHEMA, "models": {model: as_row(known[model]) for model in sorted(known)}}
            self._replace(orjson.dumps(content, option=orjson.OPT_INDENT_2) + b"\n")

    def _replace(self, data: bytes) -> None:
        """Write the file whole or not at all. The lock is held."""
        new = f"{self._path}.new"
        try:
            with open(new, "wb") as file:
                file.write(data)
            os.replace(new, self._path)
        except OSError as error:
            raise StoreError(f"cannot write {self._path}: {error.strerror}") from error


def as_row(calibration: Calibration) -> dict[str, Any]:
    """A calibration as plain values, without the model."""
    return {
        "calibrated_at": calibration.calibrated_at,
        "commit": calibration.commit,
        "endpoint": calibration.endpoint,
        "estimator": calibration.estimator,
        "overhead": calibration.overhead,
        "ratios": {
            kind: {**asdict(ratio), "samples": [asdict(sample) for sample in ratio.samples]}
            for kind, ratio in calibration.ratios.items()
        },
    }


def _calibration(model: str, row: dict[str, Any]) -> Calibration:
    ratios = {
        kind: Ratio(**{**fields, "samples": tuple(Sample(**sample) for sample in fields["samples"])})
        for kind, fields in row["ratios"].items()
    }
    if set(ratios) != set(KINDS):
        raise ValueError(sorted(ratios))
    for ratio in ratios.values():
        if not (ratio.characters_per_token > 0 and ratio.weight_per_token > 0 and 0 <= ratio.margin < 1):
            raise ValueError(ratio)
    return Calibration(**{**row, "model": model, "ratios": ratios})


def _up(tokens: float) -> int:
    """Rounded up, but for the last bits of a division."""
    return math.ceil(round(tokens, 6))
