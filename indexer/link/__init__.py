"""link: references → symbols → edges. Reads facts only; never looks at a syntax tree or at the disk."""

from __future__ import annotations

from indexer.link.linker import Linker
from indexer.link.surface import BODY, changed_bindings

__all__ = ["BODY", "Linker", "changed_bindings"]
