"""The resolve stage: import specifiers → files or external packages.

Reads the file table and the project's own configuration, never syntax trees, and runs nothing of the repository.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from indexer.ports import Resolver
from indexer.resolve.javascript import JavaScriptResolver
from indexer.resolve.python import PythonResolver
from indexer.resolve.python_projects import PROJECT_NAMES, TEST_CONFIGURATION_NAMES
from indexer.resolve.tsconfig import NAMES as TSCONFIG_NAMES
from indexer.resolve.workspaces import LERNA_NAME, PACKAGE_NAME, PNPM_NAME

CONFIGURATION_NAMES: frozenset[str] = frozenset(
    {*PROJECT_NAMES, *TEST_CONFIGURATION_NAMES, *TSCONFIG_NAMES, PACKAGE_NAME, PNPM_NAME, LERNA_NAME}
)
"""File names whose content can change answers; `is_configuration` knows further ones."""

_TSCONFIG_WORDS = ("tsconfig", "jsconfig", "typescript-config", "ts-config")


def is_configuration(path: str) -> bool:
    """Whether a change of the file at `path` can change what imports lead to.

    Beside the fixed names: any JSON file whose path speaks of tsconfig, since `extends` may lead to it.
    """
    if path.rpartition("/")[2] in CONFIGURATION_NAMES:
        return True
    return path.endswith(".json") and any(word in path.lower() for word in _TSCONFIG_WORDS)


def build_resolvers(
    files: Mapping[str, str], read: Callable[[str], bytes | None], configs: Sequence[str] = ()
) -> dict[str, Resolver]:
    """A resolver per language family: "python" and "javascript".

    `files`: path → language of every mapped file; `configs`: paths of the files for which `is_configuration` holds;
    `read`: bytes of one of them, None if it is gone. Nothing else is read, and bad configuration is ignored.
    """
    wanted = sorted(path for path in configs if is_configuration(path))
    return {
        "python": PythonResolver(files, wanted, read),
        "javascript": JavaScriptResolver(files, wanted, read),
    }
