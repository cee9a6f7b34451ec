"""Successive source distributions of one package, as the commits of a repository."""

from __future__ import annotations

import re
import shutil
import tarfile
import tempfile
import zipfile
from pathlib import Path

from tests.benchmarks.worktree import Worktree

_ARCHIVES = (".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".zip")


def from_distributions(folder: Path, root: Path) -> Worktree | None:
    """A repository with a commit for each distribution in a folder, by version; None where the folder holds none.

    A distribution is an archive, or a folder that is no repository, named `NAME-VERSION`. Never executed.
    """
    found = (
        sorted((path for path in folder.iterdir() if _is_distribution(path)), key=_version) if folder.is_dir() else []
    )
    if not found or (folder / ".git").exists() or (folder / "HEAD").exists():
        return None
    tree = Worktree.empty(root)
    for path in found:
        with tempfile.TemporaryDirectory(dir=root.parent) as scratch:
            _replace(root, _content(path, Path(scratch)))
        tree.commit(path.name)
    return tree


def _is_distribution(path: Path) -> bool:
    return re.search(r"-\d", path.name) is not None and (path.is_dir() or path.name.endswith(_ARCHIVES))


def _version(path: Path) -> list[tuple[int, int, str]]:
    """Numbers in order, and words before them, so that 1.0rc1 comes before 1.0.1."""
    name = next((path.name.removesuffix(end) for end in _ARCHIVES if path.name.endswith(end)), path.name)
    parts: list[str] = re.findall(r"\d+|[a-z]+", name.rpartition("-")[2].lower())
    return [(1, int(part), "") if part.isdigit() else (-1, 0, part) for part in parts] + [(0, 0, "")]


def _content(path: Path, scratch: Path) -> Path:
    """The folder with the sources of a distribution, unpacked where need be."""
    if path.is_dir():
        return path
    if path.name.endswith(".zip"):
        with zipfile.ZipFile(path) as archive:
            archive.extractall(scratch)
    else:
        with tarfile.open(path) as tar:
            tar.extractall(scratch, filter="data")
    inside = list(scratch.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else scratch


def _replace(root: Path, content: Path) -> None:
    for path in root.iterdir():
        if path.name == ".git":
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    ignored = shutil.ignore_patterns(".git")
    # Not with the times of the originals, by which git would take another version of a file for the one it knows.
    shutil.copytree(content, root, symlinks=True, dirs_exist_ok=True, ignore=ignored, copy_function=shutil.copy)
