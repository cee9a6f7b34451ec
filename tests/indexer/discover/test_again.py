"""Looking at what has changed finds what a look at everything finds."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from indexer.discover import Discovery, Location, discover, locate
from indexer.discover.again import discover_again
from indexer.discover.finding import Kinds
from indexer.discover.found import pack, unpack
from indexer.discover.seen import TICK, UNSURE, Seen
from tests.indexer.discover.conftest import is_configuration, language_of

KINDS = Kinds(is_configuration, language_of)
BASE = {
    ".gitignore": "/out\n*.gen.py\n",
    "a.py": "1\n",
    "pkg/b.py": "2\n",
    "pkg/deep/c.js": "3\n",
    "pkg/deep/.gitignore": "d.py\n",
    "pkg/text.txt": "no source\n",
    "out/kept.py": "tracked in an ignored folder\n",
    "out/free.py": "ignored\n",
    "env/pyvenv.cfg": "",
    "env/lib.py": "an environment's\n",
    "package.json": "{}\n",
}
PATHS = (
    *BASE, "new.py", "pkg/new.py", "pkg/deep/d.py", "fresh/e.py", "fresh/more/f.js", "x.gen.py", "out/sub/g.py",
    "pkg/pyvenv.cfg", "fresh/package.json", "pkg/.gitattributes", "node_modules/m.js",
)  # fmt: skip


class Play:
    """A worktree, and what may happen to it."""

    def __init__(self, root: Path, chance: Random) -> None:
        self.root, self.chance = root, chance
        root.mkdir()
        self.git("init", "-q", "-b", "main")
        for path, text in BASE.items():
            self.write(path, text)
        self.git("add", ".")
        self.git("add", "-f", "out/kept.py")
        self.commit()

    def git(self, *words: str) -> None:
        names = ("-c", "user.name=Test", "-c", "user.email=test@example.org")
        subprocess.run(["git", *names, *words], cwd=self.root, capture_output=True, check=False)

    def path(self) -> str:
        return self.chance.choice(PATHS)

    def write(self, path: str, text: str) -> None:
        place = self.root / path
        if place.is_dir() or any(folder.is_file() for folder in place.parents):
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.is_symlink():
            place.unlink()
        place.write_text(text)

    def edit(self) -> None:
        path = self.path()
        ignoring = self.chance.choice(("", "*.js\n", "fresh\n", "!d.py\n"))
        self.write(path, ignoring if path.endswith(".gitignore") else f"{self.chance.random()}\n")

    def crlf(self) -> None:
        place = self.root / self.path()
        if place.is_file():
            place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))

    def delete(self) -> None:
        place = self.root / self.path()
        if place.is_file():
            place.unlink()

    def delete_folder(self) -> None:
        shutil.rmtree(self.root / self.chance.choice(("fresh", "pkg/deep", "pkg", "out")), ignore_errors=True)

    def link(self) -> None:
        place = self.root / self.path()
        if place.is_file():
            place.unlink()
            place.symlink_to("a.py")

    def fold(self) -> None:
        """A folder in place of a file of its name, or the other way round, or a link in place of a folder."""
        place = self.root / self.path()
        if place.is_file() and not place.is_symlink():
            place.unlink()
            place.mkdir()
            (place / "inner.py").write_text("1\n")
        elif place.is_dir():
            shutil.rmtree(place)
            place.write_text("2\n")
        elif (self.root / "pkg").is_dir() and not (self.root / "pkg").is_symlink():
            (self.root / "pkg").rename(self.root / "moved")
            (self.root / "pkg").symlink_to("moved")

    def mode(self) -> None:
        place = self.root / self.path()
        if place.is_file():
            place.chmod(place.stat().st_mode ^ 0o100)

    def add(self) -> None:
        self.git("add", "-f", self.path())

    def untrack(self) -> None:
        self.git("rm", "-q", "--cached", self.path())

    def commit(self) -> None:
        self.git("commit", "-q", "-a", "-m", "change")

    def soft(self) -> None:
        self.git("reset", "-q", "--soft", "HEAD~1")

    def hard(self) -> None:
        self.git("reset", "-q", "--hard", self.chance.choice(("HEAD", "HEAD~1")))

    def step(self) -> None:
        steps = (
            self.edit, self.edit, self.edit, self.edit, self.crlf, self.delete, self.delete_folder, self.link,
            self.mode, self.fold, self.add, self.add, self.untrack, self.commit, self.commit, self.soft, self.hard,
        )  # fmt: skip
        with suppress(OSError):  # what makes no sense now
            self.chance.choice(steps)()


def everything(location: Location) -> Discovery:
    return discover(location, is_configuration, language_of)


def remembered(earlier: Discovery, location: Location) -> Discovery | None:
    found = unpack(pack(earlier, "this"), "this")
    assert found is not None
    return discover_again(location, Seen(earlier.seen.stamps), found, KINDS)


def without_stamps(found: Discovery) -> Discovery:
    again = found.again and found.again._replace(staged=tuple(found.again.staged), exclude_files=())
    return replace(found, seen=Seen({}), again=again)


def same(one: Discovery, other: Discovery) -> None:
    assert without_stamps(one) == without_stamps(other)
    mine, its = one.seen.stamps, other.seen.stamps
    assert mine.keys() == its.keys()
    assert all(UNSURE in (mine[path], its[path]) or mine[path] == its[path] for path in its)


def played(folder: Path, seed: int, steps: int) -> int:
    """Compare after each of some random steps, and give how often what has changed was enough."""
    play = Play(folder, Random(seed))
    location = locate(str(folder))
    earlier, enough = everything(location), 0
    for _ in range(steps):
        for _ in range(play.chance.choice((1, 1, 2, 4))):
            play.step()
        time.sleep(TICK / 1e9)
        now, again = everything(location), remembered(earlier, location)
        if again is not None:
            same(again, now)
            enough += 1
        earlier = again or now
    return enough


@pytest.mark.parametrize("seed", range(2))
def test_whatever_happens_what_changed_is_enough_to_look_at_or_said_not_to_be(tmp_path: Path, seed: int) -> None:
    assert played(tmp_path / "tree", seed, 20) >= 8


def test_a_folder_outside_of_git(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1\n")
    location = locate(str(tmp_path))
    earlier = everything(location)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.py").write_text("2\n")
    again = remembered(earlier, location)
    assert again is not None
    assert [file.path for file in again.files] == ["a.py", "sub/b.py"]
    same(again, everything(location))


def test_nothing_is_taken_from_another_program_or_from_damage(
    tmp_path: Path, scan: Callable[[Path], Discovery]
) -> None:
    packed = pack(scan(tmp_path), "this")
    assert unpack(packed, "this") is not None
    assert [unpack(each, by) for each, by in ((packed, "that"), (b"", "this"), (packed[:-2], "this"))] == [None] * 3


def test_a_commit_that_no_log_tells_of_is_seen(tmp_path: Path) -> None:
    play = Play(tmp_path / "tree", Random(1))
    play.git("config", "core.logAllRefUpdates", "false")
    shutil.rmtree(play.root / ".git" / "logs")
    play.write("a.py", "2\n")
    play.commit()
    time.sleep(TICK / 1e9)
    location = locate(str(play.root))
    earlier = everything(location)
    play.git("update-ref", "refs/heads/main", "HEAD~1")
    again = remembered(earlier, location)
    assert again is not None
    assert again.head != earlier.head
    same(again, everything(location))
    assert os.listdir(play.root / ".git").count("logs") == 0
