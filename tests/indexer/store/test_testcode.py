"""Test code by path."""

from __future__ import annotations

import pytest

from indexer.store.testcode import is_test


@pytest.mark.parametrize(
    "path",
    [
        "tests/helpers.py",
        "app/tests/anything.py",
        "app/test_views.py",
        "app/views_test.py",
        "app/views_tests.py",
        "app/tests.py",
        "conftest.py",
        "src/button.test.ts",
        "src/button.spec.js",
        "src/button.test.mjs",
        "src/__tests__/button.tsx",
        "test/integration/server.js",
        "e2e/login.ts",
    ],
)
def test_usual_places_and_names(path: str) -> None:
    assert is_test(path)


@pytest.mark.parametrize(
    "path",
    [
        "django/test/client.py",
        "app/testing.py",
        "latest.py",
        "app/contest.py",
        "src/spec.ts",
        "src/testutil.ts",
        "test.js",
    ],
)
def test_libraries_for_testing_and_lookalikes_are_not_test_code(path: str) -> None:
    assert not is_test(path)
