"""Figures of a running server in Prometheus' text format (version 0.0.4)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Row = tuple[str, dict[str, str], float]


class Metrics:
    """Requests by route and status, and how long they took."""

    def __init__(self) -> None:
        self.under_way = 0
        self._requests: Counter[tuple[str, int]] = Counter()
        self._times: defaultdict[str, list[int]] = defaultdict(lambda: [0] * (len(BOUNDS) + 1))
        self._sums: defaultdict[str, float] = defaultdict(float)

    def count(self, route: str, status: int, seconds: float) -> None:
        """A request is over."""
        self._requests[route, status] += 1
        self._times[route][bisect_left(BOUNDS, seconds)] += 1
        self._sums[route] += seconds

    def text(self, more: Iterable[tuple[str, str, str, Iterable[Row]]] = ()) -> str:
        """All of it. `more`: further families as (name, kind, meaning, rows)."""
        requests = (
            ("codemap_requests_total", {"route": route, "status": str(status)}, float(number))
            for (route, status), number in sorted(self._requests.items())
        )
        families = (
            ("codemap_requests_total", "counter", "Requests that are over.", requests),
            ("codemap_request_seconds", "histogram", "How long they took.", self._histogram()),
            (
                "codemap_requests_under_way",
                "gauge",
                "Requests now.",
                [("codemap_requests_under_way", {}, self.under_way)],
            ),
            *more,
        )
        out: list[str] = []
        for name, kind, meaning, rows in families:
            out += [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]
            out += [f"{row}{_labels(labels)} {value:.10g}" for row, labels, value in rows]
        return "\n".join(out) + "\n"

    def _histogram(self) -> Iterator[Row]:
        for route, counts in sorted(self._times.items()):
            total = 0
            for bound, number in zip((*map(str, BOUNDS), "+Inf"), counts, strict=True):
                total += number
                yield "codemap_request_seconds_bucket", {"route": route, "le": bound}, total
            yield "codemap_request_seconds_sum", {"route": route}, self._sums[route]
            yield "codemap_request_seconds_count", {"route": route}, total


def _labels(labels: dict[str, str]) -> str:
    if not labels:
        return ""
    escaped = {
        name: value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") for name, value in labels.items()
    }
    return "{" + ",".join(f'{name}="{value}"' for name, value in escaped.items()) + "}"
