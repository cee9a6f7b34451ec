"""Limits, warnings, reservations; also between processes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from codemap.tokens.meter.meter import Meter
from codemap.tokens.meter.values import BudgetStopError, Pair, Usage
from indexer.errors import NotFoundError, UsageError

ROOT = Path(__file__).resolve().parents[4]


@pytest.mark.parametrize(
    ("asked", "state", "left"),
    [(19_999, "ok", 40_000), (20_000, "warn", 40_000), (40_000, "warn", 40_000), (40_001, "stop", 40_000)],
)
def test_a_call_of_a_task_that_has_spent_60_000_of_100_000(meter: Meter, asked: int, state: str, left: int) -> None:
    meter.set_budget("t", 100_000)
    meter.record(Usage(60_000, 30_000), task="t")
    found = meter.check("t", asked)
    assert (found.state, found.left) == (state, Pair(left, 70_000))  # input and output are never added
    assert found.spent == Pair(60_000, 30_000)
    assert [choice.name for choice in found.choices] == ([] if state == "ok" else ["pause", "narrow", "raise"])


def test_output_has_a_limit_of_its_own(meter: Meter) -> None:
    meter.set_budget("t", 1000, output=100)
    meter.record(Usage(10, 90), task="t")
    assert meter.check("t", 10, output=10).state == "warn"
    assert meter.check("t", 10, output=11).state == "stop"


def test_what_is_used_up_stops_everything(meter: Meter) -> None:
    meter.set_budget("t", 100)
    meter.record(Usage(130, 0), task="t")
    found = meter.check("t")
    assert (found.state, found.left.input, found.spent.input) == ("stop", 0, 130)


def test_a_task_without_a_budget_is_free(meter: Meter) -> None:
    found = meter.check("t", 10**9)
    assert (found.state, found.limit, found.left) == ("ok", Pair(), Pair())


def test_the_share_to_warn_from_can_be_set(meter: Meter) -> None:
    meter.set_budget("t", 100, warn_percent=50)
    assert meter.check("t", 49).state == "ok"
    assert meter.check("t", 50).state == "warn"


def test_raise_adds_to_each_limit(meter: Meter) -> None:
    meter.set_budget("t", 100, output=10)
    assert meter.raise_budget("t", 50).limit == Pair(150, 60)
    assert meter.raise_budget("t", 50, output=0).limit == Pair(200, 60)
    with pytest.raises(NotFoundError, match="no has no budget"):
        meter.raise_budget("no", 1)


def test_spending_before_a_budget_was_set_counts(meter: Meter) -> None:
    meter.record(Usage(70, 0), task="t")
    assert meter.set_budget("t", 100).left.input == 30


def test_a_reservation_takes_from_what_is_left_until_it_is_recorded(meter: Meter) -> None:
    meter.set_budget("t", 100)
    held = meter.reserve("t", 60, output=5)
    assert held.reservation is not None
    assert meter.check("t").reserved == Pair(60, 5)
    assert meter.reserve("t", 60).state == "stop"
    assert meter.reserve("t", 60).reservation is None
    meter.record(Usage(40, 3), task="t", reservation=held.reservation)
    found = meter.check("t")
    assert (found.reserved, found.left) == (Pair(0, 0), Pair(60, 97))


def test_a_call_that_does_not_tell_its_output_sets_all_of_it_aside(meter: Meter) -> None:
    meter.set_budget("t", 100, output=50)
    meter.record(Usage(10, 20), task="t")
    first = meter.reserve("t", 10)
    assert first.reservation is not None
    second = meter.reserve("t", 10)
    assert (second.state, second.reservation, second.reserved) == ("stop", None, Pair(10, 30))
    assert second.left == Pair(80, 0)
    assert "did not tell its output" in second.choices[0].text
    assert meter.reserve("t", 10, output=1).state == "stop"
    meter.raise_budget("t", 0, output=40)
    assert meter.reserve("t", 10, output=1).state == "stop"  # the first call may take what was added as well
    meter.record(Usage(10, 5), task="t", reservation=first.reservation)
    assert meter.check("t").left == Pair(80, 65)


def test_what_was_set_aside_already_is_not_counted_twice(meter: Meter) -> None:
    meter.set_budget("t", 100, output=50)
    told = meter.reserve("t", 1, output=30)
    untold = meter.reserve("t", 1)
    assert (told.state, untold.state) == ("ok", "ok")
    assert meter.check("t").reserved == Pair(2, 50)
    meter.record(Usage(1, 45), task="t")  # a call that nobody announced
    assert meter.check("t").reserved == Pair(2, 30)
    assert untold.reservation is not None
    meter.release(untold.reservation)
    assert meter.check("t").reserved == Pair(1, 30)


def test_an_untold_output_without_a_limit_stops_nobody(meter: Meter) -> None:
    held = meter.reserve("t", 10)
    assert (held.state, meter.check("t").reserved) == ("ok", Pair(10, 0))
    assert meter.reserve("t", 10).state == "ok"


def test_an_untold_output_is_no_estimate_of_a_call_whose_usage_never_came(meter: Meter) -> None:
    meter.set_budget("t", 100, output=50)
    held = meter.demand("t", 30)
    entry = meter.record(Usage(outcome="cut"), task="t", reservation=held.reservation).entry
    assert (entry.input, entry.output, entry.basis) == (30, None, "estimated")
    assert meter.check("t").left == Pair(70, 50)


def test_a_released_reservation_is_free_again(meter: Meter) -> None:
    meter.set_budget("t", 100)
    held = meter.reserve("t", 60)
    assert held.reservation is not None
    assert meter.release(held.reservation)
    assert not meter.release(held.reservation)
    assert meter.check("t").left.input == 100


def test_a_reservation_of_a_process_that_died_runs_out(meter: Meter, monkeypatch: pytest.MonkeyPatch) -> None:
    meter.set_budget("t", 100)
    meter.reserve("t", 60, seconds=30)
    assert meter.check("t").left.input == 40
    later = time.time() + 31
    monkeypatch.setattr("time.time", lambda: later)
    assert meter.check("t").left.input == 100


def test_a_call_whose_usage_never_came_is_charged_what_was_set_aside(meter: Meter) -> None:
    meter.set_budget("t", 100)
    held = meter.demand("t", 60, output=20)
    entry = meter.record(Usage(outcome="cut"), task="t", reservation=held.reservation).entry
    assert (entry.input, entry.output, entry.basis) == (60, 20, "estimated")
    held = meter.demand("t", 30)
    entry = meter.record(Usage(outcome="failed"), task="t", reservation=held.reservation).entry
    assert (entry.input, entry.output, entry.basis) == (None, None, "unknown")
    assert meter.check("t").left.input == 40
    assert meter.check("t").unknown == 1


def test_demand_says_what_to_do(meter: Meter) -> None:
    meter.set_budget("t", 100)
    with pytest.raises(
        BudgetStopError, match=r"narrow the call to what is left \(input 100, output 100\).*by at least 20"
    ) as e:
        meter.demand("t", 120)
    assert e.value.verdict.left.input == 100


RACER = """
import sys
from codemap.tokens.meter.meter import Meter

meter = Meter(sys.argv[1])
sys.stdin.readline()
output = int(sys.argv[2]) if sys.argv[2:] else None
won = sum(meter.reserve("t", 100, output=output).reservation is not None for _ in range(10))
print(won)
"""


@pytest.mark.parametrize(("output", "fit"), [(("1",), 10), ((), 1)])
def test_processes_cannot_spend_the_same_remainder(
    meter: Meter, ledger_file: Path, output: tuple[str, ...], fit: int
) -> None:
    """Of 30 calls 10 fit; of those that do not tell their output, one."""
    meter.set_budget("t", 1000)
    command = [sys.executable, "-c", RACER, str(ledger_file), *output]
    racers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) for _ in range(3)
    ]
    won = [int(racer.communicate("go\n", timeout=60)[0]) for racer in racers]
    assert sum(won) == fit
    assert meter.check("t").left.input == 1000 - fit * 100


@pytest.mark.parametrize("task", ["", "  ", "x" * 201, "a\0b"])
def test_what_names_no_task_is_refused(meter: Meter, task: str) -> None:
    with pytest.raises(UsageError):
        meter.set_budget(task, 1)


@pytest.mark.parametrize("tokens", [-1, 1.5, True, 10**16])
def test_what_is_no_number_of_tokens_is_refused(meter: Meter, tokens: int) -> None:
    with pytest.raises(UsageError):
        meter.set_budget("t", tokens)
    with pytest.raises(UsageError):
        meter.check("t", tokens)


def test_a_verdict_is_plain_json(meter: Meter) -> None:
    from codemap.tokens.meter.render_budgets import verdict

    meter.set_budget("t", 10)
    assert json.loads(json.dumps(verdict(meter.check("t", 9))))["state"] == "warn"
