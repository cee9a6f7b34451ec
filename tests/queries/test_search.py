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


def ranked(tmp_path: Path, files: dict[str, str], text: str) -> list[str]:
    """`path:name` of what is found, without modules."""
    made = Past(tmp_path / "repository")
    made.commit("Begin", files)
    update(str(made.root), jobs=1)
    with find(made.root).open() as opened, opened.read():
        rows = [each.row for each in search(opened, understand(text))]
    return [f"{row.path}:{row.qualname}" for row in rows if row.kind != "module"]


LONG = """Refund of an order is booked twice

I was on holiday and when I came home my colleague told me that a customer called about his voucher.
We looked through yesterday's mail and `Voucher` was in it, next to plenty of chatter about weather,
lunch, parking and a broken printer on the second floor. Rebooting did nothing, neither did shouting.
"""


def test_a_name_in_passing_does_not_drown_what_a_long_text_is_about(tmp_path: Path) -> None:
    files = {
        "shop/refunds.py": "def refund_order(order):\n    booked = order.booked\n    return booked\n",
        "shop/vouchers.py": "class Voucher:\n    def print(self):\n        return 1\n",
    }
    assert ranked(tmp_path, files, LONG)[0] == "shop/refunds.py:refund_order"


def test_of_equal_matches_that_among_other_matches_comes_first(tmp_path: Path) -> None:
    files = {
        "a/alone.py": "def refund(order):\n    return order\n",
        "b/among.py": "def refund(order):\n    return order\n\n\ndef refund_all(orders):\n    return orders\n",
    }
    assert ranked(tmp_path, files, "refund order")[0] == "b/among.py:refund"


def test_a_word_said_once_in_a_long_text_counts_less_than_one_said_often() -> None:
    words = understand("Crash\n\nparser parser parser lunch").words
    assert words["parser"] > 2 * words["lunch"]


def test_hyphens_lead_to_names_in_one_piece(tmp_path: Path) -> None:
    """`v` and `if` are no words of their own."""
    files = {
        "src/transforms/vIf.ts": "export function branchOf(node) {\n  return node\n}\n",
        "src/transforms/vOn.ts": "export function branches(node) {\n  return node\n}\n",
        "src/keepAlive.ts": "export function cacheOf(node) {\n  return node\n}\n",
    }
    assert ranked(tmp_path, files, "v-if of a node is lost")[0] == "src/transforms/vIf.ts:branchOf"
    assert ranked(tmp_path / "again", files, "a node in keep-alive is lost")[0] == "src/keepAlive.ts:cacheOf"


def test_a_topic_that_a_folder_bears_decides_between_equals(tmp_path: Path) -> None:
    code = "export function hydrate(node) {\n  return node\n}\n"
    files = {"packages/a-other/src/run.ts": code, "packages/shop-dom/src/run.ts": code}
    assert ranked(tmp_path, files, "shop-dom: hydrate a node")[0] == "packages/shop-dom/src/run.ts:hydrate"


def test_an_error_message_leads_to_the_function_whose_literal_it_is(tmp_path: Path) -> None:
    """The words stand in other places more prominently, only there together."""
    raising = (
        'def check(value):\n    raise ValueError("the given order %s cannot be shipped before it was paid" % value)\n'
    )
    others = "".join(
        f"def {name}_order(order):\n    return order.{name}\n\n\n" for name in ("given", "shipped", "paid", "before")
    )
    files = {"shop/orders.py": others, "shop/rules.py": raising, "shop/more.py": "def order_value(x):\n    return x\n"}
    text = "Orders\n\nValueError: the given order 17 cannot be shipped before it was paid"
    assert ranked(tmp_path, files, text)[0] == "shop/rules.py:check"
