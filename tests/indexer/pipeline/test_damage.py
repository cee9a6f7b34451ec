"""Damage, full disks and files that change under a run: one clear line, and a map that is right."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from indexer.discover import Discovery, locate
from indexer.errors import StoreError
from indexer.pipeline import open_linker, update, updating, verify
from indexer.store.schema import MAP_VERSION
from tests.indexer.pipeline.mapped import MODULES, clean_map, make_tree, module, read_map


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return make_tree(tmp_path / "tree")


@pytest.mark.parametrize("name", ["map.db", "facts.db"])
@pytest.mark.parametrize("damage", ["garbage", "truncated", "empty", "holes"])
def test_what_is_damaged_is_set_aside_and_made_anew(repository: Path, name: str, damage: str) -> None:
    update(str(repository), jobs=1)
    location = locate(str(repository))
    path = Path(location.map_dir, name)
    whole = path.read_bytes()
    spoilt = {
        "garbage": b"garbage" * 10_000,
        "truncated": whole[: len(whole) // 2 // 4096 * 4096],
        "empty": b"",
        "holes": whole[:8192] + bytes(len(whole) - 8192),
    }[damage]
    path.write_bytes(spoilt)
    (repository / "m0.py").write_text(module(0) + "\nX = C0()\n")
    report = update(str(repository), jobs=1)
    assert read_map(location) == clean_map(repository)
    if damage == "empty" and name == "facts.db":
        return  # an empty file is a new database
    assert [message for message in report.messages if message.startswith(f"{name} ")]
    assert Path(location.map_dir, f"{name}.damaged-1").read_bytes()[:100] == spoilt[:100]


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("map.db", "UPDATE links SET lookups = x'0011'"),
        ("map.db", "UPDATE links SET lookups = x'0011', modules = x'0011'"),
        ("facts.db", "UPDATE facts SET definitions = x'0011', documents = x'0011'"),
    ],
)
def test_bytes_in_a_row_that_cannot_be_read_are_damage(repository: Path, name: str, spoil: str) -> None:
    update(str(repository), jobs=1)
    location = locate(str(repository))
    with closing(sqlite3.connect(Path(location.map_dir, name))) as connection, connection:
        connection.execute(spoil)
    (repository / "m0.py").write_text(module(0).replace("class C0", "class D0"))
    report = update(str(repository), jobs=1)
    assert read_map(location) == clean_map(repository)
    assert f"{name} is damaged: set aside as {name}.damaged-1, and made anew" in report.messages


def test_a_map_of_an_older_version_is_made_anew(repository: Path) -> None:
    update(str(repository), jobs=1)
    location = locate(str(repository))
    with closing(sqlite3.connect(Path(location.map_dir, "map.db"))) as connection:
        connection.execute("PRAGMA user_version = 0")
    said: list[str] = []

    class Told:
        def begin(self, stage: str, total: int) -> None: ...
        def advance(self, stage: str, done: int, made: int) -> None: ...
        def say(self, message: str) -> None:
            said.append(message)

    report = update(str(repository), jobs=1, progress=Told())
    assert report.rebuilt
    assert said == [f"map.db has version 0, not {MAP_VERSION}: set aside as map.db.damaged-1, and made anew"]
    assert read_map(location) == clean_map(repository)


def test_a_map_of_other_code_is_made_anew(repository: Path) -> None:
    update(str(repository), jobs=1)
    with closing(sqlite3.connect(Path(locate(str(repository)).map_dir, "map.db"))) as connection:
        connection.execute("UPDATE meta SET value = 'other' WHERE key IN ('code', 'installation')")
        connection.commit()
    report = update(str(repository), jobs=1)
    assert (report.rebuilt, report.extracted, report.relinked) == (True, 0, MODULES)
    assert read_map(locate(str(repository))) == clean_map(repository)


def test_a_file_in_place_of_the_folder_is_one_clear_line(repository: Path) -> None:
    (repository / ".codemap").write_text("")
    with pytest.raises(StoreError, match=r"^cannot make .*\.codemap: "):
        update(str(repository), jobs=1)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere")
def test_a_read_only_folder_is_one_clear_line(repository: Path) -> None:
    repository.chmod(0o555)
    try:
        with pytest.raises(StoreError, match=r"^cannot make "):
            update(str(repository), jobs=1)
    finally:
        repository.chmod(0o755)


@pytest.mark.parametrize("name", ["map.db", "facts.db"])
def test_a_full_disk_is_one_clear_line_and_leaves_the_map(
    repository: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    update(str(repository), jobs=1)
    location = locate(str(repository))
    before = read_map(location)
    connect = sqlite3.connect

    def small(path: object, **options: object) -> sqlite3.Connection:
        connection = connect(path, **options)  # type: ignore[call-overload]
        if str(path).endswith(name):
            connection.execute("PRAGMA max_page_count = 1")
        return connection  # type: ignore[no-any-return]

    monkeypatch.setattr(sqlite3, "connect", small)
    (repository / "more.py").write_text("".join(f"def f{n}(): pass\n" for n in range(5000)))
    with pytest.raises(StoreError, match=rf"^no space left to write .*{name}: free some and run again$"):
        update(str(repository), jobs=1)
    monkeypatch.undo()
    assert read_map(location) == before
    update(str(repository), jobs=1)
    assert read_map(location) == clean_map(repository)


def test_files_that_vanish_or_change_while_a_run_goes_on(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "m2.py").write_text("")
    update(str(repository), jobs=1)

    def late(*arguments: Any) -> Discovery:
        found = discovered(*arguments)
        for number in (0, 1):
            (repository / f"m{number}.py").unlink()
        (repository / "m2.py").write_text("def new(): pass\n")
        (repository / "m3.py").write_bytes(b"\0")
        return found

    for number in range(4):
        (repository / f"m{number}.py").write_text("x = 1\n")
    discovered = updating._discover
    monkeypatch.setattr(updating, "_discover", late)
    report = update(str(repository), jobs=1)
    assert (report.files, report.removed, report.skipped) == (MODULES - 3, 3, 1)
    monkeypatch.undo()
    assert update(str(repository), jobs=1).unchanged
    assert read_map(locate(str(repository))) == clean_map(repository)


def test_verify_finds_a_map_equal_and_names_the_rows_where_it_is_not(repository: Path) -> None:
    result = verify(str(repository), jobs=1)
    assert result.equal
    assert result.rows["files"] == MODULES
    location = locate(str(repository))
    assert not [path for path in Path(location.map_dir).iterdir() if path.name.startswith("verify-")]
    with closing(sqlite3.connect(Path(location.map_dir, "map.db"))) as connection:
        connection.execute("UPDATE symbols SET end_line = 999 WHERE qualname = 'C5.m'")
        connection.commit()
    result = verify(str(repository), jobs=1)
    assert len(result.differences) == 2
    assert "only in the map: ('m5.py', 'C5.m', 0," in result.differences[1] + result.differences[0]
    assert "999" in "".join(result.differences)


def test_a_linker_over_the_map_answers_where_a_name_is_defined(repository: Path) -> None:
    update(str(repository), jobs=1)
    text = module(1)
    found = open_linker(str(repository)).definition("m1.py", text.index("C0):"))
    assert [(each.path, each.qualname, each.kind) for each in found] == [("m0.py", "C0", "class")]
