"""What stands beside the product, in folders of examples and documentation, comes after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemap.home import find
from indexer.pipeline import update
from queries.search import search
from queries.words import understand
from tests.indexer.repositories import Past

CODE = "def refund_order(order):\n    return order\n"


@pytest.mark.parametrize(
    ("query", "first"), [("refund an order", "shop/refunds.py"), ("examples of a refund", "examples/refunds.py")]
)
def test_examples_come_second_unless_asked_for(tmp_path: Path, query: str, first: str) -> None:
    made = Past(tmp_path / "repository")
    made.commit("Begin", {"examples/refunds.py": CODE, "shop/refunds.py": CODE})
    update(str(made.root), jobs=1)
    with find(made.root).open() as opened, opened.read():
        found = [each.row.path for each in search(opened, understand(query)) if each.row.kind == "function"]
    assert found[0] == first
