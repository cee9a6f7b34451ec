"""What every test runs under: no git configuration of the person or machine, and settled random input."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pygit2
import pytest
from hypothesis import HealthCheck, settings
from pygit2.enums import ConfigLevel

# The same examples on every run, so that a failure tells of the change; CODEMAP_HYPOTHESIS=explore looks further.
settings.register_profile(
    "steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("explore", parent=settings.get_profile("steady"), derandomize=False, max_examples=1000)
settings.load_profile(os.environ.get("CODEMAP_HYPOTHESIS", "steady"))


@pytest.fixture(scope="session", autouse=True)
def _no_outside_git_configuration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Neither libgit2 nor a git program that a test starts reads settings from outside its repository."""
    home = tmp_path_factory.mktemp("home")
    levels = (ConfigLevel.PROGRAMDATA, ConfigLevel.SYSTEM, ConfigLevel.XDG, ConfigLevel.GLOBAL)
    for level in levels:
        pygit2.option(pygit2.enums.Option.SET_SEARCH_PATH, level, str(home))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.setenv("XDG_CONFIG_HOME", str(home / "config"))
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_CEILING_DIRECTORIES"):
            patch.delenv(name, raising=False)
        for role in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{role}_NAME", "Test")
            patch.setenv(f"GIT_{role}_EMAIL", "test@example.org")
        yield


@pytest.fixture(scope="session")
def project_root() -> Path:
    """The folder of this checkout."""
    return Path(__file__).resolve().parent.parent
