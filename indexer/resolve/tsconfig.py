"""What tsconfig.json and jsconfig.json say of resolution: `extends`, `baseUrl`, `paths`, `rootDirs`, `references`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from indexer.resolve.paths import ancestors, below, contains, glob_matches, join, parent
from indexer.resolve.settings import Read, read_json, table, texts

NAMES = ("tsconfig.json", "jsconfig.json", "tsconfig.base.json")
"""What governs a folder, the first that is there."""

_HERE = "${configDir}"
_MAX_DEPTH = 20
_MAX_PATHS = 5000
_MAX_GLOBS = 200
_MAX_GLOB = 500


class Options(NamedTuple):
    """The resolution options in force in a folder. Folders are relative to the root of the repository."""

    base: str | None  # baseUrl
    exact: dict[str, tuple[str, ...]]  # specifier → places to look
    patterns: tuple[tuple[str, str, tuple[str, ...]], ...]  # before and after the `*`, places; longest first
    root_dirs: tuple[str, ...]
    include: tuple[str, ...]  # globs of the files it is for
    exclude: tuple[str, ...]

    def governs(self, path: str) -> bool:
        """Whether the configuration is meant for the file at `path`."""
        return _any_matches(self.include, path) and not _any_matches(self.exclude, path)

    def places(self, specifier: str) -> tuple[bool, list[str]]:
        """Whether an entry of `paths` fits, and where it says to look, in order. A lone `*` does not count as one."""
        if specifier in self.exact:
            return True, list(self.exact[specifier])
        for before, after, places in self.patterns:
            if (
                specifier.startswith(before)
                and specifier.endswith(after)
                and len(specifier) >= len(before) + len(after)
            ):
                middle = specifier[len(before) : len(specifier) - len(after)]
                found = [place for one in places if (place := join("", one.replace("*", middle, 1))) is not None]
                return bool(before or after), found
        return False, []


class Projects:
    """The options of every folder that has a configuration."""

    def __init__(self, configs: Sequence[str], read: Read, locate: Callable[[str, str], str | None]) -> None:
        """`locate` gives the folder of a workspace package by name, as seen from a folder."""
        self._known = frozenset(path for path in configs if path.endswith(".json"))
        self._read = read
        self._locate = locate
        self._raw: dict[str, dict[str, Any]] = {}
        self._options: dict[str, tuple[Options, ...]] = {}
        for path in sorted(self._known):
            folder, _, name = path.rpartition("/")
            if name in NAMES and not any(below(folder, better) in self._known for better in NAMES[: NAMES.index(name)]):
                self._options[folder] = self._governing(path)
        self.by_file = any(len(options) > 1 for options in self._options.values())
        del self._read, self._locate, self._raw

    def options(self, importer: str) -> tuple[Options, ...]:
        """The options for a file: of the nearest configuration, after those it refers to when only they include it."""
        for around in ancestors(parent(importer)):
            found = self._options.get(around)
            if found is not None:
                own, *others = found
                ahead = [other for other in others if other.governs(importer)] if others else []
                return (own, *ahead) if not ahead or own.governs(importer) else (*ahead, own)
        return ()

    def _governing(self, path: str) -> tuple[Options, ...]:
        found = [self._finish(path)]
        folder = parent(path)
        references = self._document(path).get("references")
        for reference in references[:_MAX_PATHS] if isinstance(references, list) else ():
            place = join(folder, reference["path"]) if isinstance(table(reference).get("path"), str) else None
            other = self._file(place) if place is not None else None
            if other is not None and contains(parent(other), folder):
                found.append(self._finish(other))
        return tuple(found)

    def _document(self, path: str) -> dict[str, Any]:
        if path not in self._raw:
            self._raw[path] = read_json(self._read, path)
        return self._raw[path]

    def _file(self, place: str) -> str | None:
        """The configuration file that `extends` or a reference names, with its extension or as a folder."""
        for path in (place, place + ".json", below(place, "tsconfig.json")):
            if path in self._known:
                return path
        return None

    def _inherited(self, path: str, ancestors_: tuple[str, ...]) -> dict[str, tuple[str, Any]]:
        """Option → (folder that sets it, value), what is extended first. Cycles end where they close."""
        settings: dict[str, tuple[str, Any]] = {}
        if path in ancestors_ or len(ancestors_) > _MAX_DEPTH:
            return settings
        document = self._document(path)
        folder = parent(path)
        for extended in texts(document.get("extends"))[:_MAX_DEPTH]:
            other = self._extended(folder, extended)
            if other is not None:
                settings |= self._inherited(other, (*ancestors_, path))
        compiler = table(document, "compilerOptions")
        settings |= {key: (folder, compiler[key]) for key in ("baseUrl", "paths", "rootDirs") if key in compiler}
        settings |= {key: (folder, document[key]) for key in ("include", "files", "exclude") if key in document}
        return settings

    def _extended(self, folder: str, written: str) -> str | None:
        if written.startswith((".", "/")):
            place = join(folder, written)
            return None if place is None else self._file(place)
        parts = written.split("/")
        size = 2 if written.startswith("@") else 1
        home = self._locate("/".join(parts[:size]), folder)
        place = None if home is None else join(home, "/".join(parts[size:]))
        return None if place is None else self._file(place)

    def _finish(self, path: str) -> Options:
        here = parent(path)
        settings = self._inherited(path, ())
        base_folder, written = settings.get("baseUrl", ("", None))
        base = _place(base_folder, written, here) if isinstance(written, str) else None
        paths_folder, paths = settings.get("paths", ("", {}))
        start = paths_folder if base is None else base
        exact: dict[str, tuple[str, ...]] = {}
        patterns = []
        for key, value in list(table(paths).items())[:_MAX_PATHS]:
            places = tuple(place for one in texts(value) if (place := _place(start, one, here)) is not None)
            before, star, after = key.partition("*")
            if star and "*" not in after:
                patterns.append((before, after, places))
            elif not star:
                exact[key] = places
        patterns.sort(key=lambda pattern: -len(pattern[0]))
        dirs_folder, dirs = settings.get("rootDirs", ("", ()))
        root_dirs = tuple(place for one in texts(dirs) if (place := _place(dirs_folder, one, here)) is not None)
        return Options(
            base, exact, tuple(patterns), root_dirs, _included(settings, here), _globs(settings, "exclude", here)
        )


def _included(settings: dict[str, tuple[str, Any]], here: str) -> tuple[str, ...]:
    if "include" in settings or "files" in settings:
        return _globs(settings, "include", here) + _globs(settings, "files", here)
    return (below(here, "**"),)


def _globs(settings: dict[str, tuple[str, Any]], key: str, here: str) -> tuple[str, ...]:
    """Patterns of whole paths; one without a wildcard or extension in its last part stands for a folder's content."""
    folder, written = settings.get(key, ("", ()))
    found = []
    for one in texts(written)[:_MAX_GLOBS]:
        place = _place(folder, one, here) if len(one) <= _MAX_GLOB else None
        if place is not None:
            last = place.rpartition("/")[2]
            found.append(place if "*" in last or "." in last else below(place, "**"))
    return tuple(found)


def _any_matches(globs: Sequence[str], path: str) -> bool:
    return any(glob_matches(glob, path) for glob in globs)


def _place(folder: str, written: str, here: str) -> str | None:
    if written.startswith(_HERE):
        return join(here, "./" + written[len(_HERE) :])
    return join(folder, written)
