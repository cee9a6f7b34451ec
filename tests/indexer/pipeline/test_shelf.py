"""A state that the worktree was in before gets the links it had then, and only then."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from indexer.store import shelf
from tests.indexer.pipeline.test_incremental import Twin, write

CALLED = "def f(g):\n    g()\n    h(g)\ndef h(k):\n    k()\n"
GIVING = "from a import f\ndef one(): pass\nf(one)\n"


@pytest.fixture
def twin(tmp_path: Path) -> Twin:
    return Twin(tmp_path, {})


def linked(twin: Twin) -> tuple[set[str], int]:
    """The files that the next update links, and how many of them it had linked before. Held against a clean map."""
    report = twin.check()
    return set(report.relink_reasons), report.restored


def test_what_is_undone_is_not_linked_again(twin: Twin) -> None:
    write(twin, a="def f(): pass\n", b="from a import f\nf()\n", c="import a\n")
    twin.check()
    write(twin, a="def g(): pass\n")
    assert linked(twin) == ({"a.py", "b.py"}, 0)
    write(twin, a="def f(): pass\n")
    assert linked(twin) == ({"a.py", "b.py"}, 2)
    write(twin, a="def g(): pass\n")
    assert linked(twin) == ({"a.py", "b.py"}, 2)


def test_edges_whose_source_goes_come_back(twin: Twin) -> None:
    """`a.py f` calls `one`: an edge that the link of b.py made, and that goes with f before b.py is looked at."""
    write(twin, a=CALLED, b=GIVING)
    twin.check()
    for other in ("", "def f(g): pass\n", "def h(k): pass\n"):
        write(twin, a=other)
        twin.check()
        write(twin, a=CALLED)
        assert linked(twin) == ({"a.py", "b.py"}, 2)


def test_both_files_of_an_edge_change(twin: Twin) -> None:
    write(twin, a=CALLED, b=GIVING)
    twin.check()
    write(twin, a="def f(g): pass\n", b="x = 1\n")
    twin.check()
    write(twin, a=CALLED, b=GIVING)
    assert linked(twin) == ({"a.py", "b.py"}, 2)


def test_bases_come_back_in_their_order_and_attributes_with_what_they_hold(twin: Twin) -> None:
    bases = "class A:\n def run(self): self.f()\n f = None\nclass B: pass\ndef f(): pass\n"
    both = "from a import A, B, f\nclass C(B, A):\n f = f\n def __init__(self): super().__init__()\n"
    write(twin, a=bases, b=both)
    twin.check()
    for other in (both.replace("(B, A)", "(A, B)"), "x = 1\n"):
        write(twin, b=other)
        twin.check()
        write(twin, b=both)
        assert linked(twin) == ({"b.py"}, 1)


def test_files_that_go_and_come(twin: Twin) -> None:
    write(twin, a=CALLED, b=GIVING)
    twin.check()
    (twin.tree.root / "a.py").unlink()
    assert linked(twin) == ({"b.py"}, 0)
    write(twin, a=CALLED)
    assert linked(twin) == ({"a.py", "b.py"}, 2)


def test_what_is_kept_has_the_lines_of_its_state(twin: Twin) -> None:
    """In one update the lines in a.py move, for which b.py would not be linked, and c.py changes, for which it is."""
    giving = GIVING + "import c\nc.k()\n"
    write(twin, a=CALLED, b=giving, c="def k(): pass\n")
    twin.check()
    write(twin, a=CALLED.replace("    g()", "\n\n    g()"), c="def other(): pass\n")
    assert linked(twin) == ({"a.py", "b.py", "c.py"}, 0)
    write(twin, a=CALLED, c="def k(): pass\n")
    assert linked(twin) == ({"a.py", "b.py", "c.py"}, 3)


def test_the_same_files_with_imports_that_lead_elsewhere_are_another_state(twin: Twin) -> None:
    write(twin, a="def f(): pass\n", pkg__b="import a\na.f()\n")
    twin.check()
    write(twin, pkg__b="x = 1\n")
    twin.check()
    write(twin, pkg__a="def f(): pass\n")
    (twin.tree.root / "a.py").unlink()
    twin.check()
    write(twin, pkg__b="import a\na.f()\n", a="def f(): pass\n")
    report = twin.check()
    assert "pkg/b.py" in report.relink_reasons


def test_full_keeps_nothing(twin: Twin) -> None:
    from indexer.pipeline.update import update_at

    write(twin, a="def f(): pass\n")
    twin.check()
    write(twin, a="def g(): pass\n")
    twin.check()
    update_at(twin.location, jobs=1, full=True)
    write(twin, a="def f(): pass\n")
    assert linked(twin) == ({"a.py"}, 0)


def test_the_oldest_go_first(twin: Twin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "KEPT_LINKS", 2)
    for number in range(5):
        write(twin, a=f"x = {number}\n")
        twin.check()
    with closing(sqlite3.connect(Path(twin.location.map_dir, "map.db"))) as connection:
        assert connection.execute("SELECT count(*) FROM shelf").fetchone() == (2,)
    write(twin, a="x = 2\n")
    assert linked(twin) == ({"a.py"}, 1)
    write(twin, a="x = 0\n")
    assert linked(twin) == ({"a.py"}, 0)
