"""The maker of small trees, as a fixture."""

from __future__ import annotations

import pytest

from tests.indexer.link.trees import MakeTree, Tree


@pytest.fixture
def tree() -> MakeTree:
    return Tree
