"""An answer is given again only where asking would give the same."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from codemap.home import Home, find
from codemap.service import marks
from codemap.service.cache import Cache
from codemap.service.marks import Watched, take
from codemap.service.questions import Answered, ImpactOf, StatusOf, SubgraphOf
from queries.answers import Staleness

STATE = Staleness(None, None, None, 0, (), "2025-01-02T03:04:05Z", 0, fresh=True, reason=None)
ASKED = SubgraphOf("login")


@pytest.fixture
def home(tmp_path: Path, repository: Callable[[Path], None]) -> Home:
    folder = tmp_path / "shop"
    repository(folder)
    return find(folder)


def _kept(home: Home, *paths: str, cache: Cache | None = None) -> Cache:
    cache = cache or Cache()
    found = take(home, paths)
    assert found is not None
    cache.put(home, ASKED, "s1", found, Answered("text", paths, STATE))
    return cache


def test_it_is_kept_by_question_and_state(home: Home) -> None:
    cache = _kept(home, "shop/auth.py")
    kept = cache.get(home, ASKED, "s1")
    assert kept is not None
    assert kept.text == "text"
    assert cache.get(home, SubgraphOf("login", 500), "s1") is None
    assert cache.get(home, ASKED, "s2") is None
    assert cache.get(home, ASKED, "s1") is None  # the map has gone on: that state will not come again


@pytest.mark.parametrize("change", ["content", "touched", "gone", "configuration", "commit", "ratios"])
def test_what_it_tells_of_has_changed(home: Home, change: str) -> None:
    cache = _kept(home, "shop/auth.py")
    root = Path(home.root)
    if change == "content":
        (root / "shop/auth.py").write_text("other")
    elif change == "touched":
        status = (root / "shop/auth.py").stat()
        (root / "shop/auth.py").write_text((root / "shop/auth.py").read_text())
        os.utime(root / "shop/auth.py", ns=(status.st_atime_ns, status.st_mtime_ns))
    elif change == "gone":
        (root / "shop/auth.py").unlink()
    elif change == "configuration":
        (root / "codemap.toml").write_text("hops = 1\n")
    elif change == "commit":
        (root / ".git/refs/heads/main").write_text("c" * 40 + "\n")
    else:
        Path(home.location.facts_dir).mkdir(exist_ok=True)
        (Path(home.location.facts_dir) / "ratios.json").write_text("{}")
    assert cache.get(home, ASKED, "s1") is None


def test_another_file_does_not_matter(home: Home) -> None:
    cache = _kept(home, "shop/auth.py")
    (Path(home.root) / "shop/cart.py").write_text("other")
    assert cache.get(home, ASKED, "s1") is not None


def test_the_oldest_go_first(home: Home) -> None:
    cache = Cache(limit=10)
    _kept(home, cache=cache)
    found = take(home, ())
    assert found is not None
    cache.put(home, SubgraphOf("x"), "s1", found, Answered("7 chars", (), STATE))
    assert cache.get(home, ASKED, "s1") is None
    assert cache.get(home, SubgraphOf("x"), "s1") is not None
    cache.put(home, SubgraphOf("y"), "s1", found, Answered("far too long", (), STATE))
    assert cache.get(home, SubgraphOf("y"), "s1") is None


def test_a_change_while_an_answer_is_made_lets_nothing_be_kept(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    time.sleep(marks.RACE_SECONDS + 0.05)
    assert Watched(home).after(["shop/auth.py"]) is not None
    watched = Watched(home)
    (Path(home.root) / "shop/auth.py").write_text("other")
    assert watched.after(["shop/auth.py"]) is None
    assert watched.after(["shop/cart.py"]) is not None
    assert Watched(home).after(["shop/auth.py"]) is None  # it may be changed again within the same tick
    watched = Watched(home)
    (Path(home.root) / ".git/HEAD").write_text("d" * 40 + "\n")
    assert watched.after(["shop/cart.py"]) is None


def test_what_is_known_to_git_alone_is_not_lasting() -> None:
    assert SubgraphOf("x").lasting
    assert ImpactOf(("login",)).lasting
    assert not ImpactOf().lasting
    assert not ImpactOf(("login",), "HEAD~1").lasting
    assert not StatusOf().lasting
