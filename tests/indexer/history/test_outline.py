"""Lines → definitions, by indentation; line numbers are counted by hand."""

from __future__ import annotations

import re

import pytest

from indexer.history.outline import Outline
from indexer.languages import by_name

PYTHON = b'''import os
TOP = 1

class Session:
    """A session."""

    timeout = 5

    @property
    def age(self):
        if self.old:

            return 1
        def inner():
            return 2
        return inner

    async def flush(
        self,
        force,
    ):
        # note
        write()

def login(user):
    return user

LAST = [
    1,
]
'''

SCRIPT = b"""import { x } from './x'
export class Store
  extends Base
{
  #count = 0
  get size(): number {
    return this.#count
  }
  save(item, { deep }) {
    if (item) {
      this.put(item)
    }
  }
}
export const create = (options) => {
  return new Store(options)
}
export default function main() {
  create({
    done: () => 1,
  })
}
const LIMIT = 3
"""


def names(text: bytes, language: str, first: int, count: int = 1) -> set[str]:
    return Outline(text, re.compile(by_name(language).definition_lines)).names(first, count)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (2, set()),  # TOP
        (4, {"Session"}),
        (7, {"Session"}),  # a class attribute
        (9, {"Session.age"}),  # a decorator belongs to what follows
        (13, {"Session.age"}),  # in a block
        (15, {"Session.age.inner"}),
        (16, {"Session.age"}),  # after the inner function
        (20, {"Session.flush"}),  # a parameter
        (23, {"Session.flush"}),  # beyond a bracket that closes at the indentation of the definition
        (25, {"login"}),
        (29, set()),  # in a list beneath the last function
        (8, set()),  # blank
        (99, set()),  # beyond the end
    ],
)
def test_python(line: int, expected: set[str]) -> None:
    assert names(PYTHON, "python", line) == expected


def test_a_range_names_what_it_begins_and_what_its_ends_are_in() -> None:
    assert names(PYTHON, "python", 13, 11) == {"Session.age", "Session.age.inner", "Session.flush"}
    assert names(PYTHON, "python", 5, 0) == set()


def test_every_definition() -> None:
    outline = Outline(PYTHON, re.compile(by_name("python").definition_lines))
    assert outline.every() == {"Session", "Session.age", "Session.age.inner", "Session.flush", "login"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (1, set()),
        (5, {"Store"}),
        (7, {"Store.size"}),
        (9, {"Store.save"}),
        (11, {"Store.save"}),  # `if (item) {` is no method
        (16, {"create"}),
        (20, {"main.done"}),
        (23, set()),
    ],
)
def test_typescript(line: int, expected: set[str]) -> None:
    assert names(SCRIPT, "typescript", line) == expected


def test_minified_text_and_one_long_line_take_no_time() -> None:
    assert names(b"a(" * 200_000 + b"){\n  x\n}\n", "javascript", 2) == set()
    assert names(b"", "python", 1) == set()
