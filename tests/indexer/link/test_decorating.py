"""Decorators that can be used with and without arguments."""

from __future__ import annotations

import pytest

from tests.indexer.link.trees import one

WITH_A_LAMBDA = """
    def deco(f=None, *, n=1):
        if f is None:
            return lambda g: deco(g, n=n)
        def wrapper(*args): return f(*args)
        return wrapper
"""
WITH_A_FUNCTION = """
    def deco(f=None, *, n=1):
        def inner(g):
            def wrapper(*args): return g(*args)
            return wrapper
        if f is None:
            return inner
        return inner(f)
"""


@pytest.mark.parametrize(
    ("text", "decorator", "wrapper"),
    [
        (WITH_A_LAMBDA, "deco.<lambda1>", "deco.wrapper"),
        (WITH_A_FUNCTION, "deco.inner", "deco.inner.wrapper"),
    ],
)
@pytest.mark.parametrize("arguments", ["()", "(n=2)"])
def test_a_decorator_with_arguments_or_without_runs_no_wrapper_when_it_is_applied(
    text: str, decorator: str, wrapper: str, arguments: str
) -> None:
    t = one(f"{text}\n    @deco\n    def one(): pass\n    @deco{arguments}\n    def two(): pass\n"
            "    def use():\n        one()\n        two()\n")  # fmt: skip
    assert t.callers(wrapper) == {"use"}
    assert "<module>" in t.callers(decorator)
    assert t.callers("two") == t.callers("one") == {wrapper}
