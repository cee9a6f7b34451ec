"""The steps before mypyc: decorators written out."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def hook() -> Any:
    spec = importlib.util.spec_from_file_location("compile_hook", ROOT / ".build" / "compile.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SOURCE = dedent('''
    from indexer.link.memo import Memo, question


    class Steps:
        def __init__(self) -> None:
            self.memo = Memo()
            self.ran = 0

        @question
        def fibonacci(
            self, number: int
        ) -> tuple[int, ...]:
            """The doc."""
            self.ran += 1
            return (1,) if number < 2 else (self.fibonacci(number - 1)[0] + self.fibonacci(number - 2)[0],)

        @question
        def ends(self, way: str, at: int) -> bool:
            return self.ends(way, at) or at > 0

        def plain(self) -> int:
            return 1
''')


def test_a_question_written_out_is_answered_as_under_the_decorator(hook: Any) -> None:
    text = hook.expanded(SOURCE)
    assert "@question" not in text
    assert "def _asked_ends(self, way: str, at: int) -> bool:" in text
    for source in (SOURCE, text):
        names: dict[str, Any] = {}
        exec(source, names)
        steps = names["Steps"]()
        assert steps.fibonacci(20) == (10946,)
        assert steps.ran == 21  # each number once
        assert steps.ends("a", 1) is True  # it asks itself, and is taken to be False at first
        assert steps.ends("a", 0) is False
        assert steps.plain() == 1


def test_a_module_without_questions_stays_as_it_is(hook: Any) -> None:
    assert hook.expanded("x = 1\n") == "x = 1\n"


def test_every_module_of_the_linker_can_be_written_out(hook: Any) -> None:
    for path in sorted((ROOT / "indexer" / "link").glob("*.py")):
        text = hook.expanded(path.read_text(encoding="utf-8"))
        compile(text, str(path), "exec")
        assert "    @question" not in text


HANDLERS = dedent("""
    CALLED: list[str] = []
    LEFT = "left"


    def visits(*names: str):
        return lambda function: CALLED.extend(names) or function


    @visits("call")
    @visits(
        "string", LEFT
    )
    def visit(node: str) -> str:
        return f"{node} seen"


    visits("late")(visit)
""")


def test_handlers_are_registered_after_they_are_defined(hook: Any) -> None:
    text = hook.registered(HANDLERS)
    assert "@" not in text
    assert "\nvisits('string', LEFT)(visit)\nvisits('call')(visit)\n" in text
    for source in (HANDLERS, text):
        names: dict[str, Any] = {}
        exec(source, names)
        assert names["CALLED"] == ["string", "left", "call", "late"]  # the inner decorator first
        assert names["visit"]("a") == "a seen"


def test_every_module_of_the_extractor_can_be_written_out(hook: Any) -> None:
    for path in sorted((ROOT / "indexer" / "languages").rglob("*.py")):
        text = hook.registered(path.read_text(encoding="utf-8"))
        compile(text, str(path), "exec")
        assert "\n@v" not in text


def test_without_a_compiler_nothing_is_needed(hook: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made = hook.Compiling(str(ROOT), {}, None, None, "", "wheel")
    monkeypatch.setattr(hook, "has_compiler", lambda: False)
    monkeypatch.delenv("CODEMAP_COMPILE", raising=False)
    assert made.dependencies() == []
    monkeypatch.setattr(hook, "has_compiler", lambda: True)
    assert made.dependencies()[:2] == ["mypy>=1.13", "setuptools>=77"]
    assert [name.partition(">")[0] for name in made.dependencies()[2:]] == [
        "tree-sitter",
        "tree-sitter-javascript",
        "tree-sitter-python",
        "tree-sitter-typescript",
    ]
    monkeypatch.setenv("CODEMAP_COMPILE", "0")
    assert made.dependencies() == []
    assert hook.Compiling(str(ROOT), {}, None, None, "", "sdist").dependencies() == []


def test_a_compiler_that_is_not_there(hook: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler -O2")
    assert not hook.has_compiler()


def test_what_went_wrong_is_told_in_a_line(hook: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(hook, "_SETUP", "raise SystemExit('error: no way')")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert hook.compile_to(ROOT, tmp_path) == "error: no way"
    assert list(tmp_path.iterdir()) == []
