"""What the project's texts promise can be followed, and nothing in it belongs to one machine."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOP = {".ci", "codemap", "indexer", "queries", "tests", "fixtures", "docs"}
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)

# Written in pieces, so that this file is no example of what it forbids.
MACHINE_PATHS = tuple("/" + rest for rest in ("work/", "root/", "tmp/" + "w/", "Users/"))
SERVER = re.compile(r"https?://(?:localhost|127\.0\.0\.1|[\w.-]*(?:pypi|pythonhosted|npmjs|debian)\.\w+)")


def _files() -> Iterator[Path]:
    """Every text file of the project, whether or not git knows it yet."""
    for path in sorted(ROOT.iterdir()):
        if path.is_file():
            yield path
        elif path.name in TOP:
            yield from (p for p in sorted(path.rglob("*")) if p.is_file() and "__pycache__" not in p.parts)


def _slug(heading: str) -> str:
    """The anchor that forges give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).strip().replace(" ", "-")


def _anchors(page: Path) -> set[str]:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return {_slug(heading) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}


def test_anchors_are_found_as_forges_make_them() -> None:
    assert _slug("What `git` knows, and when?") == "what-git-knows-and-when"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for target in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        other = page.parent / name if name else page
        if not other.exists() or (anchor and anchor not in _anchors(other)):
            broken.append(target)
    assert broken == []


def test_no_file_names_a_path_or_a_server_of_one_machine() -> None:
    found = []
    for path in _files():
        text = path.read_bytes().decode("utf-8", "replace")
        found += [f"{path.relative_to(ROOT)}: {part}" for part in MACHINE_PATHS if part in text]
        found += [f"{path.relative_to(ROOT)}: {match}" for match in SERVER.findall(text)]
    assert found == []


def test_the_top_level_is_the_one_that_was_agreed() -> None:
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")}
    assert folders - {"dist", "build"} <= TOP


def test_ci_runs_the_command_of_the_readme() -> None:
    command = re.search(r"^python3 (-m venv .*tests\.check)$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    assert command is not None
    assert f'"$python" {command[1]}\n' in (ROOT / ".ci/run").read_text(encoding="utf-8")


def test_every_decision_page_is_listed() -> None:
    folder = ROOT / "docs/decisions"
    listed = set(LINK.findall((folder / "README.md").read_text(encoding="utf-8")))
    assert listed == {path.name for path in folder.glob("*.md")} - {"README.md"}


def test_one_version_everywhere() -> None:
    import codemap

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == codemap.__version__
