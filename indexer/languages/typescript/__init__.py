"""The TypeScript extractor: JavaScript's, with types and the declarations that go with them."""

from indexer.languages.typescript.language import Tsx, TypeScript

__all__ = ["Tsx", "TypeScript"]
