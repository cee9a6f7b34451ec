"""What a watch does when something is in its way."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from codemap import CodeMap, RepositoryError, StoreError
from codemap import refresh as refreshing
from codemap.home import find
from codemap.watch import follow as module
from codemap.watch import wakers
from codemap.watch.events import Event
from codemap.watch.follow import follow
from indexer.locks import writer_lock
from indexer.pipeline.update import LOCK


class Scripted:
    """A waker that does something to the tree each time it is waited for, and then asks to stop."""

    def __init__(self, steps: Sequence[Callable[[], object]]) -> None:
        self._steps = list(steps)

    def __call__(self, folders: Sequence[str], matters: Callable[[str], bool], *, recursive: bool) -> Scripted:
        return self

    def wait(self, seconds: float) -> None:
        if not self._steps:
            raise KeyboardInterrupt
        self._steps.pop(0)()

    def close(self) -> None:
        pass


def _follow(folder: Path, monkeypatch: pytest.MonkeyPatch, *steps: Callable[[], object]) -> list[Event]:
    events: list[Event] = []
    monkeypatch.setattr(module, "Notified", Scripted(steps))
    monkeypatch.setattr(module, "SHORTEST_PAUSE", 0.0)
    monkeypatch.setattr(module, "LONGEST_PAUSE", 0.0)
    follow(find(folder), events.append)
    return events


def _nothing() -> None:
    pass


def _edit(folder: Path) -> Callable[[], object]:
    return lambda: (folder / "shop/auth.py").write_text("def edited(): ...\n")


def test_nothing_is_told_where_nothing_has_changed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / ".gitignore").write_text("ignored/\n")
    CodeMap.index(folder)
    ignored = folder / "ignored"
    steps: list[Callable[[], object]] = [
        ignored.mkdir,
        lambda: (ignored / "a.py").write_text(""),
        lambda: (folder / "notes.txt").write_text(""),
    ]
    assert [event.kind for event in _follow(folder, monkeypatch, *steps)] == ["started", "stopped"]


def test_a_failing_update_is_told_once_and_tried_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    CodeMap.index(folder)
    real: Any = vars(refreshing)["update"]
    fails: list[Exception] = [StoreError("disk full")] * 3 + [ZeroDivisionError("odd")]

    def update(*arguments: Any, **options: Any) -> object:
        if fails:
            raise fails.pop(0)
        return real(*arguments, **options)

    monkeypatch.setattr(refreshing, "update", update)
    told = _follow(folder, monkeypatch, _edit(folder), _nothing, _nothing, _nothing, _nothing)
    assert [(event.kind, event.message) for event in told][1:4] == [
        ("failed", "disk full"),
        ("failed", "internal error: ZeroDivisionError: odd"),
        ("refreshed", None),
    ]
    assert told[3].report is not None
    assert told[3].report.extracted == 1


def test_mistakes_in_the_configuration_do_not_end_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    CodeMap.index(folder)
    settings = folder / "codemap.toml"
    told = _follow(
        folder, monkeypatch, lambda: settings.write_text("hop = 3"), _edit(folder), settings.unlink, lambda: None
    )
    assert [event.kind for event in told] == ["started", "failed", "refreshed", "stopped"]
    assert "there is no key hop" in str(told[1].message)


def test_another_run_is_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    CodeMap.index(folder)
    lock = os.path.join(find(folder).location.map_dir, LOCK)
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        with writer_lock(lock, 0, print):
            held.set()
            release.wait(30)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(30)
    events: list[Event] = []

    def tell(event: Event) -> None:
        events.append(event)
        if event.kind == "waiting":
            release.set()

    monkeypatch.setattr(module, "Notified", Scripted([_edit(folder)]))
    follow(find(folder), tell)
    holder.join()
    assert [event.kind for event in events] == ["started", "waiting", "refreshed", "stopped"]


def test_where_the_system_cannot_watch_it_looks_now_and_then(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    CodeMap.index(folder)
    events: list[Event] = []

    def refuse(*arguments: object, **options: object) -> None:
        raise OSError("OS file watch limit reached")

    def tell(event: Event) -> None:
        events.append(event)
        if event.kind == "polling":
            _edit(folder)()
        if event.kind == "refreshed":
            raise KeyboardInterrupt

    monkeypatch.setattr(module, "Notified", refuse)
    monkeypatch.setattr(wakers, "POLL_SECONDS", 0.02)
    follow(find(folder), tell)
    assert [event.kind for event in events] == ["started", "polling", "refreshed", "stopped"]
    assert "limit reached" in str(events[1].message)
    assert "max_user_watches" in str(events[1].message)


def test_a_folder_that_goes_while_it_is_to_be_watched_is_left_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    CodeMap.index(folder)
    asked: list[list[str]] = []

    def made(folders: list[str], matters: object, *, recursive: bool) -> Scripted:
        asked.append(folders)
        if len(asked) == 1:
            shutil.rmtree(folder / "shop")
            raise FileNotFoundError(folder / "shop")
        return Scripted([lambda: None])

    monkeypatch.setattr(module, "Notified", made)
    events: list[Event] = []
    follow(find(folder), events.append)
    assert str(folder / "shop") in asked[0]
    assert str(folder / "shop") not in asked[1]
    assert [event.kind for event in events] == ["started", "refreshed", "stopped"]


def test_a_tree_that_is_gone_is_the_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    CodeMap.index(folder)
    with pytest.raises(RepositoryError, match="is gone"):
        _follow(folder, monkeypatch, lambda: shutil.rmtree(folder))
