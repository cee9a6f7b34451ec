"""Updates in the process of their own: shared by those who wait, fresh for those who come later, lost with nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from codemap import CodeMap
from codemap.service.failures import Failure, raised, told
from codemap.service.updates import Updates
from indexer.errors import (
    AmbiguousError,
    BudgetTooSmallError,
    CodemapError,
    NotFoundError,
    RepositoryError,
    StoreError,
)


@pytest.fixture
def shop_folder(tmp_path: Path, repository: Callable[[Path], None]) -> Path:
    folder = tmp_path / "shop"
    repository(folder)
    return folder


def test_who_waits_shares_and_who_comes_later_gets_a_later_one(shop_folder: Path) -> None:
    async def main() -> None:
        updates = Updates()
        root = str(shop_folder)
        told: list[str] = []
        try:
            first = asyncio.create_task(updates.update(root, lambda stage, done, total: told.append(stage)))
            while updates.progress(root) is None:
                await asyncio.sleep(0.01)
            (shop_folder / "late.py").write_text("def late(): ...\n")
            second, third = (asyncio.create_task(updates.update(root)) for _ in range(2))
            third.cancel()  # one that gives up takes nothing from the other
            reports = await asyncio.gather(first, second)
            assert reports[0]["rebuilt"] is True
            assert reports[1]["rebuilt"] is False
            assert {"discover", "extract", "link"} <= set(told)
            assert (await updates.update(root))["unchanged"] is True
        finally:
            await updates.close()

    asyncio.run(main())
    with CodeMap.open(shop_folder, build=False) as code_map:
        assert code_map.symbol("late")


def test_what_goes_wrong_is_told_and_the_next_one_goes_on(tmp_path: Path, shop_folder: Path) -> None:
    async def main() -> None:
        updates = Updates()
        try:
            with pytest.raises(RepositoryError, match="does not exist"):
                await updates.update(str(tmp_path / "nowhere"))
            running = updates._process
            assert running is not None
            running.kill()
            await running.wait()
            assert (await updates.update(str(shop_folder)))["files"] > 0
            assert updates._process is not running
            assert updates._process is not None
            (shop_folder / "late.py").write_text("def late(): ...\n")  # one with nothing to do has no progress
            waiting = asyncio.create_task(updates.update(str(shop_folder)))
            while updates.progress(str(shop_folder)) is None:
                await asyncio.sleep(0.001)
            updates._process.kill()
            with pytest.raises(CodemapError, match="ended unexpectedly"):
                await waiting
        finally:
            await updates.close()

    asyncio.run(main())


@pytest.mark.parametrize(
    "error",
    [
        NotFoundError("no", ("near",)),
        AmbiguousError("two", ("a", "b")),
        BudgetTooSmallError("small", 7),
        StoreError("full"),
        CodemapError("plain"),
    ],
)
def test_an_error_crosses_processes_whole(error: CodemapError) -> None:
    again = raised(told(error))
    assert type(again) is type(error)
    assert (str(again), vars(again)) == (str(error), vars(error))


@pytest.mark.parametrize("kind", ["Unknown", "annotations", "Exception"])
def test_an_error_of_another_version_is_a_plain_one(kind: str) -> None:
    assert type(raised(Failure(kind, "m"))) is CodemapError


def test_commits_are_read_when_the_map_is_made(shop_folder: Path) -> None:
    async def main() -> None:
        updates = Updates()
        try:
            await updates.update(str(shop_folder))
            await updates.update(str(shop_folder))  # begins when the commits have been read
        finally:
            await updates.close()

    asyncio.run(main())
    with CodeMap.open(shop_folder, build=False) as code_map:
        assert len(code_map.history("login").commits) == 1
