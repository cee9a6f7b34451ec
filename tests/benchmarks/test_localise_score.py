from __future__ import annotations

import pytest

from tests.benchmarks.localise_score import Changed, Score, Task, score, table

TASK = Task(
    "1", "a/b", "0" * 40, "python", "words", ("a.py", "b.py"),
    (Changed("a.py", "Shop.buy", 10, 11), Changed("b.py", "pay", 5, 5)), False,
)  # fmt: skip
FIRST, OTHER = ("a.py", "Shop.buy", 10), ("c.py", "pay", 5)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ([], (0.0, 0.0, 0.0)),
        ([OTHER, FIRST], (0.5, 0.5, 0.5)),
        ([("a.py", "<module>", 1), ("b.py", "pay", 6)], (1.0, 0.5, 1.0)),  # its name, a line below
        ([("b.py", "other.pay", 5)], (0.5, 0.5, 1.0)),  # its line
        ([("b.py", "pay", 90)], (0.5, 0.0, 1.0)),  # another of the same name
        ([("b.py", "repay", 6)], (0.5, 0.0, 1.0)),
    ],
)
def test_what_an_answer_holds(shown: list[tuple[str, str, int]], expected: tuple[float, float, float]) -> None:
    assert score(TASK, shown, 100, 500)[1:4] == expected


def test_an_answer_over_its_budget_loses_the_share_it_is_over() -> None:
    assert score(TASK, [OTHER, OTHER, OTHER, FIRST], 1000, 500).function == 0.0
    assert score(TASK, [OTHER, FIRST, OTHER, OTHER], 1000, 500).function == 0.5


def test_tables_tell_tasks_apart_by_whether_they_name_an_answer() -> None:
    good, bad = Score(TASK, 1.0, 1.0, 1.0, 9), Score(TASK._replace(leaky=True), 0.0, 0.0, 0.0, 9)
    rows = list(table([good, bad], "500 tokens"))
    assert "| text names no answer | 1 | 1.000 (1.000 – 1.000) |" in rows[2]
    assert "| text names an answer | 1 | 0.000 (0.000 – 0.000) |" in rows[3]
    assert rows[4].startswith("| all | 2 | 0.500 (0.000 – 1.000) |")
