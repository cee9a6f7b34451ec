"""The benchmark's own arithmetic: what is a median, what is over a bound, what an edit does."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.benchmarks.__main__ import misses, table
from tests.benchmarks.corpora import DJANGO, MAPLIBRE
from tests.benchmarks.measure import Failed, run
from tests.benchmarks.rounds import Values, edited, map_size, medians, require_most

ROUNDS: list[Values] = [
    {"reference": 2.0, "cold": 4.4, "ratio": 2.2, "query": 0.1},
    {"reference": 2.0, "cold": 3.8, "ratio": 1.9, "query": 0.9},
    {"reference": 2.1, "cold": 9.0, "ratio": 4.3, "query": 0.2},
]


def test_the_median_counts_and_not_the_best() -> None:
    assert medians(ROUNDS) == {"reference": 2.0, "cold": 4.4, "ratio": 2.2, "query": 0.2}


def test_a_figure_over_its_bound_is_a_miss_where_the_bound_holds() -> None:
    assert [figure.key for figure in misses(DJANGO, ROUNDS)] == ["ratio"]
    assert misses(MAPLIBRE, ROUNDS) == []
    assert misses(DJANGO, []) == []


def test_the_table_says_so() -> None:
    rows = list(table(DJANGO, ROUNDS))
    assert "| cold full index / bare parse | 2.20 × | 1.90 – 4.30 | 2.00 × | over |" in rows
    assert "| warm subgraph, whole process | 0.20 s | 0.10 – 0.90 | 0.30 s | holds |" in rows
    assert "| map on disk / source | not measured here | | | |" in rows


def test_an_edit_adds_one_line_and_takes_it_back(tmp_path: Path) -> None:
    corpus = replace(DJANGO, edited="a.py", anchor="    x = 1\n", line="    mark_{n} = {n}\n")
    path = tmp_path / "a.py"
    path.write_bytes(b"def f():\n    x = 1\n    return x\n")
    with edited(corpus, tmp_path, 7):
        assert path.read_bytes() == b"def f():\n    x = 1\n    mark_7 = 7\n    return x\n"
    assert path.read_bytes() == b"def f():\n    x = 1\n    return x\n"
    with pytest.raises(ValueError, match="2 times, not once"):
        edited(replace(corpus, anchor="x"), tmp_path, 7)


def test_the_size_of_a_map_is_that_of_all_its_files(tmp_path: Path) -> None:
    folder = tmp_path / ".git/codemap/deep"
    folder.mkdir(parents=True)
    (folder / "map.db").write_bytes(b"12345")
    (folder.parent / "map.db-wal").write_bytes(b"12")
    assert map_size(tmp_path) == 7


def test_half_a_map_is_not_measured() -> None:
    mapped = [f"{number}.py" for number in range(97)] + ["style.js"]
    require_most(DJANGO, mapped, 100)
    with pytest.raises(Failed, match="97 of 101"):
        require_most(DJANGO, mapped, 101)


def test_a_command_that_fails_stops_the_benchmark() -> None:
    with pytest.raises(Failed, match=r"exit code 3\nwhy"):
        run([sys.executable, "-c", "import sys; sys.exit(sys.stderr.write('why') and 3)"])


@pytest.mark.skipif(sys.platform == "win32", reason="no rusage")
def test_the_peak_is_that_of_the_largest_process_of_the_run() -> None:
    child = "bytearray(300_000_000)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    peak = run([sys.executable, "-c", parent]).peak
    assert peak is not None
    assert 300_000_000 < peak < 400_000_000
