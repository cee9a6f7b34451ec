"""What a repository says of how it wants to be asked: `codemap.toml`, or `[tool.codemap]` in `pyproject.toml`."""

from codemap.config.read import load
from codemap.config.values import Config, OnStale

__all__ = ["Config", "OnStale", "load"]
