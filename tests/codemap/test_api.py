"""The Python API on a real map."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from codemap import AmbiguousError, BudgetTooSmallError, CodeMap, NotFoundError, RepositoryError, StoreError
from indexer.store.connect import remembered


def test_errors(shop_map: CodeMap) -> None:
    with pytest.raises(NotFoundError) as unknown:
        shop_map.callers("curent_session")
    assert "current_session" in unknown.value.suggestions
    with pytest.raises(AmbiguousError) as several:
        shop_map.callers("is_expired")
    assert "shop/sessions.py:Session.is_expired" in several.value.choices
    with pytest.raises(BudgetTooSmallError) as small:
        shop_map.subgraph("login", budget=1)
    assert shop_map.subgraph("login", budget=small.value.smallest).nodes
    with pytest.raises(ValueError, match="no such form"):
        shop_map.subgraph("login", form="xml")  # type: ignore[arg-type]


def test_threads_take_turns(shop_map: CodeMap) -> None:
    answers: list[tuple[str, ...]] = []

    def ask() -> None:
        answers.extend(tuple(node.qualname for node in shop_map.subgraph("session timeout").nodes) for _ in range(5))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 20
    assert len(set(answers)) == 1


def test_opening_builds_what_is_missing(tmp_path: Path, repository: Callable[[Path], None]) -> None:
    folder = tmp_path / "new"
    repository(folder)
    with pytest.raises(StoreError, match="codemap index"):
        CodeMap.open(folder, build=False)
    said: list[str] = []
    with CodeMap.open(folder / "shop", notice=said.append) as code_map:
        assert code_map.root == folder.resolve()
        assert code_map.map_path.is_file()
        assert code_map.facts_path.is_file()
        assert said == [f"there is no map yet: building one of {folder.resolve()}"]
        (folder / "shop" / "late.py").write_text("def late():\n    return 1\n")
        assert code_map.update().extracted == 1
        assert code_map.symbol("late")[0].path == "shop/late.py"
        assert not code_map.verify().differences


def test_a_damaged_map_is_built_anew(tmp_path: Path, repository: Callable[[Path], None]) -> None:
    folder = tmp_path / "damaged"
    repository(folder)
    with CodeMap.open(folder) as code_map:
        place = code_map.map_path
    place.write_bytes(b"not a database at all" * 1000)
    with pytest.raises(StoreError):
        CodeMap.open(folder, build=False)
    with CodeMap.open(folder) as code_map:
        assert code_map.symbol("login")


@pytest.mark.parametrize("name", ["nowhere", "nul\0"])
def test_no_such_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(RepositoryError):
        CodeMap.open(tmp_path / name)


def test_submodules_by_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    seen = []
    for line in ("submodules = true\n", "budget = 100\n", "submodules = false\n"):
        (tmp_path / "codemap.toml").write_text(line)
        CodeMap.index(tmp_path, jobs=1)
        seen.append(remembered(str(tmp_path / ".codemap"), "submodules"))
    assert seen == ["yes", "yes", "no"]
