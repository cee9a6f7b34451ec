"""The call sites that are sampled."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.places import call_sites, sample


def test_call_sites_are_where_the_called_name_stands(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("f(1)\nx = 'é'; a.b\\\n  .c(g())\nf()()\n", encoding="utf-8")
    (tmp_path / "broken.py").write_text("f(\n", encoding="utf-8")
    (tmp_path / "latin.py").write_bytes(b"# coding: latin-1\nf('\xe9')\n")
    assert sorted(call_sites(tmp_path)) == ["a.py:1:0", "a.py:3:3", "a.py:3:5", "a.py:4:0"]


def test_a_sample_is_the_same_each_time(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("f()\n" * 50, encoding="utf-8")
    first = sample(tmp_path, 10)
    assert len(set(first)) == 10
    assert sample(tmp_path, 10) == first
    assert len(sample(tmp_path)) == 50
