from __future__ import annotations

import json
from typing import Any

from indexer.resolve.tsconfig import Projects


def projects(locate: dict[str, str] | None = None, **documents: Any) -> Projects:
    configs = {path: json.dumps(document).encode() for path, document in documents.items()}
    return Projects(list(configs), configs.get, lambda name, folder: (locate or {}).get(name))


def places(found: Projects, importer: str, specifier: str) -> list[list[str]]:
    return [options.places(specifier)[1] for options in found.options(importer)]


def compiler(**options: Any) -> dict[str, Any]:
    return {"compilerOptions": options}


def test_the_longest_prefix_wins_and_targets_keep_their_order() -> None:
    paths = {"*": ["any/*"], "@/*": ["src/*", "gen/*"], "@/x/*": ["x/*"], "@/*/end": ["end/*"], "@/x/one": ["one"]}
    found = projects(**{"app/tsconfig.json": compiler(paths=paths)})
    assert places(found, "app/a.ts", "@/b") == [["app/src/b", "app/gen/b"]]
    assert places(found, "app/a.ts", "@/x/b") == [["app/x/b"]]
    assert places(found, "app/a.ts", "@/x/one") == [["app/one"]]
    assert places(found, "app/a.ts", "b") == [["app/any/b"]]
    assert places(found, "other/a.ts", "@/b") == []


def test_extends_is_read_where_it_stands() -> None:
    found = projects(
        **{
            "tsconfig.base.json": compiler(baseUrl="lib", paths={"@/*": ["./*"], "h": ["${configDir}/h"]}),
            "app/tsconfig.json": {"extends": "../tsconfig.base"},
        }
    )
    assert places(found, "app/x/a.ts", "@/b") == [["lib/b"]]
    assert places(found, "app/x/a.ts", "h") == [["app/h"]]
    assert [options.base for options in found.options("app/a.ts")] == ["lib"]


def test_later_extensions_replace_earlier_and_the_own_replaces_all() -> None:
    one, two = compiler(paths={"p": ["one"]}, baseUrl="b"), compiler(paths={"p": ["two"]})
    documents: dict[str, Any] = {"tsconfig.one.json": one, "tsconfig.two.json": two}
    documents["tsconfig.json"] = {"extends": ["./tsconfig.one.json", "./tsconfig.two.json"]}
    both = projects(**documents)
    assert places(both, "a.ts", "p") == [["b/two"]]
    own = {"extends": "./tsconfig.one.json", **compiler(paths={"p": ["own"]})}
    assert places(projects(**{**documents, "tsconfig.json": own}), "a.ts", "p") == [["b/own"]]


def test_extends_of_a_workspace_package() -> None:
    found = projects(
        {"@org/tsconfig": "packages/tsconfig"},
        **{
            "packages/tsconfig/base.json": compiler(paths={"p": ["./here"]}),
            "app/tsconfig.json": {"extends": "@org/tsconfig/base.json"},
            "web/tsconfig.json": {"extends": "unknown/base"},
        },
    )
    assert places(found, "app/a.ts", "p") == [["packages/tsconfig/here"]]
    assert places(found, "web/a.ts", "p") == [[]]


def test_references_hold_for_the_files_they_include() -> None:
    found = projects(
        **{
            "tsconfig.json": {
                "files": [],
                "references": [{"path": "./tsconfig.app.json"}, {"path": "tsconfig.node.json"}],
            },
            "tsconfig.app.json": {"include": ["src"], **compiler(paths={"p": ["app"]})},
            "tsconfig.node.json": {"include": ["*.config.ts"], **compiler(paths={"p": ["node"]})},
        }
    )
    assert found.by_file
    assert places(found, "src/deep/a.ts", "p") == [["app"], []]
    assert places(found, "vite.config.ts", "p") == [["node"], []]
    assert places(found, "test/a.ts", "p") == [[]]


def test_a_root_without_files_still_gives_its_paths() -> None:
    document = {"files": [], "references": [{"path": "packages/a"}], **compiler(paths={"p": ["x"]})}
    found = projects(**{"tsconfig.json": document, "packages/a/tsconfig.json": {}})
    assert places(found, "tools/a.ts", "p") == [["x"]]
    assert not found.by_file


def test_exclude_is_kept() -> None:
    found = projects(
        **{
            "tsconfig.json": {"files": [], "references": [{"path": "./tsconfig.lib.json"}]},
            "tsconfig.lib.json": {"exclude": ["**/*.spec.ts", "test"], **compiler(paths={"p": ["lib"]})},
        }
    )
    assert places(found, "src/a.ts", "p")[0] == ["lib"]
    assert places(found, "src/a.spec.ts", "p") == [[]]
    assert places(found, "test/a.ts", "p") == [[]]


def test_tsconfig_goes_before_jsconfig() -> None:
    found = projects(**{"tsconfig.json": compiler(baseUrl="t"), "jsconfig.json": compiler(baseUrl="j")})
    assert [options.base for options in found.options("a.ts")] == ["t"]
    alone = projects(**{"jsconfig.json": compiler(baseUrl="j")})
    assert [options.base for options in alone.options("a.js")] == ["j"]


def test_cycles_escapes_and_nonsense_give_nothing() -> None:
    found = projects(
        **{
            "a/tsconfig.json": {"extends": "../b/tsconfig.json", **compiler(paths={"p": ["../../../etc", "/etc"]})},
            "b/tsconfig.json": {"extends": ["../a/tsconfig.json", "./tsconfig.json", "../../x", 3]},
            "c/tsconfig.json": compiler(baseUrl=3, paths=[1], rootDirs={"a": 1}),
            "d/tsconfig.json": {"compilerOptions": "x", "references": [1, {"path": 2}, {"path": "../../.."}, {}]},
            "e/tsconfig.json": compiler(paths={"*/*": ["x"], "q": "x", "r": [1, "y*"], "s/*": ["../../*"]}),
        }
    )
    assert places(found, "a/x.ts", "p") == [[]]
    assert places(found, "c/x.ts", "p") == [[]]
    assert places(found, "e/x.ts", "a/b") == [[]]
    assert places(found, "e/x.ts", "r") == [["e/y*"]]
    assert places(found, "e/x.ts", "s/../../x") == [[]]
