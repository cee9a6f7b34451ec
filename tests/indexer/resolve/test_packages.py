from __future__ import annotations

import json

from indexer.resolve.packages import read_package, targets


def test_a_package_is_read_with_its_entries_in_order_of_preference() -> None:
    data = {
        "name": "x",
        "types": "t.d.ts",
        "main": "m.js",
        "workspaces": {"packages": ["a/*", 1]},
        "dependencies": {"y": "file:../y", "z": "1"},
    }
    package = read_package("p/package.json", lambda path: json.dumps(data).encode())
    assert (package.folder, package.name, package.exports) == ("p", "x", None)
    assert package.entries == ("m.js", "t.d.ts")
    assert package.workspaces == ("a/*",)
    assert package.links == {"y": "../y"}
    assert package.dependencies == {"y", "z"}


def test_exports_without_subpaths_are_the_main_entry() -> None:
    for value in ("./a.js", ["./a.js"], {"import": "./a.js"}):
        written = json.dumps({"exports": value}).encode()
        package = read_package("package.json", {"package.json": written}.get)
        assert package.exports is not None
        assert targets(package.exports, ".") == ["./a.js"]
        assert targets(package.exports, "./sub") is None


def test_conditions_in_order() -> None:
    entry = {"browser": "b", "node": "n", "default": "d", "require": "r", "import": {"types": "t", "default": "i"}}
    assert targets({".": entry}, ".") == ["t", "i", "r", "d", "n", "b"]


def test_the_longest_pattern_wins() -> None:
    exports = {"./*": "./lib/*.js", "./a/*": "./lib/a-*.js", "./a/*/end": "./lib/end-*.js", "./old/": "./lib/old/"}
    assert targets(exports, "./x") == ["./lib/x.js"]
    assert targets(exports, "./a/x") == ["./lib/a-x.js"]
    assert targets(exports, "./a/x/y") == ["./lib/a-x/y.js"]
    assert targets(exports, "./old/x") == ["./lib/old/x"]
    assert targets({"./a": None, "./b/*.js": "./c/*/*.js"}, "./a") == []
    assert targets({"./b/*.js": "./c/*/*.js"}, "./b/x.js") == ["./c/x/x.js"]
    assert targets({"./b/*.js": "./c"}, "./b/.") is None


def test_many_targets_are_cut() -> None:
    assert len(targets({".": [f"./{number}" for number in range(5_000)]}, ".") or ()) == 100
