"""Git hooks that keep the map up to date: writing them, and what they start.

A hook is a few lines of shell (`script`) in the folder git reads hooks from (`folder`). They start `__main__` in the
background and are done; it waits its turn (`runner`), updates the map, and keeps a record (`record`) of what it did.
"""

from __future__ import annotations
