"""Random edits of the sources of a repository: what `mutations` does to Python, and edits of text in every language."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.mutations import mutated

Edit = Callable[[str, random.Random], str]

SOURCES = (".py", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs")


def tracked(root: Path) -> list[str]:
    """The paths of sources that git tracks and that are there, in its order."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], check=True, capture_output=True, text=True)
    return [path for path in listed.stdout.split("\0") if path.endswith(SOURCES) and (root / path).is_file()]


def edit_files(root: Path, number: int, chance: random.Random) -> None:
    """Edit that many files of a git worktree at random: most get another text, some go, some are doubled."""
    sources = tracked(root)
    for path in chance.sample(sources, min(number, len(sources))):
        file = root / path
        if not file.is_file():
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        kind = chance.choice(("edit", "edit", "edit", "edit", "edit", "remove", "double"))
        if kind == "remove":
            file.unlink()
        elif kind == "double":
            file.with_name(f"{file.stem}_copy{file.suffix}").write_text(text, encoding="utf-8")
        else:
            edits = PYTHON_EDITS if path.endswith(".py") else SCRIPT_EDITS
            file.write_text(chance.choice(edits)(text, chance), encoding="utf-8")


def _renamed(pattern: str) -> Edit:
    def edit(text: str, chance: random.Random) -> str:
        names = re.findall(pattern, text, re.MULTILINE)
        return re.sub(rf"\b{re.escape(chance.choice(names))}\b", "renamed_here", text, count=1) if names else text

    return edit


def _prefixed(line: str) -> Edit:
    return lambda text, chance: line + text


def _replaced(pattern: str, by: str) -> Edit:
    return lambda text, chance: re.sub(pattern, by, text, count=1, flags=re.MULTILINE)


PYTHON_EDITS: list[Edit] = [
    _renamed(r"^\s*(?:def|class) (\w+)"),
    _replaced(r"\):\n(\s+)", r') -> "Model":\n\1'),
    _replaced(r"^class (\w+)\((\w+)", r"class \1(object"),
    _replaced(r"^(\s+)return ", r"\1return None and "),
    _replaced(r"^( +)return ", r"\1added_here = 1\n\1return "),
    _prefixed("# moved\n\n"),
    _prefixed("from . import *\n"),
    _prefixed("from .models import *\n"),
    *[mutated] * 12,
    lambda text, chance: text + "\n__all__ = ['added_here']\n\n\ndef added_here():\n    return 1\n",
]
SCRIPT_EDITS: list[Edit] = [
    _renamed(r"^(?:export )?(?:async )?(?:function|class|const|interface) (\w+)"),
    _replaced(r"^export (?=function|const|class)", ""),
    _replaced(r"^(?=function |class )", "export "),
    _replaced(r"extends (\w+)", "extends Object"),
    _prefixed("// moved\n\n"),
    _prefixed("export * from './index'\n"),
    _prefixed("import * as added from '.'\n"),
    lambda text, chance: text + "\nexport default function added() { return 1 }\n",
]
