"""A state that the map was in before comes back as it was, whatever happened since."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from indexer.pipeline.update import update_at
from indexer.store import states
from tests.indexer.pipeline.generated import CONFIGURATION, Step
from tests.indexer.pipeline.test_incremental import Twin, write

CALLED = "def f(g):\n    g()\n    h(g)\ndef h(k):\n    k()\n"
GIVING = "from a import f\ndef one(): pass\nf(one)\n"


@pytest.fixture
def twin(tmp_path: Path) -> Twin:
    return Twin(tmp_path, {}, worth=1)


def linked(twin: Twin) -> tuple[set[str], int]:
    """The files that the next update links, and how many came back. The map is held against a clean one."""
    report = twin.check()
    return set(report.relink_reasons), report.restored


def kept(twin: Twin) -> list[tuple[int, int]]:
    with closing(sqlite3.connect(Path(twin.location.map_dir, "map.db"))) as connection:
        return connection.execute("SELECT id, nearer FROM states ORDER BY id").fetchall()


def test_what_is_undone_is_not_linked_again(twin: Twin) -> None:
    write(twin, a="def f(): pass\n", b="from a import f\nf()\n", c="import a\n")
    twin.check()
    write(twin, a="def g(): pass\n")
    assert linked(twin) == ({"a.py", "b.py"}, 0)
    for text in ("def f(): pass\n", "def g(): pass\n", "def f(): pass\n"):
        write(twin, a=text)
        assert linked(twin) == (set(), 2)
    twin.settled()


def test_edges_whose_source_goes_come_back(twin: Twin) -> None:
    """`a.py f` calls `one`: an edge that the link of b.py made, and that goes with f before b.py is looked at."""
    write(twin, a=CALLED, b=GIVING)
    twin.check()
    for other in ("", "def f(g): pass\n", "def h(k): pass\n"):
        write(twin, a=other)
        twin.check()
        write(twin, a=CALLED)
        assert linked(twin) == (set(), 2)


def test_files_that_go_and_come_with_their_words(twin: Twin) -> None:
    write(twin, a=CALLED, b=GIVING)
    twin.check()
    (twin.tree.root / "a.py").unlink()
    assert linked(twin) == ({"b.py"}, 0)
    write(twin, a=CALLED)
    assert linked(twin) == (set(), 2)
    write(twin, c="def new(): pass\n")
    assert linked(twin)[0] == {"c.py"}
    (twin.tree.root / "c.py").unlink()
    assert linked(twin) == (set(), 1)


def test_the_nearest_state_is_gone_to_and_the_rest_is_linked(tmp_path: Path) -> None:
    twin = Twin(tmp_path, {}, worth=3)
    write(twin, a=CALLED, b=GIVING, c="import a\n", d="def k(): pass\n")
    twin.check()
    write(twin, a="def g(): pass\n", b="x = 1\n", c="x = 2\n")
    assert linked(twin) == ({"a.py", "b.py", "c.py"}, 0)
    write(twin, d="def j(): pass\n")  # is no state of its own, but one more thing that the first had otherwise
    assert linked(twin) == ({"d.py"}, 0)
    write(twin, a=CALLED, b=GIVING, c="import a\n", d="import a\n")
    assert linked(twin) == ({"d.py"}, 4)
    write(twin, a="def g(): pass\n", b="x = 1\n", c="x = 2\n", d="def j(): pass\n")
    assert linked(twin) == (set(), 4)


def test_states_that_lie_beyond_others(twin: Twin) -> None:
    texts = [f"def f{number}(): pass\n" for number in range(5)]
    for text in texts:
        write(twin, a=text, b=f"from a import *\n{text.split()[1][:2]}()\n")
        twin.check()
    for text in (texts[0], texts[3], texts[2], texts[4], texts[0], texts[1]):
        write(twin, a=text, b=f"from a import *\n{text.split()[1][:2]}()\n")
        assert linked(twin) == (set(), 2)
    assert len(kept(twin)) == 4


def test_an_old_content_among_new_ones(twin: Twin) -> None:
    write(twin, a=CALLED, b=GIVING, c="import a\n")
    twin.check()
    write(twin, a="x = 1\n", b="x = 1\n", c="x = 1\n")
    twin.check()
    write(twin, a=CALLED, b="x = 2\n", c="x = 3\n")
    assert linked(twin) == ({"a.py", "b.py", "c.py"}, 0), "two of three would still have to be linked"


def test_imports_that_lead_elsewhere_since_then(twin: Twin) -> None:
    write(twin, src__e="def f(): pass\n", b="import e\ne.f()\n", c="x = 1\n")
    twin.tree.apply(Step("write", "pyproject.toml", CONFIGURATION["pyproject.toml"][0]))
    assert twin.check().edges > 0
    write(twin, c="x = 2\n")
    twin.check()
    twin.tree.apply(Step("delete", "pyproject.toml"))
    write(twin, c="x = 1\n")
    assert linked(twin) == ({"b.py"}, 1)
    twin.tree.apply(Step("write", "pyproject.toml", CONFIGURATION["pyproject.toml"][0]))
    write(twin, c="x = 2\n")
    assert linked(twin)[0] <= {"b.py"}


def test_skipped_files_come_back_as_such(twin: Twin) -> None:
    write(twin, a="\0", b="x = 1\n")
    twin.check()
    write(twin, a="x = 2\n", b="x = 2\n")
    twin.check()
    write(twin, a="\0", b="x = 1\n")
    assert linked(twin) == (set(), 2)


def test_full_keeps_nothing(twin: Twin) -> None:
    write(twin, a="def f(): pass\n")
    twin.check()
    write(twin, a="def g(): pass\n")
    twin.check()
    update_at(twin.location, jobs=1, full=True)
    write(twin, a="def f(): pass\n")
    assert linked(twin) == ({"a.py"}, 0)


def test_facts_that_are_lost_take_the_states_with_them(twin: Twin) -> None:
    """Without the old facts nobody knows which words of the index were theirs."""
    write(twin, a="def f(): pass\n")
    twin.check()
    write(twin, a="def g(): pass\n")
    twin.check()
    Path(twin.location.facts_dir, "facts.db").unlink()
    write(twin, a="def h(): pass\n")
    twin.check()
    assert kept(twin) == []
    write(twin, a="def g(): pass\n")
    assert linked(twin) == ({"a.py"}, 0)


def test_few_changes_keep_no_state(twin: Twin, tmp_path: Path) -> None:
    twin.worth = 2
    write(twin, a="def f(): pass\n", b="x = 1\n")
    twin.check()
    write(twin, a="def g(): pass\n")
    twin.check()
    with closing(sqlite3.connect(Path(twin.location.map_dir, "map.db"))) as connection:
        assert connection.execute("SELECT name FROM sqlite_master WHERE name = 'states'").fetchone() is None


def test_no_more_states_are_kept_than_there_is_room_for(twin: Twin, monkeypatch: pytest.MonkeyPatch) -> None:
    """The least different go first, and what lies beyond them stays what it was."""
    monkeypatch.setattr(states, "KEPT_STATES", 3)
    write(twin, a=CALLED, b=GIVING, c="")
    twin.check()
    write(twin, a="", b="")
    twin.check()
    for number in range(4):
        write(twin, c=f"x = {number}\n")
        twin.check()
    assert len(kept(twin)) == 3
    write(twin, a=CALLED, b=GIVING, c="")
    assert linked(twin) == (set(), 3)


def test_states_with_many_edges_go_by_age(twin: Twin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "KEPT_ROWS", 5)
    for number in range(4):
        write(twin, a="\n" * 9 * number + "def f(): pass\nf()\nf()\n")
        twin.check()
    assert [state for state, _ in kept(twin)] == [2, 3], "two edges are elsewhere in each"


@pytest.mark.parametrize("seed", range(2))
def test_wandering_among_contents(tmp_path: Path, seed: int) -> None:
    """Few contents of few files, so that states come back again and again."""
    contents = {
        "a": [CALLED, "def f(g): pass\n", "\n\n" + CALLED, "from b import one as f\n"],
        "b": [GIVING, "def one(): pass\n", "from a import *\nf(h)\n"],
        "pkg__c": ["import a\na.f(len)\n", "from a import f as one\none(f)\n", "\0"],
    }
    chance = Random(seed)
    twin = Twin(tmp_path, {}, worth=1 + seed)
    restored = 0
    for _ in range(14):
        write(twin, **{name: chance.choice(texts) for name, texts in contents.items()})
        restored += twin.check().restored
    assert restored > 0
