"""What is looked at closely."""

from __future__ import annotations

from pathlib import Path

from queries.pool import POOL
from tests.queries.test_search import ranked


def test_many_tests_of_a_subject_leave_room_for_it(tmp_path: Path) -> None:
    """Each test says two of the words, the class one: by words alone the tests would fill all there is room for."""
    cases = "".join(f"def test_refund_of_order_{i}():\n    assert True\n\n\n" for i in range(POOL + 20))
    files = {"shop/desk.py": "class RefundHandler:\n    pass\n", "tests/test_desk.py": cases}
    assert "shop/desk.py:RefundHandler" in ranked(tmp_path, files, "refund order")
    assert not any(
        name.startswith("shop/") for name in ranked(tmp_path / "again", files, "tests of a refund order")[:3]
    )
