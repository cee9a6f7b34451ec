"""The command `codemap`: a thin layer over `codemap.api`.

`main` is the outermost boundary. Whatever happens below it ends in one line on standard error, an exit code from
`indexer.errors`, and no traceback; CODEMAP_DEBUG=1 shows the traceback of an internal error.
"""

from __future__ import annotations

from codemap.cli.boundary import main

__all__ = ["main"]
