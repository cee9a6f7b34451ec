"""The JavaScript extractor; TypeScript builds on it."""

from indexer.languages.javascript.language import JavaScript

__all__ = ["JavaScript"]
