"""codemap: the part of a repository that matters for a task, within a token budget.

>>> from codemap import CodeMap
>>> with CodeMap.open(".") as map:  # doctest: +SKIP
...     print(map.subgraph("login timeout", budget=2000).nodes[0].qualname)

Names are loaded when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from codemap.api import CodeMap as CodeMap
    from codemap.config.values import Config as Config
    from codemap.tokens.meter.meter import Meter as Meter
    from codemap.tokens.meter.values import BudgetStopError as BudgetStopError
    from codemap.tokens.meter.values import Usage as Usage
    from codemap.tokens.meter.values import Verdict as Verdict
    from indexer.errors import AmbiguousError as AmbiguousError
    from indexer.errors import BudgetTooSmallError as BudgetTooSmallError
    from indexer.errors import BusyError as BusyError
    from indexer.errors import CodemapError as CodemapError
    from indexer.errors import ConfigError as ConfigError
    from indexer.errors import NotFoundError as NotFoundError
    from indexer.errors import RepairedError as RepairedError
    from indexer.errors import RepositoryError as RepositoryError
    from indexer.errors import StaleMapError as StaleMapError
    from indexer.errors import StoreError as StoreError
    from indexer.errors import UsageError as UsageError
    from indexer.errors import VerificationError as VerificationError
    from indexer.pipeline.report import Report as Report
    from indexer.pipeline.verification import Verification as Verification
    from queries.answers import Around as Around
    from queries.answers import Edge as Edge
    from queries.answers import FileCard as FileCard
    from queries.answers import Node as Node
    from queries.answers import Omitted as Omitted
    from queries.answers import Passage as Passage
    from queries.answers import Staleness as Staleness
    from queries.answers import Subgraph as Subgraph
    from queries.answers import Tokens as Tokens
    from queries.effects import Context as Context
    from queries.effects import Effect as Effect
    from queries.effects import EffectsOmitted as EffectsOmitted
    from queries.effects import Gone as Gone
    from queries.effects import Impact as Impact
    from queries.effects import Mention as Mention
    from queries.effects import TestFile as TestFile
    from queries.relations import Defined as Defined
    from queries.relations import FileEdge as FileEdge
    from queries.relations import FileRelations as FileRelations
    from queries.relations import Relations as Relations
    from queries.relations import Route as Route
    from queries.status import References as References
    from queries.status import Status as Status
    from queries.tokens import Measure as Measure

_HOMES = {
    "codemap.api": ("CodeMap",),
    "codemap.config.values": ("Config",),
    "codemap.tokens.meter.meter": ("Meter",),
    "codemap.tokens.meter.values": ("BudgetStopError", "Usage", "Verdict"),
    "indexer.errors": (
        "AmbiguousError",
        "BudgetTooSmallError",
        "BusyError",
        "CodemapError",
        "ConfigError",
        "NotFoundError",
        "RepairedError",
        "RepositoryError",
        "StaleMapError",
        "StoreError",
        "UsageError",
        "VerificationError",
    ),
    "indexer.pipeline.report": ("Report",),
    "indexer.pipeline.verification": ("Verification",),
    "queries.answers": (
        "Around",
        "Edge",
        "FileCard",
        "Node",
        "Omitted",
        "Passage",
        "Staleness",
        "Subgraph",
        "Tokens",
    ),
    "queries.effects": ("Context", "Effect", "EffectsOmitted", "Gone", "Impact", "Mention", "TestFile"),
    "queries.relations": ("Defined", "FileEdge", "FileRelations", "Relations", "Route"),
    "queries.status": ("References", "Status"),
    "queries.tokens": ("Measure",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> object:
    try:
        module = _HOME[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    value: object = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
