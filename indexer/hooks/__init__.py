"""Git hooks that keep the map up to date: writing them, and what they start.

A hook is a few lines of shell (`script`) in the folder git reads hooks from (`folder`). They start `codemap.follow`
and are done; it waits its turn (`runner`), updates the map, and notes (`record`) how that went.
"""

from __future__ import annotations
