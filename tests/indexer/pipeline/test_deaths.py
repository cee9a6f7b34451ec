"""Deaths of runs and workers, and runs that meet: the next run is right, and nobody is left with half a map."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import sqlite3
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, NoReturn

import pytest

import indexer.pipeline.extraction as extraction
from indexer.discover import locate
from indexer.errors import BusyError
from indexer.extract import ExtractedRow, extract_batch
from indexer.locks import writer_lock
from indexer.pipeline import update
from indexer.pipeline.workers import start_method
from indexer.ports import SourceFile
from indexer.store.dump import dump
from tests.indexer.pipeline.mapped import MODULES, clean_map, make_tree, read_map, started


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return make_tree(tmp_path / "tree")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("death", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_dies_at_any_moment_leaves_an_old_or_a_new_map(
    repository: Path, project_root: Path, death: signal.Signals
) -> None:
    location = locate(str(repository))
    want = clean_map(repository)
    chance = random.Random(int(death))
    start = time.monotonic()
    started(repository, project_root, 2).wait()
    whole = time.monotonic() - start
    for _ in range(5):
        process = started(repository, project_root, 2)
        time.sleep(chance.uniform(0.1, 1.0) * whole)
        process.send_signal(death)
        process.wait(30)
        with closing(sqlite3.connect(Path(location.map_dir, "map.db"))) as connection:
            assert dump(connection) == want, "a reader sees a whole map at once"
        update(str(repository), jobs=1)
        assert read_map(location) == want


def test_a_first_run_that_dies_leaves_no_map(repository: Path, project_root: Path) -> None:
    location = locate(str(repository))
    begun = Path(location.map_dir, "map.db.new")
    process = started(repository, project_root, 1)
    while not begun.exists() and process.poll() is None:
        time.sleep(0.001)
    process.kill()
    process.wait(30)
    assert begun.exists()
    assert not Path(location.map_dir, "map.db").exists()
    update(str(repository), jobs=1)
    assert read_map(location) == clean_map(repository)
    assert not begun.exists()


def test_two_runs_at_once_do_one_thing_after_the_other(repository: Path, project_root: Path) -> None:
    runs = [started(repository, project_root, 1) for _ in range(3)]
    assert [run.wait(60) for run in runs] == [0, 0, 0]
    assert read_map(locate(str(repository))) == clean_map(repository)


def test_a_run_that_may_not_wait_says_that_another_one_is_busy(repository: Path) -> None:
    location = locate(str(repository))
    update(str(repository), jobs=1)
    with writer_lock(os.path.join(location.map_dir, "lock"), 0, lambda _: None), pytest.raises(BusyError):
        update(str(repository), jobs=1, wait=0)


def test_readers_go_on_reading_what_they_began_with(repository: Path) -> None:
    update(str(repository), jobs=1)
    location = locate(str(repository))
    with closing(sqlite3.connect(Path(location.map_dir, "map.db"))) as reader:
        reader.execute("BEGIN")
        before = dump(reader)
        (repository / "m0.py").unlink()
        update(str(repository), jobs=1)
        assert dump(reader) == before
        reader.execute("COMMIT")
        assert dump(reader) == clean_map(repository)


def deadly(root: str, files: Sequence[SourceFile], *arguments: Any) -> list[ExtractedRow]:
    """Stands in for a grammar that crashes on one file."""
    if any(file.path == "m7.py" for file in files):
        os._exit(3)
    return extract_batch(root, files, *arguments)


@pytest.mark.skipif(sys.platform != "linux", reason="the stand-in reaches workers by fork")
def test_a_file_that_kills_its_worker_is_skipped_with_a_reason(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extraction, "POOL_BYTES", 0)
    monkeypatch.setattr("indexer.pipeline.tasks.extract_batch", deadly)
    update(str(repository), jobs=2)
    location = locate(str(repository))
    assert read_map(location)["skipped"] == [("m7.py", "extractor crashed")]
    monkeypatch.undo()
    assert update(str(repository), jobs=1).extracted == 1
    assert read_map(location) == clean_map(repository)


def _dies(*_: object) -> NoReturn:
    os._exit(3)


@pytest.mark.skipif(sys.platform != "linux", reason="the stand-in reaches workers by fork")
def test_linking_goes_on_when_workers_die(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.pipeline.link_stage.POOL_FILES", 0)
    monkeypatch.setattr("indexer.pipeline.tasks.linked", _dies)
    report = update(str(repository), jobs=2)
    assert report.messages == ("a worker died while linking: went on without it",)
    monkeypatch.undo()
    assert read_map(locate(str(repository))) == clean_map(repository)


@pytest.mark.parametrize("jobs", [2, 3])
def test_the_number_of_workers_changes_nothing(repository: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    monkeypatch.setattr(extraction, "POOL_BYTES", 0)
    monkeypatch.setattr("indexer.pipeline.link_stage.POOL_FILES", 0)
    update(str(repository), jobs=jobs)
    (repository / "m1.py").write_text("class C1: pass\n")
    (repository / "m2.py").rename(repository / "z.py")
    report = update(str(repository), jobs=jobs)
    assert report.relinked > 2
    assert read_map(locate(str(repository))) == clean_map(repository)


def test_workers_can_be_spawned(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "anything")
    monkeypatch.setattr(extraction, "POOL_BYTES", 0)
    monkeypatch.setattr("indexer.pipeline.link_stage.POOL_FILES", 0)
    assert start_method() == "spawn"
    update(str(repository), jobs=2)
    monkeypatch.undo()
    assert read_map(locate(str(repository))) == clean_map(repository)


def test_an_executor_of_the_callers_runs_the_extraction(repository: Path) -> None:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as executor:
        report = update(str(repository), jobs=1, executor=executor)
    assert report.extracted == MODULES
    assert read_map(locate(str(repository))) == clean_map(repository)
