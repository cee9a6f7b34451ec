"""`codemap definition -`: what single questions answer, one answer a line."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from codemap import CodeMap
from indexer.errors import StoreError
from tests.codemap.conftest import ROOT, Run, Validate

PLACES = ["shop/cart.py:3:25", "shop/cart.py:18:20", "shop/cart.py:1:0", "web/src/cart.ts:1:10", "./shop/auth.py:10:20"]
WITH_TAX = ("shop/prices.py", "with_tax", 4, 4)


def _lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_answers_are_those_of_single_questions(shop: Path, run: Run, validate: Validate) -> None:
    done = run("-C", str(shop), "definition", "-", "--json", text="\n".join(PLACES) + "\n")
    assert (done.returncode, done.stderr) == (0, "")
    shown = _lines(done.stdout)
    for line in shown:
        validate("definition-line", line)
    assert [line["position"] for line in shown] == PLACES
    singles = [json.loads(run("-C", str(shop), "definition", place, "--json").stdout) for place in PLACES]
    assert [line["definitions"] for line in shown] == singles
    for found in singles[:2]:
        assert [(d["path"], d["qualname"], d["line"], d["column"]) for d in found] == [WITH_TAX]
    assert singles[2] == []
    assert all(line["staleness"]["fresh"] for line in shown)  # type: ignore[index]


def test_facts_laid_out_by_another_version_are_not_read(shop: Path, run: Run, tmp_path: Path) -> None:
    """They could mean something else, or have other columns."""
    copy = shutil.copytree(shop, tmp_path / "shop")
    (found,) = copy.glob("**/map.db")
    with closing(sqlite3.connect(found)) as made, made:
        made.execute("UPDATE meta SET value = replace(value, 'python-', 'python-0') WHERE key = 'fingerprints'")
    done = run("-C", str(copy), "definition", PLACES[0], "--on-stale", "warn")
    assert (done.returncode, done.stdout) == (StoreError.exit_code, "")
    assert done.stderr == "codemap: the map was made by another version of codemap: run `codemap update`\n"


def test_bad_lines_are_told_and_the_rest_is_answered(shop: Path, run: Run, validate: Validate) -> None:
    text = f"no.py:1:0\r\n\nshop/cart.py:999:0\nshop/cart.py:3:999\nx\n{shop}/shop/cart.py:3:25"
    done = run("-C", str(shop), "definition", "-", "--json", text=text)
    shown = _lines(done.stdout)
    for line in shown:
        validate("definition-line", line)
    said = [str(line["error"]) for line in shown]
    assert said[0] == "no.py is not in the map"
    assert said[1].startswith("the line is empty")
    assert said[2].endswith("there is no line 999")
    assert said[3].endswith("there is no column 999")
    assert said[4].startswith("x is not PATH:LINE:COLUMN")
    assert shown[5]["error"] is None
    assert [len(line["definitions"]) for line in shown] == [0, 0, 0, 0, 0, 1]  # type: ignore[arg-type]
    assert done.returncode == 3  # as the first bad line by itself
    assert done.stderr == "codemap: 5 of 6 positions could not be asked about\n"
    assert run("-C", str(shop), "definition", "-", text="x\nno.py:1:0\n").returncode == 2


def test_text_has_a_block_for_each(shop: Path, run: Run) -> None:
    done = run("-C", str(shop), "definition", "-", text="shop/cart.py:3:25\nshop/cart.py:1:0\nno.py:1:0\n")
    rows = done.stdout.splitlines()
    assert rows[:2] == ["shop/cart.py:3:25", "  shop/prices.py:4:4 with_tax function"]
    assert rows[2].startswith("    def with_tax(")
    assert rows[3:7] == ["shop/cart.py:1:0", "  not known", "no.py:1:0", "  error: no.py is not in the map"]
    assert rows[7].startswith("map: ")
    assert rows[7].endswith(", fresh")
    assert len(rows) == 8


def test_nothing_to_answer(shop: Path, run: Run) -> None:
    done = run("-C", str(shop), "definition", "-", "--json")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("codemap: standard input holds no position")


def test_what_changed_on_disk_is_told(tmp_path: Path, run: Run, repository: Callable[[Path], None]) -> None:
    root = tmp_path / "shop"
    repository(root)
    assert run("-C", str(root), "index", "--jobs", "1").returncode == 0
    prices = root / "shop/prices.py"
    prices.write_bytes(prices.read_bytes() + b"\n# more\n")
    text = "shop/cart.py:3:25\nshop/cart.py:1:0\n"
    changed, other = _lines(run("-C", str(root), "definition", "--on-stale", "warn", "-", "--json", text=text).stdout)
    assert changed["staleness"]["differing"] == ["shop/prices.py"]  # type: ignore[index]
    assert other["staleness"]["fresh"]  # type: ignore[index]
    rows = run("-C", str(root), "definition", "--on-stale", "warn", "-", text=text).stdout.splitlines()
    assert rows[3].startswith("  map: ")
    assert rows[3].endswith("NOT FRESH: shop/prices.py changed on disk since the map was made")
    assert rows[6].startswith("map: ")
    assert "NOT FRESH" in rows[6]
    single = run("-C", str(root), "definition", "shop/cart.py:3:25", "--json", "--on-stale", "warn")
    assert len(json.loads(single.stdout)) == 1
    said = "codemap: the map is stale: shop/prices.py changed on disk since the map was made: run `codemap update`"
    assert single.stderr.startswith(said)
    assert single.stderr.count("\n") == 1


def test_an_answer_comes_while_the_pipe_is_open(shop: Path) -> None:
    command = [sys.executable, "-m", "codemap", "-C", str(shop), "definition", "-", "--json"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for place in PLACES[:2]:
            process.stdin.write(place.encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["position"] == place
        process.stdin.close()
        assert process.stdout.read() == b""
    assert process.returncode == 0


def test_from_python(shop: Path) -> None:
    with CodeMap.open(shop, build=False) as code_map:
        good, bad = code_map.definitions([("shop/cart.py", 18, 20), ("no.py", 1, 0)])
        assert good.nodes == code_map.definition("shop/cart.py", 18, 20)
        assert [node.qualname for node in good.nodes] == ["with_tax"]
        assert good.staleness.fresh
        assert (bad.nodes, str(bad.error)) == ((), "no.py is not in the map")


@pytest.mark.parametrize("arguments", [["definition", "-"], ["definition", "-", "--json"]])
def test_garbage_collection_is_as_before(shop: Path, run: Run, arguments: list[str]) -> None:
    import gc

    before = gc.get_threshold()
    assert run("-C", str(shop), *arguments, text="x\n").returncode == 2
    assert gc.get_threshold() == before
