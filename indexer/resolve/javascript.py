"""JavaScript and TypeScript imports → files: relative paths, workspaces, package entries, `paths` and `imports`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from indexer.ports import Target
from indexer.resolve.packages import Package, targets
from indexer.resolve.paths import contains, join, parent
from indexer.resolve.script_files import NO_FILE, ScriptFiles, absent
from indexer.resolve.script_packages import PackageEntries
from indexer.resolve.settings import Read
from indexer.resolve.tsconfig import Options, Projects
from indexer.resolve.workspaces import Workspaces

_TYPED = (".ts", ".tsx", ".mts", ".cts")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_NAME = re.compile(r"(?:@[\w.-]+/)?[\w.-]+")
_MAX_SPECIFIER = 1000
_OUTSIDE = Target("missing", "outside of the repository")


class JavaScriptResolver:
    """Import specifiers → files, for JavaScript and TypeScript. Answers are kept; one per state of the repository."""

    def __init__(self, files: Iterable[str], configs: Sequence[str], read: Read) -> None:
        self._files = ScriptFiles(files)
        self._workspaces = Workspaces(configs, read)
        self._entries = PackageEntries(self._files, self._workspaces.packages)
        self._projects = Projects(configs, read, self._folder_of)
        self._answers: dict[tuple[str, str, bool], Target] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_answers": {}}

    def resolve(self, importer: str, specifier: str, level: int) -> Target:
        """What `specifier` in `importer` leads to; `level` means nothing here."""
        typed = importer.endswith(_TYPED)
        folder = importer.rpartition("/")[0]
        key = (importer if self._projects.by_file else folder, specifier, typed)
        answer = self._answers.get(key)
        if answer is None:
            answer = self._answers[key] = self._resolve(importer, specifier, typed)
        return answer

    def member(self, target: Target, name: str) -> Target | None:
        """Modules have no submodules in JavaScript."""
        return None

    def _folder_of(self, name: str, folder: str) -> str | None:
        package = self._workspaces.member(name, folder)
        return None if package is None else package.folder

    def _resolve(self, importer: str, specifier: str, typed: bool) -> Target:
        if not specifier or len(specifier) > _MAX_SPECIFIER or "\0" in specifier:
            return Target("missing", "not a module name")
        folder = parent(importer)
        options = self._projects.options(importer)
        if specifier in (".", "..") or specifier.startswith(("./", "../")):
            return self._relative(folder, specifier, typed, options)
        mapped = self._mapped(specifier, typed, options)
        if isinstance(mapped, str):
            return Target("file", mapped)
        found = self._bare(importer, specifier, typed) or self._from_base(specifier, typed, options)
        if found is not None:
            return found
        if specifier.startswith("/"):
            return mapped or Target("missing", "an absolute path")
        if _SCHEME.match(specifier):
            return Target("external", specifier.partition("/")[0] if specifier.startswith("node:") else specifier)
        name = package_name(specifier)
        if not _NAME.fullmatch(name) or (mapped and not self._workspaces.depends(name, folder)):
            return mapped or Target("missing", "neither a package name nor a known alias")
        return Target("external", name)

    def _relative(self, folder: str, specifier: str, typed: bool, options: Iterable[Options]) -> Target:
        path = join(folder, specifier)
        if path is None:
            return _OUTSIDE
        file = self._load(path, typed, _names_folder(specifier))
        if file is not None:
            return Target("file", file)
        for option in options:
            for place in _other_roots(path, option.root_dirs):
                file = self._load(place, typed, _names_folder(specifier))
                if file is not None:
                    return Target("file", file)
        return absent(path)

    def _load(self, path: str, typed: bool, as_folder: bool = False) -> str | None:
        file = None if as_folder or not path else self._files.find(path, typed)
        return file or self._entries.folder(path, typed)

    def _mapped(self, specifier: str, typed: bool, options: Iterable[Options]) -> str | Target | None:
        """The file that `paths` leads to, or why there is none though an entry fits, or None when none does."""
        reason = None
        for option in options:
            fits, places = option.places(specifier)
            for place in places:
                file = self._load(place, typed, specifier.endswith("/"))
                if file is not None:
                    return file
            if fits and reason is None:
                inside = [place for place in places if not contains("node_modules", place.partition("/")[0])]
                reason = absent(specifier) if inside else None
        return reason

    def _from_base(self, specifier: str, typed: bool, options: Iterable[Options]) -> Target | None:
        for option in options:
            place = None if option.base is None else join(option.base, specifier)
            file = self._load(place, typed) if place else None
            if file is not None:
                return Target("file", file)
        return None

    def _bare(self, importer: str, specifier: str, typed: bool) -> Target | None:
        """A package of the repository, or an entry of the own package's `imports`; None when it is neither."""
        folder = parent(importer)
        if specifier.startswith("#"):
            own = self._workspaces.nearest(folder)
            return None if own is None else self._imported(own, importer, specifier, typed)
        name = package_name(specifier)
        package = self._workspaces.member(name, folder) if name else None
        if package is None:
            return None
        file = self._entries.entry(package, specifier[len(name) + 1 :], typed)
        if file is not None:
            return Target("file", file)
        return absent(specifier) if "/" in specifier[len(name) :] else NO_FILE

    def _imported(self, own: Package, importer: str, specifier: str, typed: bool) -> Target | None:
        places = targets(own.imports, specifier)
        if places is None:
            return None
        file = self._entries.first(own.folder, [place for place in places if place.startswith("./")], typed)
        if file is not None:
            return Target("file", file)
        for place in places:
            if not place.startswith((".", "/", "#")):
                return self._resolve(importer, place, typed)
        return absent(places[0]) if places else NO_FILE


def package_name(specifier: str) -> str:
    """The package of a bare specifier, its scope included; "" when it names none."""
    parts = specifier.split("/")
    if not specifier.startswith("@"):
        return parts[0]
    return "/".join(parts[:2]) if len(parts) > 1 and parts[1] and len(parts[0]) > 1 else ""


def _names_folder(specifier: str) -> bool:
    return specifier.rpartition("/")[2] in ("", ".", "..")


def _other_roots(path: str, root_dirs: Sequence[str]) -> Iterable[str]:
    """The same place under the other `rootDirs`, which are one folder as far as relative paths go."""
    around = [root for root in root_dirs if contains(root, path)]
    if not around:
        return ()
    own = max(around, key=len)
    rest = path[len(own) :].lstrip("/")
    return (place for root in root_dirs if root != own and (place := join(root, rest)) is not None)
