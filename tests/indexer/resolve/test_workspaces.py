from __future__ import annotations

import json
from typing import Any

import pytest

from indexer.resolve.workspaces import Workspaces, pnpm_globs

MEMBERS = {"packages/a": "a", "packages/deep/b": "b", "apps/c": "c", "elsewhere/d": "d"}


def workspaces(root: dict[str, str], **more: dict[str, Any]) -> Workspaces:
    configs = {f"{folder}/package.json": json.dumps({"name": name, **more.get(name, {})}).encode()
               for folder, name in MEMBERS.items()}  # fmt: skip
    configs |= {path: text.encode() for path, text in root.items()}
    return Workspaces(list(configs), configs.get)


@pytest.mark.parametrize(
    ("root", "members"),
    [
        ({"package.json": '{"workspaces": ["packages/*"]}'}, "a"),
        ({"package.json": '{"workspaces": {"packages": ["packages/**", "./apps/c/"]}}'}, "abc"),
        ({"package.json": '{"workspaces": ["packages/**", "!packages/deep/*"]}'}, "a"),
        ({"package.json": '{"workspaces": ["{packages,apps}/*"]}'}, "ac"),
        ({"pnpm-workspace.yaml": "packages:\n  - 'packages/**'\n"}, "ab"),
        ({"lerna.json": '{"packages": ["apps/*"]}'}, "c"),
        ({"package.json": "{}"}, ""),
    ],
)
def test_members(root: dict[str, str], members: str) -> None:
    found = workspaces(root)
    assert [name for name in "abcd" if found.member(name, "packages/x") is not None] == list(members)


def test_a_package_knows_itself_and_what_it_links() -> None:
    found = workspaces({}, d={"dependencies": {"c": "link:../../apps/c", "a": "^1"}})
    folders = {name: package.folder for name in "abcd" if (package := found.member(name, "elsewhere/d/src"))}
    assert folders == {"c": "apps/c", "d": "elsewhere/d"}


def test_a_project_apart_has_its_packages_from_elsewhere() -> None:
    found = workspaces({"package.json": '{"workspaces": ["packages/*"]}'}, d={"dependencies": {"a": "^1"}})
    assert found.member("a", "elsewhere/d") is None
    assert found.member("a", "packages/a/src") is not None
    assert found.depends("a", "elsewhere/d/src")
    assert not found.depends("b", "elsewhere/d/src")


def test_the_inner_workspace_is_meant() -> None:
    paths = {"package.json": '{"workspaces": ["x"]}', "x/package.json": '{"name": "n"}',
             "in/package.json": '{"workspaces": ["y"]}', "in/y/package.json": '{"name": "n"}'}  # fmt: skip
    found = Workspaces(list(paths), lambda path: paths[path].encode())
    inner, outer = found.member("n", "in/src"), found.member("n", "src")
    assert inner is not None
    assert outer is not None
    assert (inner.folder, outer.folder) == ("in/y", "x")


def test_the_list_of_packages_in_yaml() -> None:
    text = """# packages:
catalog:
  - no
packages:
  # all of them
  - packages/*   # comment
  - 'with # sign'
  - "quoted/**"

  -   "!**/test/**"
other:
  - no
"""
    assert pnpm_globs(text) == ["packages/*", "with # sign", "quoted/**", "!**/test/**"]
    assert pnpm_globs("packages: ['a/*', \"b\"]") == ["a/*", "b"]
    assert pnpm_globs("packages:\n- a\n- b\nx: 1\n- c") == ["a", "b"]
    assert pnpm_globs("packages: {a: b}\n\0") == []
