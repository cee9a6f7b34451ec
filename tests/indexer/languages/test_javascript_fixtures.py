"""Fixtures that say in comments what is expected of their lines.

`//= kind qualified.name, …` names every symbol whose name stands on the line (a line without such a comment has none);
`//> ROLE name, …` names every reference on the line, types left out, by its chain or the member's name.
"""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path

import pytest

from indexer.languages import by_name, language_of
from indexer.model import FileFacts, Role, line_starts

_FIXTURES = Path(__file__).parents[3] / "fixtures"
_FILES = sorted(path for folder in ("javascript", "typescript") for path in (_FIXTURES / folder).iterdir())


def read(path: Path) -> tuple[list[str], FileFacts]:
    text = path.read_text(encoding="utf-8")
    language = language_of(path.name)
    assert language is not None
    return text.splitlines(), by_name(language).extract(text.encode())


def expected(line: str, mark: str) -> list[str]:
    return [part.strip() for part in line.partition(mark)[2].split(",") if part.strip()]


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.name)
def test_symbols(path: Path) -> None:
    lines, facts = read(path)
    wanted = {number: sorted(expected(line, "//=")) for number, line in enumerate(lines, 1)}
    found: dict[int, list[str]] = {number: [] for number in wanted}
    for symbol in facts.symbols[1:]:
        found[symbol.name_line].append(f"{symbol.kind} {symbol.qualname}")
    assert {number: sorted(names) for number, names in found.items()} == wanted
    assert facts.error_lines == ()


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.name)
def test_references(path: Path) -> None:
    lines, facts = read(path)
    starts = line_starts(facts.line_lengths)
    found: dict[int, list[str]] = {number: [] for number in range(1, len(lines) + 1)}
    for _, expression, role, positions in facts.references:
        name = expression if isinstance(expression, str) else str(facts.expressions[expression or 0][-1])
        if role != Role.ANNOTATION:
            for position in positions:
                found[bisect_right(starts, position)].append(f"{Role(role).name} {name}")
    for number, line in enumerate(lines, 1):
        if "//>" in line:
            assert sorted(found[number]) == sorted(expected(line, "//>")), line
