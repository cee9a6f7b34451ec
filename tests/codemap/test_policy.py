"""When an answer is not good enough."""

from __future__ import annotations

from dataclasses import replace

import pytest

from codemap.policy import Policy
from queries.answers import Staleness

HOUR = 3600
BEHIND = Staleness(
    "c" * 40, "d" * 40, 2, 0, (), "2025-01-02T03:04:05Z", 60, fresh=False, reason="why", commits_ahead=0, lag_seconds=60
)


@pytest.mark.parametrize(
    ("state", "max_age", "minded"),
    [
        (replace(BEHIND, fresh=True, reason=None), 0, False),
        (BEHIND, HOUR, False),
        (BEHIND, 60, False),
        (BEHIND, 59, True),
        (replace(BEHIND, differing=("a.py",)), HOUR, True),
        (replace(BEHIND, commits_ahead=1), HOUR, True),
        (replace(BEHIND, other_version=True), HOUR, True),
        (replace(BEHIND, commits_ahead=None, commits_behind=None), HOUR, True),
        (replace(BEHIND, lag_seconds=None), HOUR, True),
    ],
)
def test_what_is_let_pass(state: Staleness, max_age: int, minded: bool) -> None:
    assert Policy("refuse", max_age).complaint(state) == ("why" if minded else None)
