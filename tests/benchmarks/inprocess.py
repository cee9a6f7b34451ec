"""The median time of one query in an open process, in seconds: `python -m tests.benchmarks.inprocess DIR WORDS…`."""

from __future__ import annotations

import statistics
import sys
import time

from codemap import CodeMap

REPEATS = 50


def main(root: str, text: str) -> None:
    code_map = CodeMap.open(root)
    code_map.subgraph(text)
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        code_map.subgraph(text)
        times.append(time.perf_counter() - started)
    print(statistics.median(times))


if __name__ == "__main__":
    main(sys.argv[1], " ".join(sys.argv[2:]))
