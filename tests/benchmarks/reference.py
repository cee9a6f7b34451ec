"""The yardstick, `python -m tests.benchmarks.reference GRAMMAR EXTENSION DIR`: bare tree-sitter on one core.

Files are read beforehand; one pass warms up, the next is timed; nothing is done with the trees. Prints one JSON object.
"""

from __future__ import annotations

import gc
import importlib
import json
import sys
import time
from pathlib import Path

from tree_sitter import Language, Parser


def main(grammar: str, extension: str, root: Path) -> None:
    module = importlib.import_module(grammar)
    factory = getattr(module, "language", None) or module.language_typescript
    parser = Parser(Language(factory()))
    paths = sorted(p for p in root.rglob(f"*{extension}") if p.is_file() and ".git" not in p.parts)
    sources = [path.read_bytes() for path in paths]
    gc.disable()
    seconds = 0.0
    for _ in range(2):
        started = time.perf_counter()
        for source in sources:
            parser.parse(source)
        seconds = time.perf_counter() - started
    print(json.dumps({"seconds": seconds, "files": len(sources), "bytes": sum(map(len, sources))}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
