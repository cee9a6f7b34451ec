"""A map that is refreshed, told of or refused; and one that is held open for long."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pygit2
import pytest

from codemap import CodeMap, NotFoundError, StaleMapError, Staleness, background, standing
from codemap.home import find
from indexer.discover import Location
from indexer.locks import writer_lock
from indexer.pipeline.update import LOCK

Run = Callable[..., subprocess.CompletedProcess[str]]

HOUR = 3600
QUESTIONS = [
    ["subgraph", "login"],
    ["symbol", "login"],
    ["callers", "login"],
    ["callees", "login"],
    ["references", "login"],
    ["path", "login", "new_token"],
    ["definition", "shop/auth.py:6:4"],
    ["dependencies", "shop/auth.py"],
    ["dependents", "shop/auth.py"],
    ["edges"],
    ["symbols"],
    ["impact", "login"],
    ["context", "shop/auth.py:6"],
    ["history", "login"],
]


@pytest.fixture
def folder(tmp_path: Path, repository: Callable[[Path], None]) -> Path:
    made = tmp_path / "shop"
    repository(made)
    time.sleep(0.05)
    CodeMap.index(made)
    return made


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Roots that a background update was started for; none is."""
    found: list[str] = []

    def start(location: Location) -> bool:
        found.append(location.root)
        return True

    monkeypatch.setattr(background, "start_update", start)
    return found


def _edit(folder: Path, text: str = "\n\ndef late():\n    return login\n") -> None:
    with (folder / "shop/auth.py").open("a") as file:
        file.write(text)


def _commit(folder: Path, seconds: int, *, staged: bool = False) -> str:
    """A commit so many seconds after the map was made; an empty one, or of all that has changed."""
    repository = pygit2.Repository(str(folder))
    if staged:
        repository.index.add_all()
        repository.index.write()
    made = int(time.time()) + seconds
    author = pygit2.Signature("Test", "test@example.org", made, 0)
    parents = [repository.head.target]
    return str(repository.create_commit("HEAD", author, author, "more", repository.index.write_tree(), parents))


@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_every_question_keeps_to_the_policy(folder: Path, run: Run, started: list[str], question: list[str]) -> None:
    at = "-C", str(folder)
    assert run(*at, *question, "--on-stale", "refuse").returncode == 0
    _edit(folder, "# more\n")
    time.sleep(0.05)
    refused = run(*at, *question, "--on-stale", "refuse")
    assert (refused.returncode, refused.stdout) == (6, "")
    assert refused.stderr.startswith("codemap: the map is stale: shop/auth.py changed on disk since the map was made; ")
    assert refused.stderr.count("\n") == 1
    assert started == [str(folder.resolve())]
    warned = run(*at, *question, "--on-stale", "warn")
    assert warned.returncode == 0
    assert warned.stdout
    assert warned.stderr.startswith("codemap: the map is stale: shop/auth.py changed on disk")
    done = run(*at, *question)
    assert (done.returncode, done.stderr) == (0, "")
    with CodeMap.open(folder) as code_map:
        assert code_map.current(), "the default brings the map up to date"


def test_what_was_just_written_is_known(folder: Path, run: Run) -> None:
    assert run("-C", str(folder), "symbol", "late").returncode == 3
    _edit(folder)
    assert "def late()" in run("-C", str(folder), "symbol", "late").stdout
    (folder / "shop/new.py").write_text("def newest(): ...\n")
    state = json.loads(run("-C", str(folder), "symbol", "newest", "--json").stdout)["staleness"]
    assert (state["fresh"], state["dirty_files"], state["untracked_files"]) == (True, 2, 1)
    (folder / "shop/new.py").unlink()
    assert run("-C", str(folder), "symbol", "newest").returncode == 3


def test_answer_and_state_are_of_one_map(folder: Path) -> None:
    first = str(pygit2.Repository(str(folder)).head.target)
    with CodeMap.open(folder) as code_map:

        def ask() -> object:
            found = code_map.symbol("login")
            _commit(folder, 0)
            CodeMap.index(folder)
            return found

        _, state = code_map.stated(ask)
        assert (state.map_commit, state.commits_behind) == (first, 1)
        assert code_map.staleness().fresh


def test_status_shows_the_map_as_it_is(folder: Path, run: Run) -> None:
    assert run("-C", str(folder), "status").stdout.endswith(", fresh\n")
    _edit(folder)
    (folder / "shop/prices.py").unlink()
    state = json.loads(run("-C", str(folder), "status", "--json").stdout)["staleness"]
    assert (state["fresh"], state["differing"]) == (False, ["shop/auth.py", "shop/prices.py"])
    (folder / ".git/codemap/seen").unlink()
    again = json.loads(run("-C", str(folder), "status", "--json").stdout)["staleness"]
    assert again["differing"] == state["differing"]


def test_the_staleness_is_told_in_full(folder: Path, run: Run, validate: Callable[[str, object], None]) -> None:
    first = str(pygit2.Repository(str(folder)).head.target)
    _commit(folder, -10 * HOUR)
    head = _commit(folder, -8 * HOUR)
    answer = json.loads(run("-C", str(folder), "symbol", "login", "--json", "--on-stale", "warn").stdout)
    validate("symbol", answer)
    state = answer["staleness"]
    when = pygit2.Repository(str(folder))[head]
    assert isinstance(when, pygit2.Commit)
    assert state["head_time"] == time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when.commit_time))
    assert (state["map_commit"], state["head_commit"]) == (first, head)
    assert (state["commits_behind"], state["commits_ahead"]) == (2, 0)
    assert state["age_seconds"] == 0, "the head is said to be older than the map"
    assert state["reason"] == f"the map is of commit {first[:12]}, 2 behind; head is {head[:12]}"
    repository = pygit2.Repository(str(folder))
    CodeMap.index(folder)
    repository.set_head(repository.create_branch("old", repository[first]).name)
    state = json.loads(run("-C", str(folder), "symbol", "login", "--json", "--on-stale", "warn").stdout)["staleness"]
    assert (state["commits_behind"], state["commits_ahead"]) == (0, 2)
    assert state["reason"] == f"the map is of commit {head[:12]}, 2 ahead; head is {first[:12]}"


def test_an_age_is_let_pass_and_another_is_not(folder: Path, run: Run, started: list[str]) -> None:
    at = "-C", str(folder), "symbol", "login"
    CodeMap.index(folder)
    _commit(folder, HOUR // 2)
    tolerated = run(*at, "--on-stale", "refuse")
    assert (tolerated.returncode, tolerated.stderr) == (0, "")
    assert "NOT FRESH" in tolerated.stdout
    assert run(*at, "--on-stale", "refuse", "--max-age", "15m").returncode == 6
    assert "the map is stale" in run(*at, "--on-stale", "warn", "--max-age", "15m").stderr
    _commit(folder, 3 * HOUR)
    assert run(*at, "--on-stale", "refuse").returncode == 6
    assert run(*at, "--on-stale", "refuse", "--max-age", "1d").returncode == 0
    assert run(*at, "--on-stale", "refresh").stdout.endswith("fresh\n")
    assert len(started) == 2


def test_a_clock_that_was_set_back_gives_no_negative_age(folder: Path, run: Run, started: list[str]) -> None:
    """The map says that it was made later than the commit it lacks: how long that is cannot be known."""
    _commit(folder, -400 * 24 * HOUR * 10)
    state = json.loads(run("-C", str(folder), "symbol", "login", "--json", "--on-stale", "warn").stdout)["staleness"]
    assert state["age_seconds"] == 0
    assert run("-C", str(folder), "symbol", "login", "--on-stale", "refuse", "--max-age", "9999d").returncode == 6


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--max-age", "soon"], "'soon' is no length of time"),
        (["--max-age", "-1h"], "is no length of time"),
        (["--on-stale", "ignore"], "is not one of 'refresh', 'warn', 'refuse'"),
    ],
)
def test_wrong_policies_are_wrong_usage(folder: Path, run: Run, arguments: list[str], said: str) -> None:
    done = run("-C", str(folder), "symbol", "login", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_options_go_before_the_environment_and_that_before_the_file(
    folder: Path, run: Run, started: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = "-C", str(folder), "symbol", "login"
    (folder / "codemap.toml").write_text("on-stale = 'refuse'")
    time.sleep(0.05)
    CodeMap.index(folder)
    _edit(folder)
    assert run(*at).returncode == 6
    monkeypatch.setenv("CODEMAP_ON_STALE", "warn")
    assert "NOT FRESH" in run(*at).stdout
    assert run(*at, "--on-stale", "refuse").returncode == 6
    with CodeMap.open(folder) as code_map, pytest.raises(StaleMapError):
        code_map.symbol("login")


def test_from_python(folder: Path, started: list[str]) -> None:
    said: list[str] = []
    _edit(folder)
    with CodeMap.open(folder, notice=said.append) as code_map:
        assert code_map.symbol("login")
        assert len(said) == 1
        answer, state = code_map.stated(lambda: code_map.callers("login"))
        assert answer.symbols[0].qualname == "login"
        assert "shop/auth.py" in state.differing
    with CodeMap.open(folder, on_stale="refuse") as code_map:
        with pytest.raises(StaleMapError) as raised:
            code_map.callees("login")
        assert isinstance(raised.value.staleness, Staleness)
        assert raised.value.staleness.differing == ("shop/auth.py",)
        with pytest.raises(StaleMapError):
            list(code_map.definitions([("shop/auth.py", 6, 4)]))
        with pytest.raises(StaleMapError):
            code_map.edges()
        assert code_map.dependencies("shop/prices.py").path == "shop/prices.py", "nothing of that has changed"
    with CodeMap.open(folder) as code_map:
        assert code_map.find("late") == ()
    with CodeMap.open(folder, on_stale="refresh") as code_map:
        assert code_map.callees("late").symbols


def test_a_name_that_is_not_found_in_a_stale_map_may_be_new(folder: Path, started: list[str]) -> None:
    said: list[str] = []
    _commit(folder, 5 * HOUR)
    with CodeMap.open(folder, on_stale="warn", notice=said.append) as code_map, pytest.raises(NotFoundError):
        code_map.symbol("late")
    assert "1 behind" in said[0]
    with CodeMap.open(folder, on_stale="refuse") as code_map, pytest.raises(StaleMapError):
        code_map.symbol("late")


def test_a_refresh_reads_the_commits_since_where_history_is_indexed(folder: Path, run: Run) -> None:
    at = "-C", str(folder), "history", "login", "--json"
    assert json.loads(run(*at).stdout)["changes"] == 0, "nobody asked for history yet"
    CodeMap.index_history(folder)
    assert json.loads(run(*at).stdout)["changes"] == 1
    _edit(folder, "# more\n")
    (folder / "shop/auth.py").write_text((folder / "shop/auth.py").read_text().replace("def login", "def  login"))
    _commit(folder, 0, staged=True)
    assert json.loads(run(*at).stdout)["changes"] == 2


def test_where_it_cannot_be_refreshed_the_old_map_answers(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    _edit(folder)
    monkeypatch.setattr(standing, "WAIT_SECONDS", 0.05)
    with writer_lock(os.path.join(find(folder).location.map_dir, LOCK), 0, print):
        done = run("-C", str(folder), "symbol", "login")
    assert done.returncode == 0
    assert "NOT FRESH" in done.stdout
    assert "the map could not be brought up to date: another run is writing this map" in done.stderr
    assert "\ncodemap: the map is stale: shop/auth.py changed on disk since the map was made\n" in done.stderr


def test_a_refused_question_has_the_map_rebuilt(folder: Path, run: Run) -> None:
    _edit(folder)
    assert run("-C", str(folder), "symbol", "login", "--on-stale", "refuse").returncode == 6
    until = time.monotonic() + 60
    while run("-C", str(folder), "symbol", "late", "--on-stale", "refuse").returncode and time.monotonic() < until:
        time.sleep(0.1)
    assert run("-C", str(folder), "symbol", "late", "--on-stale", "refuse").returncode == 0


def test_a_map_held_open_sees_what_others_did(folder: Path) -> None:
    """A newer map, another file in its place, a head that moved: each at the next answer, whatever thread asks."""
    with CodeMap.open(folder) as code_map:
        code_map.measure.count("")

        def everywhere(ask: Callable[[], object]) -> list[object]:
            answers: list[object] = []
            threads = [threading.Thread(target=lambda: answers.append(ask())) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            return answers

        assert everywhere(lambda: len(code_map.find("late"))) == [0] * 4
        _edit(folder)
        CodeMap.index(folder)
        assert everywhere(lambda: len(code_map.find("late"))) == [1] * 4, "a newer map"
        assert everywhere(lambda: code_map.staleness().fresh) == [True] * 4

        head = _commit(folder, 0)
        assert everywhere(lambda: code_map.staleness().head_commit) == [head] * 4, "a head that moved"
        assert everywhere(lambda: code_map.staleness().fresh) == [False] * 4

        other = folder.parent / "other"
        shutil.copytree(folder, other)
        with (other / "shop/auth.py").open("a") as file:
            file.write("\n\ndef replaced():\n    return 1\n")
        CodeMap.index(other)
        for name in ("map.db-wal", "map.db-shm"):
            (find(folder).root / ".git/codemap" / name).unlink(missing_ok=True)
        os.replace(find(other).map, code_map.map_path)
        assert everywhere(lambda: len(code_map.find("replaced"))) == [1] * 4, "a map that was replaced"

        CodeMap.index(folder, full=True)
        assert everywhere(lambda: len(code_map.find("replaced"))) == [0] * 4


def test_many_threads_refresh_once_and_agree(folder: Path) -> None:
    with CodeMap.open(folder, on_stale="refresh") as code_map:
        _edit(folder)
        found: list[str] = []
        threads = [threading.Thread(target=lambda: found.append(code_map.symbol("late")[0].qualname)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == ["late"] * 6


def test_a_map_that_is_removed_is_made_again_when_refreshed(folder: Path) -> None:
    with CodeMap.open(folder, on_stale="refresh") as code_map:
        assert code_map.symbol("login")
        shutil.rmtree(folder / ".git/codemap")
        assert code_map.symbol("login")
    with CodeMap.open(folder, on_stale="warn") as code_map:
        shutil.rmtree(folder / ".git/codemap")
        with pytest.raises(NotFoundError, match="codemap index"):
            code_map.symbol("login")


def _made_by_another_version(folder: Path) -> None:
    with closing(sqlite3.connect(folder / ".git/codemap/map.db", isolation_level=None)) as connection:
        connection.execute("UPDATE meta SET value = 'older' WHERE key IN ('code', 'installation')")


def test_a_map_of_another_version_is_built_anew_by_a_question(folder: Path) -> None:
    _made_by_another_version(folder)
    with CodeMap.open(folder, on_stale="refresh") as code_map:
        assert not code_map.current()
        assert code_map.callers("login")
        assert code_map.staleness().fresh
        assert code_map.current()


def test_a_map_of_another_version_is_told_of_or_refused(folder: Path, started: list[str]) -> None:
    _made_by_another_version(folder)
    told: list[str] = []
    with CodeMap.open(folder, on_stale="warn", notice=told.append, build=False) as code_map:
        code_map.callers("login")
    why = "the map is stale: the map was made by another version of codemap"
    assert told == [f"{why}: run `codemap update`, or ask with --on-stale refresh"]
    with CodeMap.open(folder, on_stale="refuse", build=False) as code_map, pytest.raises(StaleMapError, match=why):
        code_map.callers("login")
    assert started == [str(folder)]


def test_another_installation_of_the_same_version_looks_once(folder: Path) -> None:
    with closing(sqlite3.connect(folder / ".git/codemap/map.db", isolation_level=None)) as connection:
        connection.execute("UPDATE meta SET value = 'elsewhere' WHERE key = 'installation'")
    with CodeMap.open(folder, on_stale="refresh") as code_map:
        assert code_map.staleness().fresh
        assert not code_map.current()
        code_map.callers("login")
        assert code_map.current()
