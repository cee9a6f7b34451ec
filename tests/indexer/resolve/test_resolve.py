"""What the package itself offers."""

from __future__ import annotations

import pytest

from indexer.resolve import CONFIGURATION_NAMES, build_resolvers, is_configuration


@pytest.mark.parametrize(
    "path",
    [
        *sorted(CONFIGURATION_NAMES),
        "a/pyproject.toml",
        "web/tsconfig.app.json",
        "packages/typescript-config/base.json",
        "base.tsconfig.json",
    ],
)
def test_configuration_is_known_by_its_path(path: str) -> None:
    assert is_configuration(path)


@pytest.mark.parametrize("path", ["data.json", "a/settings.py", "tsconfig.ts", "pyproject.toml.bak", ""])
def test_other_files_are_not_configuration(path: str) -> None:
    assert not is_configuration(path)


def test_only_configuration_is_read() -> None:
    asked = []

    def read(path: str) -> bytes | None:
        asked.append(path)
        return b'{"extends": "./other.json"}'

    configs = ["data.json", "tsconfig.json", "setup.cfg"]
    assert set(build_resolvers({"a.py": "python", "a.ts": "typescript"}, read, configs)) == {"python", "javascript"}
    assert set(asked) == {"tsconfig.json", "setup.cfg"}


def test_files_of_one_family_are_nothing_to_the_other() -> None:
    resolvers = build_resolvers({"a.py": "python", "b.ts": "typescript"}, lambda path: None)
    assert resolvers["python"].resolve("x.py", "b", 0).kind == "external"
    assert resolvers["javascript"].resolve("x.ts", "./a", 0).kind == "missing"
