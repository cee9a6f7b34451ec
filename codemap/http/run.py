"""Running the service until it is told to stop."""

from __future__ import annotations

import os
from collections.abc import Sequence

import uvicorn

from codemap.http.app import make
from codemap.http.settings import Settings, checked
from codemap.service.shared import SharedService


def serve(folders: Sequence[str | os.PathLike[str]], settings: Settings, workers: int | None = None) -> None:
    """Serve some repositories. On SIGTERM or SIGINT, what is under way is answered, for some seconds at most.

    Raises UsageError for settings that are not safe, RepositoryError for a folder that cannot be mapped.
    """
    checked(settings)
    service = SharedService(folders, workers)
    uvicorn.run(
        make(service, settings),
        host=settings.host,
        port=settings.port,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=settings.closing,
        timeout_keep_alive=30,
    )
