"""Many questions at once: equal ones are answered once, and a worker that dies is replaced."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codemap.service.questions import RelationsOf, SubgraphOf
from codemap.service.shared import SharedService
from indexer.errors import NotFoundError


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_answers_of_worker_processes(tmp_path: Path, repository: Callable[[Path], None]) -> None:
    folder = tmp_path / "shop"
    repository(folder)

    async def main() -> None:
        service = SharedService([folder], workers=1)
        (one,) = service.repositories.all
        try:
            assert not one.ready
            await service.update(one)
            assert one.ready
            question = SubgraphOf("who logs in", 500)
            answers = await asyncio.gather(*(service.ask(one, question) for _ in range(10)))
            assert len({answer.text for answer in answers}) == 1
            assert service.counts["made"] == 1
            with pytest.raises(NotFoundError) as error:
                await service.ask(one, RelationsOf("logn", "callers"))
            assert error.value.suggestions == ("login",)

            (worker,) = service._workers._pool._processes
            os.kill(worker, signal.SIGKILL)
            assert "login" in (await service.ask(one, SubgraphOf("login", 400))).text
            assert list(service._workers._pool._processes) != [worker]

            auth = folder / "shop" / "auth.py"
            auth.write_text("\n" + auth.read_text())
            await service.refresh(one)
            assert "shop/auth.py:login:7-14" in (await service.ask(one, RelationsOf("login", "callers"))).text
        finally:
            await service.close()

    asyncio.run(main())
