"""link: references → symbols → edges. Reads facts only; never looks at a syntax tree or at the disk."""

from __future__ import annotations

from indexer.link.comparison import Comparison, LinesMoved, changed_bindings
from indexer.link.linker import Linker
from indexer.link.spoken import spoken
from indexer.link.surface import BODY, LINES

__all__ = ["BODY", "LINES", "Comparison", "LinesMoved", "Linker", "changed_bindings", "spoken"]
