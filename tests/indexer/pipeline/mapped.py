"""A folder that takes a while to map, and what its map should hold."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from indexer.discover import Location, locate
from indexer.pipeline.update import update_at
from indexer.store.dump import Row, dump

_RUN = """
import sys
from indexer.pipeline import extraction, link_stage, update
extraction.POOL_BYTES = link_stage.POOL_FILES = 0  # workers, however little there is to do
update(sys.argv[1], jobs=int(sys.argv[2]), full=True)
"""

MODULES = 40


def module(number: int) -> str:
    before = (number - 1) % MODULES
    calls = "\n".join(f"    helper_{n}(C{before}().m())" for n in range(20))
    helpers = "\n".join(f"def helper_{n}(value):\n    return value + {n}\n" for n in range(20))
    return f"from m{before} import C{before}\n{helpers}\nclass C{number}(C{before}):\n    def m(self):\n{calls}\n"


def make_tree(root: Path) -> Path:
    """A plain folder of modules that lean on each other."""
    root.mkdir()
    for number in range(MODULES):
        (root / f"m{number}.py").write_text(module(number))
    return root


def read_map(location: Location) -> dict[str, list[Row]]:
    with closing(sqlite3.connect(Path(location.map_dir, "map.db"))) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return dump(connection)


def clean_map(root: Path) -> dict[str, list[Row]]:
    scratch = str(root.parent / "clean")
    apart = replace(locate(str(root)), map_dir=scratch, facts_dir=scratch)
    update_at(apart, jobs=1, full=True)
    return read_map(apart)


def started(root: Path, project_root: Path, jobs: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", _RUN, str(root), str(jobs)],
        cwd=project_root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=sys.platform != "win32",
    )
