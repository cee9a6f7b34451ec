"""What other files register, and what configuration names, follows every edit."""

from __future__ import annotations

from pathlib import Path

from codemap import CodeMap
from tests.indexer.pipeline.test_incremental import Twin

SOURCES = {
    "lib.py": "from functools import singledispatch\n@singledispatch\ndef show(x): pass\ndef use(): show(1)\n",
    "a.py": "from lib import show\n@show.register\ndef f(x: int): pass\n",
    "load.py": "from importlib.metadata import entry_points\nfor e in entry_points(group='g'):\n    e.load()()\n",
    "pyproject.toml": "[project.entry-points.g]\none = 'a:f'\n",
    "pair.py": "from collections import namedtuple\nfrom a import f\nP = namedtuple('P', ['x', 'y'])\n",
    "read.py": "from pair import P, f\nP(f, 1).x()\n",
}


def calls(twin: Twin) -> set[str]:
    with CodeMap.open(str(twin.tree.root)) as code_map:
        return {f"{e.source.qualname} → {e.target.qualname}" for e in code_map.edges() if e.kind == "calls"}


def test_any_of_it(tmp_path: Path) -> None:
    twin = Twin(tmp_path, SOURCES)
    root = Path(twin.tree.root)
    twin.check()
    assert calls(twin) == {"use → show", "use → f", "<module> → f"}
    (root / "a.py").write_text(SOURCES["a.py"] + "@show.register\ndef g(x: str): pass\n")
    assert set(twin.check().relink_reasons) == {"a.py"}
    assert calls(twin) == {"use → show", "use → f", "use → g", "<module> → f"}
    (root / "pyproject.toml").write_text("[project.entry-points.g]\none = 'a:g'\n")
    assert set(twin.check().relink_reasons) == {"load.py"}
    assert "<module> → g" in calls(twin)
    (root / "pair.py").write_text(SOURCES["pair.py"].replace("['x', 'y']", "['y', 'x']"))
    assert set(twin.check().relink_reasons) == {"pair.py", "read.py"}
    assert "<module> → f" not in calls(twin)
    (root / "lib.py").write_text(SOURCES["lib.py"].replace("@singledispatch\n", ""))
    twin.check()
    assert calls(twin) == {"use → show", "<module> → g"}
