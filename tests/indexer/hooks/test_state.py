"""What is said of each hook is what is there."""

from __future__ import annotations

import sys

import pytest

from indexer.hooks.install import install
from indexer.hooks.state import hook_states
from tests.hooked import Repository

PYTHON = sys.executable
OTHER = f"#!{PYTHON}\n"


def _state(repository: Repository) -> tuple[str, str]:
    (found,) = hook_states(str(repository.hooks), ("post-commit",))
    return found.state, found.detail


def _install(repository: Repository, python: str = PYTHON) -> None:
    install(str(repository.hooks), python, ("post-commit",))


@pytest.mark.parametrize(
    ("text", "mode", "before", "after"),
    [
        (None, 0, "no hook", "a file of its own"),
        ("#!/bin/sh\n:\n", 0o755, "another hook, a script", "in the hook that is there"),
        (OTHER, 0o755, "another hook, a script", "runs post-commit.before-codemap, the hook that was there"),
        (
            "\x7fELF",
            0o644,
            "another hook, a program, that is not executable",
            "runs post-commit.before-codemap, the hook that was there",
        ),
    ],
)
def test_before_and_after(repository: Repository, text: str | None, mode: int, before: str, after: str) -> None:
    if text is not None:
        repository.hook("post-commit", text, mode)
    assert _state(repository) == ("absent", before)
    _install(repository)
    assert _state(repository) == ("installed", after)


def test_a_link_is_said_to_be_one(repository: Repository) -> None:
    (repository.hooks / "post-commit").symlink_to("/nowhere")
    assert _state(repository) == ("absent", "another hook, a link, that is not executable")


def test_what_keeps_a_hook_from_working(repository: Repository) -> None:
    _install(repository, "/gone/python")
    assert _state(repository) == (
        "broken",
        "a file of its own; /gone/python is gone: `codemap hooks install` names another",
    )
    _install(repository)
    path = repository.hooks / "post-commit"
    path.chmod(0o644)
    assert _state(repository) == ("broken", "a file of its own; it is not executable, so git does not run it")
    path.write_text(path.read_text().replace("  python=", "  p="))
    assert _state(repository)[0] == "broken"
    assert "the lines were changed" in _state(repository)[1]


def test_what_others_did_to_it(repository: Repository) -> None:
    repository.hook("post-commit", OTHER)
    _install(repository)
    path = repository.hooks / "post-commit"
    own = path.read_text()
    (repository.hooks / "post-commit.before-codemap").rename(repository.hooks / "aside")
    assert _state(repository) == ("installed", "post-commit.before-codemap is gone")
    (repository.hooks / "aside").rename(repository.hooks / "post-commit.before-codemap")
    path.write_text("#!/bin/sh\necho another tool\n")
    assert _state(repository) == (
        "absent",
        "another hook, a script; post-commit.before-codemap is left from an install, and nothing runs it",
    )
    path.unlink()
    assert "post-commit.before-codemap is left from an install" in _state(repository)[1]
    path.with_name("post-commit.legacy").write_text(own)
    path.with_name("post-commit.legacy").chmod(0o755)
    repository.hook("post-commit", "#!/bin/bash\n# pre-commit\n")
    assert _state(repository) == ("installed", "as post-commit.legacy, which the hook of another tool runs")
