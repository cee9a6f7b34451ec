"""What subclasses have in place of a method follows every edit, though nothing of it is stored."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from codemap import CodeMap
from codemap.render.lines import EdgeLines

BASE = "class Base:\n    def run(self):\n        self.step()\n\n    def step(self):\n        pass\n"
USE = "from base import Base\n\n\ndef use(it: Base):\n    it.step()\n"
SUB = "from base import Base\n\n\nclass Sub(Base):\n    def step(self):\n        pass\n"
BELOW = "from sub import Sub\n\n\nclass Below(Sub):\n    def step(self):\n        pass\n"


def mapped(root: Path) -> list[str]:
    """Bring the map up to date and give its edges. Every call of a method is taken to be one on any subclass."""
    with CodeMap.open(str(root)) as code_map:
        code_map.update()
    with closing(sqlite3.connect(root / ".codemap" / "map.db")) as connection:
        connection.execute(
            "UPDATE edges SET receiver = (SELECT parent FROM symbols WHERE id = target) WHERE kind = 'calls' "
            "AND target IN (SELECT id FROM symbols WHERE kind = 'method')"
        )
        connection.commit()
    with CodeMap.open(str(root)) as code_map:
        lines = EdgeLines()
        return [lines.text(edge).decode().rstrip("\n") for edge in code_map.edges()]


@pytest.mark.parametrize(
    ("steps", "reached"),
    [
        ([("sub.py", SUB)], {"sub.py:Sub.step"}),
        ([("sub.py", SUB), ("below.py", BELOW)], {"sub.py:Sub.step", "below.py:Below.step"}),
        ([("sub.py", SUB), ("below.py", BELOW), ("sub.py", "")], set()),
        ([("sub.py", SUB), ("sub.py", SUB.replace("def step", "def stop"))], set()),
    ],
)
def test_after_an_update_as_after_building_anew(
    tmp_path: Path, steps: list[tuple[str, str]], reached: set[str]
) -> None:
    root = tmp_path / "kept"
    root.mkdir()
    (root / "base.py").write_text(BASE)
    (root / "use.py").write_text(USE)
    assert not [edge for edge in mapped(root) if "(dispatch)" in edge]
    found: list[str] = []
    for name, text in steps:
        (root / name).write_text(text) if text else (root / name).unlink()
        found = mapped(root)
    clean = tmp_path / "clean"
    shutil.copytree(root, clean, ignore=shutil.ignore_patterns(".codemap"))
    assert found == mapped(clean)
    dispatched = {edge for edge in found if "calls(dispatch)" in edge}
    callers = ("base.py:Base.run calls(dispatch):3", "use.py:use calls(dispatch):5")
    assert dispatched == {f"{caller} {target}" for caller in callers for target in reached}
