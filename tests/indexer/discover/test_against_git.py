"""Ignore files made at random, judged by git itself."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from indexer.discover import discover, locate

NAMES = ("a", "b", "ab", "aa", "ba", "a-b", "#a", "!a", "[a", "é")
FOLDERS = ("", "a/", "b/", "ab/", "a/b/", "a/ab/", "b/a/", "a/b/a/", "b/a/b/")
SEEDS = 60
TOKENS = (
    *(
        "a",
        "b",
        "ab",
        "*",
        "**",
        "?",
        "/",
        "/",
        "!",
        "[",
        "[ab]",
        "[!a]",
        "[^b]",
        "[a-c]",
        "[b-a]",
        "]",
        "\\",
        "-",
        "#",
    ),
    *(".p", "**/", "/**", "/**/", "[[:alpha:]]", "[]a]", "[\\]a]", "é", "[a-]", " ", "\r"),
)


def _content(choose: random.Random) -> str:
    lines = []
    for _ in range(choose.randint(1, 4)):
        line = choose.choice(("", "", "!", "/"))
        for _ in range(choose.randint(1, 5)):
            token = choose.choice(TOKENS)
            # "a**/b" is another pattern to git 2 than its documentation says; ours follows the documentation.
            line += token if not token.startswith("**") or not line or line.endswith("/") else "*"
        lines.append(line)
    return "\n".join(lines) + choose.choice(("", "\n"))


@pytest.fixture
def tree(checkout: Any) -> Path:
    for folder in FOLDERS:
        (checkout.root / folder).mkdir(exist_ok=True)
    for folder in FOLDERS:
        for name in (*NAMES, *(f"{name}.p" for name in NAMES)):
            if not (checkout.root / folder / name).exists():
                checkout.write(folder + name, "")
    root: Path = checkout.root
    return root


def _listed_by_git(root: Path) -> set[str]:
    command = ["git", "ls-files", "-z", "--others", "--exclude-standard"]
    output = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout
    return {path for path in output.decode().split("\0") if path}


@pytest.mark.skipif(shutil.which("git") is None, reason="no git program here")
def test_ignore_files(tree: Path) -> None:
    location = locate(str(tree))
    for seed in range(SEEDS):
        choose = random.Random(seed)
        top, inner = _content(choose), _content(choose)
        (tree / ".gitignore").write_bytes(top.encode())
        (tree / "a" / ".gitignore").write_bytes(inner.encode())
        found = {file.path for file in discover(location, lambda path: False, lambda path: "any").files}
        assert found == _listed_by_git(tree), (seed, top, inner)
