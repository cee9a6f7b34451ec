"""What the package offers, lazily."""

from __future__ import annotations

import subprocess
import sys

import pytest

from codemap import tokens


@pytest.mark.parametrize("name", tokens.__all__)
def test_every_export_is_there(name: str) -> None:
    assert getattr(tokens, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = tokens.nothing_like_it


def test_importing_the_package_imports_none_of_its_parts() -> None:
    code = "import sys, codemap.tokens; print([m for m in sys.modules if m.startswith(('codemap.tokens.', 'indexer'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
