"""`python -m codemap`."""

from __future__ import annotations

from codemap.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
