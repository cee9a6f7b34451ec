"""Which file a package of the repository is entered by, when what it names is source and when it is built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from indexer.resolve.packages import Package, targets
from indexer.resolve.paths import below, join
from indexer.resolve.script_files import EXTENSIONS, ScriptFiles, is_declaration

# Folders that builds write to. What lies in them was made from a file of the same stem, by custom under `src`.
_FOLDERS = "dist lib build out output es esm cjs umd types typings dist-types temp release target commonjs module"
_BUILT = frozenset(_FOLDERS.split())
_OUTPUT = frozenset({"dist", "build", "out", "output", "temp", "target"})  # nobody writes sources there
_SOURCE_FOLDERS = ("src", "source", "lib", "")
_MAIN_STEMS = ("src/index", "index", "src/main", "source/index", "lib/index")


class PackageEntries:
    """Entries of the packages in the repository, by folder."""

    def __init__(self, files: ScriptFiles, packages: Mapping[str, Package]) -> None:
        self._files = files
        self._packages = packages

    def folder(self, folder: str, typed: bool) -> str | None:
        """The file a folder stands for: what its package.json names, else its index file."""
        package = self._packages.get(folder)
        if package is not None and package.entries:
            file = self.first(folder, package.entries, typed)
            if file is not None:
                return file
        return self._files.index(folder, typed)

    def entry(self, package: Package, subpath: str, typed: bool) -> str | None:
        """The file that `package` or `package/subpath` is; built files lead to their sources."""
        file = self._named(package, subpath, typed)
        if subpath or (file is not None and file.startswith(below(package.folder, "src/"))):
            return file
        return self._behind(package, typed) or file

    def _behind(self, package: Package, typed: bool) -> str | None:
        """The source of an entry that is built, though a wrapper around what is built stands in the repository."""
        places = package.entries if package.exports is None else targets(package.exports, ".") or ()
        for place in places:
            path = join(package.folder, place)
            inside = path[len(package.folder) :].lstrip("/") if path else ""
            if path and inside.partition("/")[0] in _OUTPUT and self._exact(path, typed) is None:
                return self._files.find(below(package.folder, "src/index"), typed)
        return None

    def _named(self, package: Package, subpath: str, typed: bool) -> str | None:
        wanted = f"./{subpath}" if subpath else "."
        if package.exports is not None:
            places = targets(package.exports, wanted)
            if places is not None:
                file = self.first(package.folder, places, typed)
                if file is not None or not places:
                    return file  # no places: the package refuses the subpath
        if subpath:
            return self._below(package.folder, subpath, typed)
        if package.exports is None and (file := self.first(package.folder, package.entries, typed)) is not None:
            return file
        return self._main(package.folder, typed)

    def first(self, folder: str, places: Sequence[str], typed: bool) -> str | None:
        """The first place that is there: with code, else built from code that is there, else a declaration."""
        paths = [path for place in places if (path := join(folder, place)) is not None]
        found = [self._exact(path, typed) for path in paths]
        for file in found:
            if file is not None and not is_declaration(file):
                return file
        for path in paths:
            file = self._source(folder, path, typed)
            if file is not None:
                return file
        return next((file for file in found if file is not None), None)

    def _exact(self, path: str, typed: bool) -> str | None:
        return self._files.find(path, typed) or self._files.index(path, typed) if path else None

    def _below(self, folder: str, subpath: str, typed: bool) -> str | None:
        path = join(folder, subpath)
        if path is None or path == folder:
            return None
        return self._files.find(path, typed) or self.folder(path, typed) or self._source(folder, path, typed)

    def _main(self, folder: str, typed: bool) -> str | None:
        for stem in _MAIN_STEMS:
            file = self._files.find(below(folder, stem), typed)
            if file is not None:
                return file
        return None

    def _source(self, folder: str, path: str, typed: bool) -> str | None:
        """The file that the built `path` of the package in `folder` was made from."""
        parts = path[len(folder) + 1 if folder else 0 :].split("/")
        start = 0
        while start < len(parts) - 1 and parts[start] in _BUILT:
            start += 1
            for stem in _stems("/".join(parts[start:])):
                for source in _SOURCE_FOLDERS:
                    place = below(folder, below(source, stem))
                    if place != path and (file := self._files.find(place, typed)) is not None:
                        return file
        return None


def _stems(path: str) -> Iterator[str]:
    """A path without its extension, then without what builds put before it: `index.min`, `index.esm`."""
    for extension in (".d.ts", ".d.mts", ".d.cts", *EXTENSIONS):
        if path.endswith(extension):
            path = path[: -len(extension)]
            break
    yield path
    head, slash, name = path.rpartition("/")
    short = name.partition(".")[0]
    if short and short != name:
        yield head + slash + short
