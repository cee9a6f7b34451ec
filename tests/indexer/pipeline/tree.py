"""A working tree, and what happens to it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pygit2
from pygit2.enums import CheckoutStrategy, ResetMode

from tests.indexer.pipeline.generated import Step


class Tree:
    """A working tree with its repository."""

    def __init__(self, root: Path, base: Mapping[str, str]) -> None:
        self.root = root
        self._repository = pygit2.init_repository(str(root), initial_head="main")
        self._signature = pygit2.Signature("Test", "test@example.org", 1_700_000_000, 0)
        for path, content in base.items():
            self._write(path, content)
        self._commit()

    def apply(self, step: Step) -> None:
        """Carry out a step; one that makes no sense now does nothing."""
        if step.what == "write":
            self._write(step.path, step.content)
        elif step.what == "edit":
            self._edit(step.path, step.content, step.line)
        elif step.what == "rename":
            self._rename(step.path, step.content)
        else:
            getattr(self, f"_{step.what}")(*filter(None, (step.path,)))

    def _write(self, path: str, content: str) -> None:
        target = self.root / path
        for taken in (folder for folder in target.parents if folder.is_file()):
            taken.unlink()
        if target.is_dir():
            shutil.rmtree(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="latin-1" if content == "\xff" else "utf-8", newline="")

    def _edit(self, path: str, content: str, line: int) -> None:
        """Put text in place of a line, or after the last one."""
        if not (self.root / path).is_file():
            return
        lines = (self.root / path).read_text(encoding="latin-1").splitlines(keepends=True)
        lines[line : line + 1] = [content]
        (self.root / path).write_text("".join(lines), encoding="latin-1", newline="")

    def _delete(self, path: str) -> None:
        if (self.root / path).is_file():
            (self.root / path).unlink()

    def _rename(self, old: str, new: str) -> None:
        if (self.root / old).is_file() and not (self.root / new).is_dir():
            (self.root / new).parent.mkdir(parents=True, exist_ok=True)
            shutil.move(self.root / old, self.root / new)

    def _commit(self) -> None:
        index = self._repository.index
        index.read()
        index.add_all()
        index.write()
        parents = [] if self._repository.head_is_unborn else [self._repository.head.target]
        author = self._signature
        self._repository.create_commit("HEAD", author, author, "step", index.write_tree(), parents)

    def _amend(self) -> None:
        """Everything there is into the last commit."""
        index = self._repository.index
        index.read()
        index.add_all()
        index.write()
        self._repository.amend_commit(self._head(), "HEAD", message="amended", tree=index.write_tree())

    def _rewrite(self) -> None:
        """As a filtered history: the same files in a commit without parents."""
        author = self._signature
        new = self._repository.create_commit(None, author, author, "rewritten", self._head().tree_id, [])
        self._repository.reset(new, ResetMode.SOFT)

    def _stash(self) -> None:
        with suppress(KeyError):  # nothing to stash
            self._repository.stash(self._signature, include_untracked=True)

    def _unstash(self) -> None:
        with suppress(KeyError, pygit2.GitError):  # none, or in conflict
            self._repository.stash_pop()

    def _mode(self, path: str) -> None:
        if (self.root / path).is_file():
            (self.root / path).chmod((self.root / path).stat().st_mode ^ 0o111)

    def _fold(self, path: str) -> None:
        """A folder of the same name in place of a file, with its text inside; or the file again."""
        place = self.root / path
        inner = place / ("__init__.py" if path.endswith(".py") else f"index{place.suffix}")
        if place.is_file():
            text = place.read_bytes()
            place.unlink()
            place.mkdir()
            inner.write_bytes(text)
        elif inner.is_file():
            text = inner.read_bytes()
            shutil.rmtree(place)
            place.write_bytes(text)

    def _shout(self, path: str) -> None:
        """A name that differs in case alone."""
        old = self.root / path
        other = old.with_stem(old.stem.swapcase())
        if old.is_file():
            old.rename(other)
        elif other.is_file():
            other.rename(old)

    def _drop(self, folder: str) -> None:
        """A package goes that others import."""
        shutil.rmtree(self.root / folder, ignore_errors=True)

    def _head(self) -> pygit2.Commit:
        head = self._repository[self._repository.head.target]
        assert isinstance(head, pygit2.Commit)
        return head

    def _branch(self, name: str) -> None:
        head = self._head()
        if name not in self._repository.branches.local:
            self._repository.branches.local.create(name, head)

    def _switch(self, name: str) -> None:
        if name in self._repository.branches.local:
            self._repository.checkout(self._repository.branches.local[name], strategy=CheckoutStrategy.FORCE)

    def _revert(self) -> None:
        """Back to the commit before, files and all."""
        head = self._head()
        if head.parents:
            self._repository.reset(head.parents[0].id, ResetMode.HARD)

    def _restore(self) -> None:
        self._repository.reset(self._repository.head.target, ResetMode.HARD)

    def close(self) -> None:
        self._repository.free()
