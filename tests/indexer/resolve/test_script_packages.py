from __future__ import annotations

import json
from typing import Any

import pytest

from indexer.resolve.packages import read_package
from indexer.resolve.script_files import ScriptFiles
from indexer.resolve.script_packages import PackageEntries


def entry(files: str, content: dict[str, Any], subpath: str = "") -> str | None:
    package = read_package("p/package.json", lambda path: json.dumps(content).encode())
    entries = PackageEntries(ScriptFiles(f"p/{name}" for name in files.split()), {"p": package})
    return entries.entry(package, subpath, typed=True)


@pytest.mark.parametrize(
    ("files", "content", "found"),
    [
        ("main.js index.js", {"main": "main.js"}, "p/main.js"),
        ("index.js", {}, "p/index.js"),
        ("src/index.ts", {"main": "dist/index.cjs"}, "p/src/index.ts"),
        ("src/index.ts src/node.ts", {"exports": {".": "./dist/esm/node.js"}}, "p/src/node.ts"),
        ("src/index.ts", {"module": "dist/pkg.esm-bundler.js"}, "p/src/index.ts"),
        ("src/lib.ts src/index.ts", {"main": "build/lib.min.js"}, "p/src/lib.ts"),
        ("types.d.ts impl.js", {"types": "types.d.ts", "main": "impl.js"}, "p/impl.js"),
        ("types.d.ts", {"types": "types.d.ts"}, "p/types.d.ts"),
        ("index.mjs src/index.ts", {"exports": {"types": "./dist/x.d.ts", "node": "./index.mjs"}}, "p/src/index.ts"),
        ("index.mjs src/index.ts", {"exports": {"node": "./index.mjs"}}, "p/index.mjs"),
        ("dist/index.js src/index.ts", {"main": "dist/index.js"}, "p/dist/index.js"),
        ("other.js", {"main": "dist/index.js"}, None),
    ],
)
def test_main_entry(files: str, content: dict[str, Any], found: str | None) -> None:
    assert entry(files, content) == found


def test_subpaths() -> None:
    files = "src/a.ts lib/b.js sub/index.js"
    assert entry(files, {}, "src/a") == "p/src/a.ts"
    assert entry(files, {}, "dist/a") == "p/src/a.ts"
    assert entry(files, {}, "lib/b.js") == "p/lib/b.js"
    assert entry(files, {}, "sub") == "p/sub/index.js"
    assert entry(files, {"exports": {"./*": "./dist/*.js"}}, "a") == "p/src/a.ts"
    assert entry(files, {}, "../q") is None
