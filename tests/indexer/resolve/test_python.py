from __future__ import annotations

import pickle
from collections.abc import Callable

from indexer.ports import Resolver, Target
from indexer.resolve import build_resolvers

Build = Callable[..., Resolver]
SHOP = "shop/__init__.py shop/cart.py shop/db/__init__.py shop/db/models.py run.py"


def file(path: str) -> Target:
    return Target("file", path)


def test_absolute_imports_of_modules_packages_and_what_is_elsewhere(python: Build) -> None:
    shop = python(SHOP)
    assert shop.resolve("run.py", "shop", 0) == file("shop/__init__.py")
    assert shop.resolve("run.py", "shop.cart", 0) == file("shop/cart.py")
    assert shop.resolve("shop/cart.py", "shop.db.models", 0) == file("shop/db/models.py")
    assert shop.resolve("shop/cart.py", "yaml.nodes", 0) == Target("external", "yaml")
    assert shop.resolve("run.py", "shop.gone.x", 0) == Target("missing", "no module shop.gone.x in the repository")


def test_absolute_imports_never_look_in_the_importers_package(python: Build) -> None:
    shop = python(SHOP + " shop/requests.py shop/json.py")
    assert shop.resolve("shop/cart.py", "requests", 0) == Target("external", "requests")
    assert shop.resolve("shop/cart.py", "json", 0) == Target("external", "json")


def test_relative_imports(python: Build) -> None:
    shop = python(SHOP)
    assert shop.resolve("shop/db/models.py", "", 1) == file("shop/db/__init__.py")
    assert shop.resolve("shop/db/__init__.py", "models", 1) == file("shop/db/models.py")
    assert shop.resolve("shop/db/models.py", "cart", 2) == file("shop/cart.py")
    assert shop.resolve("shop/db/models.py", "", 3) == Target("folder", "")
    assert shop.resolve("shop/db/models.py", "gone", 1) == Target("missing", "no module .gone in the repository")
    beyond = Target("missing", "relative import beyond the root of the repository")
    assert shop.resolve("shop/db/models.py", "", 4) == beyond


def test_members_of_packages_are_submodules(python: Build) -> None:
    shop = python(SHOP + " plugins/one.py")
    assert shop.member(file("shop/__init__.py"), "db") == file("shop/db/__init__.py")
    assert shop.member(file("shop/__init__.py"), "cart") == file("shop/cart.py")
    assert shop.member(file("shop/__init__.py"), "Cart") is None
    assert shop.member(file("shop/cart.py"), "cart") is None
    assert shop.member(Target("folder", "plugins"), "one") == file("plugins/one.py")
    assert shop.member(Target("external", "os"), "path") is None


def test_a_package_goes_before_a_module_and_source_before_stubs(python: Build) -> None:
    both = python("a.py a/__init__.py b.py b.pyi c.pyi d-stubs/__init__.pyi")
    assert both.resolve("x.py", "a", 0) == file("a/__init__.py")
    assert both.resolve("x.py", "b", 0) == file("b.py")
    assert both.resolve("x.py", "c", 0) == file("c.pyi")
    assert both.resolve("x.py", "d", 0) == Target("external", "d")


def test_namespace_packages_join_over_declared_roots(python: Build) -> None:
    resolver = python(
        "one/src/corp/billing/__init__.py two/src/corp/mail/__init__.py",
        {"one/pyproject.toml": "[project]\nname = 'one'", "two/pyproject.toml": ""},
    )
    importer = "two/src/corp/mail/__init__.py"
    assert resolver.resolve(importer, "corp.billing", 0) == file("one/src/corp/billing/__init__.py")
    assert resolver.resolve(importer, "corp", 0) == Target("folder", "two/src/corp")
    corp = Target("folder", "two/src/corp")
    assert resolver.member(corp, "billing") == file("one/src/corp/billing/__init__.py")
    assert resolver.member(corp, "mail") == file(importer)
    assert resolver.member(corp, "gone") is None


def test_a_namespace_folder_is_no_match_for_a_standard_name(python: Build) -> None:
    resolver = python("platform/build.py app/__init__.py google/cloud/logging/__init__.py google/cloud/logging/h.py")
    assert resolver.resolve("app/__init__.py", "platform", 0) == Target("external", "platform")
    assert resolver.resolve("google/cloud/logging/h.py", "logging", 0) == Target("external", "logging")
    assert resolver.resolve("app/__init__.py", "google.cloud.logging", 0) == file("google/cloud/logging/__init__.py")


def test_a_standard_name_is_the_repositorys_only_where_its_root_is_around(python: Build) -> None:
    resolver = python("Lib/logging/__init__.py Lib/json/__init__.py Lib/os.py tools/a.py")
    assert resolver.resolve("Lib/json/__init__.py", "logging", 0) == file("Lib/logging/__init__.py")
    assert resolver.resolve("tools/a.py", "logging", 0) == Target("external", "logging")


def test_scripts_see_what_lies_beside_them_but_not_themselves(python: Build) -> None:
    resolver = python("scripts/docker.py scripts/helper.py scripts/deep/other.py app/__init__.py")
    assert resolver.resolve("scripts/docker.py", "helper", 0) == file("scripts/helper.py")
    assert resolver.resolve("scripts/docker.py", "docker", 0) == Target("external", "docker")
    assert resolver.resolve("scripts/helper.py", "docker", 0) == file("scripts/docker.py")
    assert resolver.resolve("scripts/deep/other.py", "helper", 0) == Target("external", "helper")
    assert resolver.resolve("app/__init__.py", "helper", 0) == Target("external", "helper")


def test_a_package_may_import_itself(python: Build) -> None:
    assert python(SHOP).resolve("shop/__init__.py", "shop", 0) == file("shop/__init__.py")


def test_test_helpers_are_seen_by_tests_alone(python: Build) -> None:
    resolver = python("tests/conftest.py tests/helper.py tests/unit/test_a.py tests/queries/__init__.py app/main.py")
    assert resolver.resolve("tests/unit/test_a.py", "helper", 0) == file("tests/helper.py")
    assert resolver.resolve("tests/unit/test_a.py", "queries", 0) == file("tests/queries/__init__.py")
    assert resolver.resolve("app/main.py", "helper", 0) == Target("external", "helper")
    assert resolver.resolve("app/main.py", "queries", 0) == Target("external", "queries")


def test_the_nearest_of_several_roots_is_meant_and_a_tie_is_not_broken(python: Build) -> None:
    resolver = python("a/src/util/__init__.py b/src/util/__init__.py a/tests/test_a.py tool/x.py b/src/util/only.py")
    assert resolver.resolve("a/tests/test_a.py", "util", 0) == file("a/src/util/__init__.py")
    tie = "module util is in several places: a/src/util/__init__.py, b/src/util/__init__.py"
    assert resolver.resolve("tool/x.py", "util", 0) == Target("missing", tie)
    assert resolver.resolve("tool/x.py", "util.only", 0) == file("b/src/util/only.py")


def test_the_own_root_wins_and_its_gaps_are_filled_from_others(python: Build) -> None:
    resolver = python("tests/pkg/__init__.py tests/pkg/test_a.py src/pkg/__init__.py src/pkg/core.py")
    assert resolver.resolve("tests/pkg/test_a.py", "pkg", 0) == file("tests/pkg/__init__.py")
    assert resolver.resolve("tests/pkg/test_a.py", "pkg.core", 0) == file("src/pkg/core.py")


def test_names_that_no_import_statement_has(python: Build) -> None:
    resolver = python(SHOP)
    bad = Target("missing", "not a module name")
    for specifier in ("", "a..b", "../shop", "a\0b", "x." * 1000):
        assert resolver.resolve("run.py", specifier, 0) == bad
    assert resolver.member(Target("folder", ""), "../x") is None
    assert resolver.member(Target("folder", ""), "") is None


def test_unusual_paths(python: Build) -> None:
    resolver = python(
        ["日本/__init__.py", "日本/東京.py", "with space/mod.py", "new\nline/mod.py", "__init__.py", "top.py"]
    )
    assert resolver.resolve("top.py", "日本.東京", 0) == file("日本/東京.py")
    assert resolver.resolve("with space/mod.py", "mod2", 0) == Target("external", "mod2")
    assert resolver.resolve("new\nline/x.py", "mod", 0) == file("new\nline/mod.py")
    assert resolver.resolve("日本/東京.py", "top", 0) == file("top.py")


def test_answers_do_not_depend_on_the_order_of_files_and_survive_pickling() -> None:
    paths = [*SHOP.split(), "a/src/util/__init__.py", "b/src/util/__init__.py", "b/t.py"]
    questions = [("run.py", "shop.cart", 0), ("b/t.py", "util", 0), ("run.py", "util", 0), ("shop/cart.py", "", 1)]
    one = build_resolvers(dict.fromkeys(paths, "python"), lambda path: None)["python"]
    two = build_resolvers(dict.fromkeys(reversed(paths), "python"), lambda path: None)["python"]
    answers = [one.resolve(*question) for question in questions]
    assert answers == [two.resolve(*question) for question in questions]
    assert answers == [pickle.loads(pickle.dumps(one)).resolve(*question) for question in questions]
