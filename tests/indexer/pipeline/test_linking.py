"""What is stored of a file whose link fails: a defect of ours must not stop a run, nor freeze the file."""

from __future__ import annotations

import orjson
import pytest

from indexer.link.run import Run
from indexer.pipeline.linking import linked
from indexer.store.lookups import asked_of, lines
from tests.indexer.link.trees import Tree


def test_a_failed_link_counts_its_references_and_keeps_what_it_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(run: Run) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Run, "link_classes", fail)
    tree = Tree({"a.py": "from b import f\nf()\nf()\n", "b.py": "def f(): pass\n"})
    row = linked(tree.linker, tree, "a.py")  # type: ignore[arg-type]
    assert orjson.loads(row.counts) == {"unresolved: link failed (ZeroDivisionError)": 2}
    assert asked_of(lines(row.lookups), "b.py") == [".f"]
    assert row.edges == ()
