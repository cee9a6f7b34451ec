"""What an answer of the map cost, against the files it stands for; noted where CODEMAP_METER asks for it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path

from codemap.tokens.meter.meter import Meter
from queries.tokens import Measure

SWITCH = "CODEMAP_METER"


def wanted() -> bool:
    """Whether answers are to be metered."""
    return os.environ.get(SWITCH, "").strip().lower() not in ("", "0", "no", "off", "false")


def note(
    command: str, text: str, paths: Iterable[str], root: Path, measure: Measure, meter: Meter | None = None
) -> None:
    """Note the tokens of an answer and of the files it names, as they are on disk, by one measure.

    Raises StoreError or BusyError where the ledger cannot be written.
    """
    files = tokens = missing = 0
    for path in sorted(set(paths)):
        try:
            data = (root / path).read_bytes()
        except OSError:
            missing += 1
            continue
        files += 1
        tokens += measure.count(data.decode("utf-8", "replace"))
    with nullcontext(meter) if meter is not None else Meter() as used:
        used.record_answer(
            command,
            answer_tokens=measure.count(text),
            file_tokens=tokens,
            files=files,
            missing=missing,
            method=measure.method,
        )
