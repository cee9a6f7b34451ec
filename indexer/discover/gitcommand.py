"""Git as the program reads it, for repositories that libgit2 cannot open: SHA-256, reftable, newer extensions.

The program obeys the repository's configuration, which may name programs to run. So only plumbing is called, none of
which shows text through a filter, a pager or a driver; what plumbing may still run (a file system monitor, hooks, a
transport to fetch a missing object) is switched off; and the environment holds nothing but what git needs to find the
user's own configuration. https://git-scm.com/docs/git-config
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator

from indexer.discover.git import Head
from indexer.discover.index import Entry
from indexer.discover.location import Location
from indexer.errors import RepositoryError

_SAFE = ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "protocol.allow=never", "gc.auto=0")
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",  # none: git before 2.44 does not know the line above
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_PASSED_ON = ("HOME", "XDG_CONFIG_HOME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "SYSTEMROOT", "TMPDIR", "TEMP")
_SECONDS = 120  # the longest answer that is waited for
_ID_BYTES = {"sha1": 20, "sha256": 32}


class GitCommand:
    """See `Git`. Raises RepositoryError, which says why libgit2 could not and what is missing, where git cannot."""

    def __init__(self, location: Location, because: RepositoryError) -> None:
        assert location.git_dir is not None
        program = git_program()
        if program is None:
            raise RepositoryError(f"{because}; git itself could read it, but is not in PATH: install git") from because
        self._start = [program, f"--git-dir={location.git_dir}", f"--work-tree={location.root}", "--no-pager"]
        for setting in _SAFE:
            self._start += ["-c", setting]
        self._root = location.root
        shown = self._ask("rev-parse", "--show-object-format")
        size = None if shown is None else _ID_BYTES.get(shown.decode().strip())
        if size is None:
            raise RepositoryError(f"{because}; nor by {program} ({self._refusal()}); a newer git may") from because
        self.id_bytes = size
        self._sizes: dict[str, int] | None = None
        self._head = self._read_head()

    def head(self) -> Head:
        return self._head

    def tree(self) -> str | None:
        return self._word("rev-parse", "--verify", "-q", "HEAD^{tree}")

    def committed(self) -> Iterator[Entry]:
        listed = self._ask("ls-tree", "-r", "-z", "--full-tree", "HEAD") or b""
        for record in listed.split(b"\0")[:-1]:
            about, _, path = record.partition(b"\t")
            mode, _, blob = about.split(b" ")
            yield Entry(os.fsdecode(path), blob.decode(), int(mode, 8), -1, -1, -1, -1, True)

    def staged(self) -> set[str] | None:
        listed = self._ask("diff-index", "--cached", "--no-renames", "--name-only", "-z", "HEAD", "--")
        return None if listed is None else {os.fsdecode(path) for path in listed.split(b"\0")[:-1]}

    def enabled(self, setting: str) -> bool:
        return self._word("config", "--type=bool", "--get", setting) == "true"

    def setting(self, name: str) -> str | None:
        return self._word("config", "--get", name)

    def size(self, blob: str) -> int | None:
        if self._sizes is None:
            self._sizes = dict(self._committed_sizes())
        return self._sizes.get(blob)

    def ahead_behind(self, ours: str, theirs: str) -> tuple[int, int] | None:
        words = self._word("rev-list", "--left-right", "--count", f"{ours}...{theirs}", "--")
        if words is None:
            return None
        ahead, behind = words.split()
        return int(ahead), int(behind)

    def _committed_sizes(self) -> Iterator[tuple[str, int]]:
        """Of the files of the head commit, in one call."""
        listed = self._ask("ls-tree", "-r", "-l", "-z", "--full-tree", "HEAD") or b""
        for record in listed.split(b"\0")[:-1]:
            _, _, blob, size = record.partition(b"\t")[0].split()
            if size.isdigit():  # else a submodule, or not there
                yield blob.decode(), int(size)

    def _read_head(self) -> Head:
        name = self._word("symbolic-ref", "-q", "HEAD")
        branch = None if name is None else name.removeprefix("refs/heads/")
        commit = self._word("rev-parse", "--verify", "-q", "HEAD")
        if commit is None:
            return Head(None, None, branch)
        words = self._word("rev-list", "--max-count=1", "--timestamp", commit, "--")
        return Head(commit, int(words.split()[0]) if words else None, branch)

    def _word(self, *arguments: str) -> str | None:
        """The one line git answers with; None where it has no answer."""
        answer = self._ask(*arguments)
        return None if answer is None else os.fsdecode(answer).rstrip("\n")

    def _ask(self, *arguments: str) -> bytes | None:
        done = self._run(*arguments)
        return done.stdout if done.returncode == 0 else None

    def _refusal(self) -> str:
        """What git says of a repository that it cannot read either, in one line."""
        said = self._run("rev-parse", "--git-dir").stderr.decode("utf-8", "replace")
        return " ".join(said.split()) or "it does not know the format of its objects"

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ} | _ENVIRONMENT
        try:
            return subprocess.run(
                [*self._start, *arguments],
                cwd=self._root,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise RepositoryError(f"git did not answer about {self._root}: {error}") from error


def git_program() -> str | None:
    """git, from the absolute folders of PATH alone: a relative one could lie in the repository."""
    folders = [folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(folder)]
    return shutil.which("git", path=os.pathsep.join(folders))
