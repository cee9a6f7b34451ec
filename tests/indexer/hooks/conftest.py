"""A repository to put hooks into."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import hooked


@pytest.fixture
def repository(tmp_path: Path) -> hooked.Repository:
    """One commit, no map, no hooks."""
    return hooked.make(tmp_path / "repository")
