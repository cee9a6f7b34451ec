"""The sources that are measured: pinned distributions, checked by digest, laid out as repositories of one commit."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pygit2


class Unavailable(Exception):
    """A corpus cannot be had on this machine; the message says why."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """One source distribution and what is asked of it."""

    name: str
    version: str
    sha256: str  # of the archive
    archive: str  # file name
    download: tuple[str, ...]  # command that leaves the archive in the current folder
    top: str  # folder of the archive that becomes the root of the repository
    parts: tuple[str, ...]  # what of it is kept; () for all
    grammar: str  # package of the grammar of the main language
    extension: str
    words: tuple[str, ...]  # a query
    edited: str  # file that gets the one-line edit
    anchor: str  # text in a function body after which the line is put
    line: str  # that line, with {n}

    @property
    def label(self) -> str:
        return f"{self.name} {self.version}"


DJANGO = Corpus(
    name="django",
    version="5.2.7",
    sha256="e0f6f12e2551b1716a95a63a1366ca91bbcd7be059862c1b18f989b1da356cdd",
    archive="django-5.2.7.tar.gz",
    download=(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "django", "django==5.2.7"),
    top="django-5.2.7",
    parts=(),
    grammar="tree_sitter_python",
    extension=".py",
    words=("login", "timeout"),
    edited="django/contrib/auth/__init__.py",
    anchor="\n    request.session[HASH_SESSION_KEY] = session_auth_hash\n",
    line="    codemap_mark_{n} = {n}\n",
)

MAPLIBRE = Corpus(
    name="maplibre-gl",
    version="5.9.0",
    sha256="9eb5739a6b7c0e687541d92b64b94d15ae563297a5f3ead10fd15289b12696fc",
    archive="maplibre-gl-5.9.0.tgz",
    download=("npm", "pack", "--silent", "maplibre-gl@5.9.0"),
    top="package",
    parts=("src", "package.json", "LICENSE.txt", "README.md"),  # what is left out was built from them
    grammar="tree_sitter_typescript",
    extension=".ts",
    words=("tile", "request", "abort"),
    edited="src/util/ajax.ts",
    anchor="    const result = await parsePromise;\n",
    line="    const codemapMark{n} = {n};\n",
)

CORPORA = (DJANGO, MAPLIBRE)


def prepare(corpus: Corpus, work: Path) -> Path:
    """The root of the corpus as a git repository below `work`, made there if it is not yet.

    Raises `Unavailable` when the archive cannot be fetched or is not the pinned one.
    """
    root = work / f"{corpus.name}-{corpus.version}"
    if (root / ".git").is_dir():
        return root
    work.mkdir(parents=True, exist_ok=True)
    making = work / f"{root.name}.making"  # renamed when whole, so that a stopped run leaves nothing that looks ready
    shutil.rmtree(making, ignore_errors=True)
    _unpack(_archive(corpus, work), corpus, making)
    _commit(making, corpus.label)
    making.rename(root)
    return root


def _archive(corpus: Corpus, work: Path) -> Path:
    path = work / corpus.archive
    if not path.exists():
        program = shutil.which(corpus.download[0])
        if program is None:
            raise Unavailable(f"{corpus.label}: {corpus.download[0]} is not installed")
        done = subprocess.run((program, *corpus.download[1:]), cwd=work, stdin=subprocess.DEVNULL, check=False)
        if done.returncode or not path.exists():
            raise Unavailable(f"{corpus.label}: `{' '.join(corpus.download)}` left no {corpus.archive}")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != corpus.sha256:
        raise Unavailable(f"{corpus.label}: {path} has the digest {digest}, not the pinned {corpus.sha256}")
    return path


def _unpack(archive: Path, corpus: Corpus, root: Path) -> None:
    root.mkdir()
    with tarfile.open(archive) as tar:
        for member in tar:
            top, _, rest = member.name.partition("/")
            wanted = not corpus.parts or rest.split("/")[0] in corpus.parts
            if top == corpus.top and rest and wanted:
                member.name = rest
                tar.extract(member, root, filter="data")


def _commit(root: Path, message: str) -> None:
    """As a clone has it: the index knows the tree of the commit, and objects are packed."""
    repository = pygit2.init_repository(str(root))
    repository.index.add_all()
    tree = repository.index.write_tree()
    repository.index.write()
    author = pygit2.Signature("benchmark", "benchmark@example.org", 1_700_000_000, 0)
    repository.create_commit("HEAD", author, author, message, tree, [])
    repository.pack()
