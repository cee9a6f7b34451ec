"""The second promise: whatever happened, an updated map equals one built from nothing, row for row."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.discover import Location, locate, seen
from indexer.pipeline.report import Reason, Report
from indexer.pipeline.update import update_at
from indexer.store import states
from indexer.store.dump import Row, dump
from tests.indexer.pipeline.generated import BASE, CONFIGURATION, PYTHON, SCRIPT, Step, steps
from tests.indexer.pipeline.tree import Tree

sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
"""As linking sets it: Hypothesis minds when that happens during a test."""

EXAMPLES = int(os.environ.get("CODEMAP_PROPERTY_EXAMPLES", "40"))


OWN_CONTENT = {"a.py": Reason("changed")}


def dumped(location: Location) -> dict[str, list[Row]]:
    with closing(sqlite3.connect(Path(location.map_dir, "map.db"))) as connection:
        return dump(connection)


class Twin:
    """A tree with a map that is updated, and maps built from nothing to hold against it.

    worth: files that have to change for the state before to be kept; None: as always
    """

    def __init__(self, folder: Path, base: Mapping[str, str], worth: int | None = None) -> None:
        self.worth = states.WORTH if worth is None else worth
        self.tree = Tree(folder / "tree", base)
        self.location = locate(str(folder / "tree"))
        self._clean = folder / "clean"

    def check(self) -> Report:
        """Update, and compare with a clean build."""
        known = seen.read(self.location.map_dir)
        taken_for_unchanged = known is not None and not list(known.changed(self.location.root))
        with mock.patch.object(states, "WORTH", self.worth):
            report = update_at(self.location, jobs=1)
        assert report.unchanged or not taken_for_unchanged
        assert report.messages == ()
        shutil.rmtree(self._clean, ignore_errors=True)
        apart = replace(self.location, map_dir=str(self._clean), facts_dir=str(self._clean))
        clean = update_at(apart, jobs=1)
        assert clean.rebuilt
        have, want = dumped(self.location), dumped(apart)
        for table, rows in want.items():
            assert have[table] == rows, table
        assert (report.files, report.symbols, report.edges) == (clean.files, clean.symbols, clean.edges)
        return report

    def settled(self) -> None:
        """A run after that finds nothing to do, and writes nothing."""
        path = Path(self.location.map_dir, "map.db")
        before = path.read_bytes()
        report = update_at(self.location, jobs=1)
        assert report.unchanged
        assert not Path(self.location.map_dir, "map.db-wal").exists()
        assert path.read_bytes() == before


@settings(max_examples=EXAMPLES)
@given(st.lists(st.lists(steps(), min_size=1, max_size=4), min_size=1, max_size=7), st.sampled_from((1, 2, 3)))
def test_incremental_equals_clean(history: list[list[Step]], worth: int) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        twin = Twin(folder, BASE, worth)
        twin.check()
        for changes in history:
            for step in changes:
                twin.tree.apply(step)
            twin.check()
        twin.settled()
        twin.tree.close()
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def twin(tmp_path: Path) -> Twin:
    return Twin(tmp_path, {})


def write(twin: Twin, **files: str) -> None:
    for path, content in files.items():
        twin.tree.apply(Step("write", path.replace("__", "/") + ".py", content))


def test_a_body_edit_relinks_its_own_file_alone(twin: Twin) -> None:
    write(twin, a="def f():\n    return 1\n", b="from a import f\ndef g():\n    return f()\n")
    twin.check()
    write(twin, a="def f():\n    return 2 + 3\n")
    assert twin.check().relink_reasons == OWN_CONTENT


def test_lines_of_calls_that_others_make_move_without_linking_those(twin: Twin) -> None:
    body = "def f(g):\n    g()\n    {0}h(g)\ndef h(k):\n    k()\n"
    write(twin, a=body.format(""), b="from a import f\ndef one(): pass\nf(one)\n")
    twin.check()
    calls = {("a.py f#0", 2), ("a.py h#0", 5)}
    assert {(r[0], r[3]) for r in dumped(twin.location)["edges"] if r[1] == "b.py one#0"} >= calls
    write(twin, a=body.format("x = 1\n    "))
    assert twin.check().relink_reasons == OWN_CONTENT
    write(twin, a=body.format("x = 1; ").replace("    g()\n", "\n\n    g()\n"))
    assert twin.check().relink_reasons == OWN_CONTENT
    write(twin, a=body.format("").replace("g()\n    h", "g(); h"))
    assert set(twin.check().relink_reasons) == {"a.py", "b.py"}


def test_a_parameter_that_no_call_fills_links_nobody_else(twin: Twin) -> None:
    write(twin, a="def f(g):\n    g()\n", b="from a import f\ndef one(): pass\nf(one)\n")
    twin.check()
    write(twin, a="def f(g, h=None):\n    g()\n")
    assert twin.check().relink_reasons == OWN_CONTENT
    write(twin, a="def f(h=None, g=None):\n    g()\n")
    assert set(twin.check().relink_reasons) == {"a.py", "b.py"}


def test_a_name_that_goes_relinks_who_asked_for_it(twin: Twin) -> None:
    write(twin, a="def f(): pass\ndef g(): pass\n", b="from a import f\nf()\n", c="from a import g\ng()\n")
    twin.check()
    write(twin, a="def g(): pass\n")
    assert set(twin.check().relink_reasons) == {"a.py", "b.py"}


def test_another_return_type_relinks_who_used_it(twin: Twin) -> None:
    makers = "class P:\n    def m(self): pass\nclass Q:\n    def m(self): pass\ndef make() -> {}: ...\n"
    write(twin, b=makers.format("P"), u="from b import make\nmake().m()\n")
    twin.check()
    write(twin, b=makers.format("Q"))
    assert set(twin.check().relink_reasons) == {"b.py", "u.py"}
    calls = {row[1] for row in dumped(twin.location)["edges"] if row[2] == "calls"}
    assert calls == {"b.py make#0", "b.py Q.m#0"}


def test_a_name_that_appears_relinks_who_missed_it(twin: Twin) -> None:
    write(twin, a="\n", b="from a import f\nf()\n", c="import a\n")
    twin.check()
    write(twin, a="def f(): pass\n")
    assert set(twin.check().relink_reasons) == {"a.py", "b.py"}


def test_a_module_that_appears_relinks_who_missed_it(twin: Twin) -> None:
    write(twin, b="from a import f\nf()\n", c="def h(): pass\n")
    assert twin.check().edges == 0
    write(twin, a="def f(): pass\n")
    report = twin.check()
    assert set(report.relink_reasons) == {"a.py", "b.py"}
    assert report.edges > 0


def test_a_rename_moves_everything(twin: Twin) -> None:
    write(twin, a="def f(): pass\n", b="from a import f\nf()\n")
    twin.check()
    twin.tree.apply(Step("rename", "a.py", "z.py"))
    report = twin.check()
    assert (report.removed, report.extracted) == (1, 0)
    assert report.edges == 0


def test_a_commit_alone_links_nothing(twin: Twin) -> None:
    write(twin, a="def f(): pass\n")
    twin.check()
    twin.tree.apply(Step("commit"))
    report = twin.check()
    assert not report.unchanged
    assert (report.relinked, report.extracted) == (0, 0)
    twin.settled()


def test_a_configuration_file_that_changes_moves_imports(twin: Twin) -> None:
    write(twin, src__e="def f(): pass\n", b="import e\ne.f()\n")
    twin.tree.apply(Step("write", "pyproject.toml", CONFIGURATION["pyproject.toml"][0]))
    twin.check()
    twin.tree.apply(Step("delete", "pyproject.toml"))
    twin.check()


def test_lost_facts_are_extracted_again(twin: Twin) -> None:
    write(twin, a="def f(): pass\n", b="from a import f\nf()\n", c="x = 1\n")
    twin.check()
    Path(twin.location.facts_dir, "facts.db").unlink()
    write(twin, b="from a import f\nf(); f()\n")
    report = twin.check()
    assert report.extracted == 3
    assert set(report.relink_reasons) == {"b.py"}


def test_a_file_that_becomes_binary_and_back(twin: Twin) -> None:
    write(twin, a="def f(): pass\n", b="from a import f\nf()\n")
    twin.check()
    write(twin, a="\0")
    report = twin.check()
    assert (report.files, report.skipped, report.edges) == (1, 1, 0)
    twin.settled()
    write(twin, a="def f(): pass\n")
    assert twin.check().edges > 0


def test_every_kind_of_file_of_the_generator_is_mapped(twin: Twin) -> None:
    for path in PYTHON + SCRIPT:
        twin.tree.apply(Step("write", path, "\n"))
    assert twin.check().files == len(PYTHON + SCRIPT)


def test_a_module_that_begins_to_export_tells_who_found_nothing(twin: Twin) -> None:
    """What a module exports at all decides why a name is not found in it."""
    twin.tree.apply(Step("write", "web/a.js", "import { g } from './b';\ng();\n"))
    twin.tree.apply(Step("write", "web/b.ts", "\n"))
    twin.check()
    twin.tree.apply(Step("write", "web/b.ts", "export default function C() {}\n"))
    twin.check()


def test_git_gc_changes_nothing(tmp_path: Path) -> None:
    twin = Twin(tmp_path, BASE)
    twin.check()
    subprocess.run(["git", "-C", str(twin.tree.root), "gc", "-q", "--prune=now"], check=True)
    twin.settled()


def test_a_commit_of_a_mode_alone_links_nothing(twin: Twin) -> None:
    write(twin, a="def f(): pass\n")
    twin.tree.apply(Step("commit"))
    twin.check()
    twin.tree.apply(Step("mode", "a.py"))
    twin.tree.apply(Step("commit"))
    assert twin.check().relinked == 0


def test_a_folder_in_place_of_a_file_and_back(twin: Twin) -> None:
    write(twin, a="def f(): pass\n", b="from a import f\nf()\n")
    before = twin.check().edges
    twin.tree.apply(Step("fold", "a.py"))
    report = twin.check()
    assert report.edges < before
    assert report.removed_files == ("a.py",)
    twin.tree.apply(Step("fold", "a.py"))
    assert twin.check().edges == before


def test_a_package_that_goes_while_another_imports_it(twin: Twin) -> None:
    package = Step("write", "pkg/__init__.py", "from .c import f\n")
    twin.tree.apply(package)
    write(twin, pkg__c="def f(): pass\n", b="from pkg import f\nf()\n")
    before = twin.check().edges
    assert before > 0
    twin.tree.apply(Step("drop", "pkg"))
    report = twin.check()
    assert (report.files, report.edges) == (1, 0)
    assert set(report.relink_reasons) == {"b.py"}
    twin.tree.apply(package)
    write(twin, pkg__c="def f(): pass\n")
    assert twin.check().edges == before
