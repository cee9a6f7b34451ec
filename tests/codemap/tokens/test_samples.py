"""Samples are the repository's own text, of the sizes that were agreed, and the same each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codemap import CodeMap
from codemap.tokens import samples
from codemap.tokens.encodings import units
from codemap.tokens.samples import SmallRepositoryError, draw


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, project_root: Path) -> Iterator[CodeMap]:
    """A map of a part of this project."""
    import shutil

    folder = tmp_path_factory.mktemp("part") / "project"
    shutil.copytree(project_root / "queries", folder / "queries", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(project_root / "codemap", folder / "codemap", ignore=shutil.ignore_patterns("__pycache__"))
    with CodeMap.open(folder) as code_map:
        yield code_map


def test_sizes_are_whole_steps(project: CodeMap) -> None:
    found = draw(project)
    assert list(found) == ["map", "json", "source"]
    for each in found.values():
        assert units(each.small) == 240
        assert 2_400 <= units(each.large) <= 24_000
        assert 2_400 <= units(each.check) <= 12_000
        assert {units(text) % 120 for text in (each.small, each.large, each.check)} == {0}


def test_they_are_drawn_alike_each_time_and_the_third_is_another_text(project: CodeMap) -> None:
    found = draw(project)
    assert draw(project) == found
    for each in found.values():
        assert each.check[:400] not in each.large


def test_they_are_what_their_kind_says(project: CodeMap) -> None:
    found = draw(project)
    assert "# " in found["map"].large
    assert "tokens: " in found["map"].large
    assert '"schema":"codemap/subgraph/1"' in found["json"].check
    assert "def " in found["source"].large


def test_a_repository_with_too_little_text_is_said(tmp_path: Path, repository: Callable[[Path], None]) -> None:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "a.py").write_text("def f():\n    return 1\n")
    with CodeMap.open(folder) as code_map, pytest.raises(SmallRepositoryError, match="too small to calibrate on"):
        draw(code_map)


@pytest.mark.parametrize(
    ("text", "size", "expected"),
    [
        ("x" * 500, 240, "x" * 240),
        ("x" * 300, 480, "x" * 240),
        ("x" * 119 + "\U0001f600" * 100, 120, "x" * 119 + " "),
        ("\ud800" * 120, 120, "?" * 120),
    ],
)
def test_a_cut_keeps_characters_whole(text: str, size: int, expected: str) -> None:
    assert samples._cut(text, size) == expected
