from __future__ import annotations

from indexer.resolve.standard import STANDARD_NAMES


def test_names_of_every_version_are_there() -> None:
    assert {"os", "typing", "tomllib", "distutils", "asyncore", "cgi", "compression", "__future__"} <= STANDARD_NAMES
    assert not {"", "yaml", "parser", "formatter", "attr"} & STANDARD_NAMES
