"""What the package offers, lazily."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

import codemap
from indexer.errors import CodemapError


@pytest.mark.parametrize("name", codemap.__all__)
def test_every_export_is_there(name: str) -> None:
    assert getattr(codemap, name) is not None
    assert name in dir(codemap)


def test_exports_are_the_things_themselves() -> None:
    for module, names in codemap._HOMES.items():
        for name in names:
            assert getattr(codemap, name) is getattr(import_module(module), name)


def test_every_error_is_exported() -> None:
    errors = import_module("indexer.errors")
    public = {
        name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, CodemapError)
    }
    assert public <= set(codemap.__all__)


def test_every_answer_is_exported() -> None:
    for module in ("queries.answers", "queries.effects"):
        answers = import_module(module)
        public = {name for name, value in vars(answers).items() if getattr(value, "__module__", "") == module}
        assert public <= set(codemap.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = codemap.nothing_like_it


def test_importing_the_package_imports_none_of_its_parts() -> None:
    code = "import sys, codemap; print([m for m in sys.modules if m.startswith(('codemap.', 'indexer', 'queries'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
