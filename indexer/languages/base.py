"""What a language is to the rest of codemap: a few attributes and one pure method."""

from __future__ import annotations

from typing import ClassVar

from indexer.model import FileFacts


class Language:
    """A language. Subclasses set the attributes; `extract` is the only code they must have."""

    name: ClassVar[str]
    family: ClassVar[str]  # names resolve only within a family: "python", "javascript"
    extensions: ClassVar[tuple[str, ...]]
    fingerprint: ClassVar[str]  # changes whenever the same bytes could give other facts

    class_scope_visible: ClassVar[bool] = False
    """Whether code in a function sees the names of the class around it."""

    receiver: ClassVar[str] = "first"
    """"first": the first parameter of a method is the object; "this": the name `this` is."""

    constructor: ClassVar[str] = "__init__"
    """The method that runs when a class is called or constructed."""

    object_members: ClassVar[frozenset[str]] = frozenset()
    """Members that every object has; references to them are external."""

    builtins: ClassVar[frozenset[str]] = frozenset()
    """Names that are there without being bound; references to them are external."""

    definition_lines: ClassVar[bytes] = b""
    """A regular expression for a line that begins a definition: the history stage reads old versions of files by it.
    The first group is the indentation, the last that matches the name. Empty: changes are known by file alone."""

    def extract(self, text: bytes) -> FileFacts:
        """Facts of one file from its normalised text (see `indexer.model`); `documents` and `notes` are left empty.

        Never raises for bad source: broken ranges go to `error_lines`, and what stands outside them is extracted.
        """
        raise NotImplementedError
