"""The pipeline: joins the stages, and is the only part of the indexer that knows them all."""

from __future__ import annotations

from indexer.pipeline.reading import open_linker
from indexer.pipeline.report import Progress, Report
from indexer.pipeline.update import WAIT_SECONDS, update
from indexer.pipeline.verify import Verification, verify

__all__ = ["WAIT_SECONDS", "Progress", "Report", "Verification", "open_linker", "update", "verify"]
