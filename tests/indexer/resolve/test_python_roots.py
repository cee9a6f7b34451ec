from __future__ import annotations

from indexer.resolve.python_roots import find_roots


def test_folders_around_top_level_packages_are_roots() -> None:
    roots = find_roots(["src/pkg/__init__.py", "src/pkg/sub/__init__.py", "tools/run.py"], [], lambda path: None)
    assert roots.inferred == {"src"}
    assert roots.packages == {"src/pkg", "src/pkg/sub"}
    assert roots.folders == {"", "src", "src/pkg", "src/pkg/sub", "tools"}
    assert roots.tops == {"pkg": ["src"], "run": ["tools"]}
    assert roots.spaces == {"src": [""], "tools": [""]}


def test_a_declared_root_may_have_an_init_and_custom_ones_may_not() -> None:
    files = ["lib/__init__.py", "lib/pkg/__init__.py", "src/__init__.py"]
    configs = {"pyproject.toml": b'[tool.pdm.build]\npackage-dir = "lib"'}
    roots = find_roots(files, list(configs), configs.get)
    assert roots.declared == {"": "", "lib": ""}
    assert roots.packages == {"lib/pkg", "src"}
    assert roots.bearers("", "pkg", standard=False) == [["lib"]]


def test_roots_inside_a_package_are_for_what_lies_in_them() -> None:
    files = ["pkg/__init__.py", "pkg/apps/one/__init__.py", "pkg/apps/two.py", "other/x.py"]
    roots = find_roots(files, [], lambda path: None)
    assert roots.bearers("pkg/apps/one", "two", standard=False) == [["pkg/apps"]]
    assert roots.bearers("pkg", "one", standard=False) == []
    assert roots.bearers("other", "one", standard=False) == []


def test_a_project_among_the_examples_is_not_seen_from_outside() -> None:
    files = ["examples/shop/src/shop/__init__.py", "examples/shop/tests/t.py", "app/__init__.py"]
    configs = {"examples/shop/pyproject.toml": b""}
    roots = find_roots(files, list(configs), configs.get)
    assert roots.bearers("examples/shop/tests", "shop", standard=False) == [["examples/shop/src"]]
    assert roots.bearers("app", "shop", standard=False) == []
    assert roots.shared() == [""]


def test_tests_of_another_project_are_not_meant() -> None:
    files = ["a/tests/__init__.py", "a/tests/help.py", "b/src/b/__init__.py", "c/tests/x.py"]
    configs = {"a/setup.cfg": b"", "b/setup.cfg": b"", "c/setup.cfg": b""}
    roots = find_roots(files, list(configs), configs.get)
    assert roots.bearers("b/src/b", "tests", standard=False) == []
    assert roots.bearers("a/x", "tests", standard=False) == [["a"]]
    assert roots.namespaces("b/src/b", "tests") == []
    assert roots.namespaces("c/tests", "tests") == ["c"]
