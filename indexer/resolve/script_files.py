"""Finding the file a JavaScript path means: extensions left out, `.js` written for `.ts`, index files."""

from __future__ import annotations

from collections.abc import Iterable

from indexer.ports import Target
from indexer.resolve.paths import below

_TYPED = (".ts", ".tsx", ".mts", ".cts")
_PLAIN = (".js", ".jsx", ".mjs", ".cjs")
_DECLARED = (".d.ts", ".d.mts", ".d.cts")
EXTENSIONS = _TYPED + _PLAIN

# What is tried after a path without its extension, by the language of the importer. Declarations come last: a file with
# code says what runs.
_APPENDED = {True: _TYPED + _PLAIN + _DECLARED, False: _PLAIN + _TYPED + _DECLARED}

# TypeScript is written as the JavaScript it becomes.
_SOURCES = {
    ".js": (".ts", ".tsx", ".jsx", ".d.ts"),
    ".jsx": (".tsx", ".ts", ".d.ts"),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}

_OTHER = """
    vue svelte astro marko riot coffee elm wasm node json json5 jsonc css scss sass less styl pcss html htm xml svg png
    jpg jpeg gif webp avif ico bmp md mdx markdown txt csv tsv yaml yml toml graphql gql glsl vert frag wgsl proto sql
    mp3 mp4 ogg wav webm woff woff2 ttf otf eot pdf hbs handlebars ejs pug mustache zip
"""
_OTHER_LANGUAGES = frozenset(_OTHER.split())

NO_FILE = Target("missing", "no such file in the map")
QUERY = Target("missing", "a query: the file is taken as data")
OTHER_LANGUAGE = Target("missing", "not a mapped language")


class ScriptFiles:
    """The mapped files of the JavaScript family, by path."""

    def __init__(self, files: Iterable[str]) -> None:
        self.paths = frozenset(path for path in files if path.endswith(EXTENSIONS))

    def find(self, path: str, typed: bool) -> str | None:
        """The file that `path` names; `typed`: the importer is TypeScript, so sources go before what they become."""
        stem, dot, ending = path.rpartition(".")
        sources = _SOURCES.get(dot + ending, ())
        if not typed and path in self.paths:
            return path
        for extension in sources[:-1]:
            if stem + extension in self.paths:
                return stem + extension
        if path in self.paths:
            return path
        for extension in _APPENDED[typed]:
            if path + extension in self.paths:
                return path + extension
        if sources and stem + sources[-1] in self.paths:
            return stem + sources[-1]
        return None

    def index(self, folder: str, typed: bool) -> str | None:
        """The index file of a folder."""
        for extension in _APPENDED[typed]:
            path = below(folder, "index" + extension)
            if path in self.paths:
                return path
        return None


def absent(path: str) -> Target:
    """Why nothing stands at `path`."""
    if "?" in path:
        return QUERY
    ending = path.rpartition("/")[2].rpartition(".")[2].lower()
    return OTHER_LANGUAGE if ending in _OTHER_LANGUAGES else NO_FILE


def is_declaration(path: str) -> bool:
    return path.endswith(_DECLARED)
