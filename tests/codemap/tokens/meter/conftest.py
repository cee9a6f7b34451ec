"""A ledger of its own for every test, no prices from outside, and samples in the shapes the providers document."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from codemap.tokens.meter.meter import Meter


@pytest.fixture(autouse=True)
def ledger_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith(("CODEMAP_PRICE", "CODEMAP_TASK", "CODEMAP_CALLER", "CODEMAP_METER")):
            monkeypatch.delenv(name)
    path = tmp_path / "data" / "ledger.db"
    monkeypatch.setenv("CODEMAP_LEDGER", str(path))
    return path


@pytest.fixture
def meter(ledger_file: Path) -> Iterator[Meter]:
    with Meter() as own:
        yield own


@pytest.fixture(scope="session")
def samples() -> Path:
    return Path(__file__).parent / "samples"
