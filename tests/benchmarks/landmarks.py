"""What an answer must show for a known task on Django: `python -m tests.benchmarks.landmarks DIR`."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.measure import codemap

WORDS = "session login timeout"
BUDGET = 4000
BASE = "django/contrib/sessions/backends/base.py"
LANDMARKS = (
    ("django/contrib/auth/__init__.py", "login"),
    ("django/contrib/sessions/middleware.py", "SessionMiddleware"),
    (BASE, "SessionBase.get_expiry_age"),
    (BASE, "SessionBase.get_expiry_date"),
    (BASE, "SessionBase.set_expiry"),
    (BASE, "SessionBase.get_expire_at_browser_close"),
)


def missing(root: Path) -> list[str]:
    """The landmarks that are not shown within the budget."""
    with tempfile.TemporaryDirectory() as folder:
        shown = Path(folder) / "shown.jsonl"
        codemap(root, "subgraph", WORDS, "--budget", str(BUDGET), "--shown", str(shown))
        rows = [json.loads(line) for line in shown.read_text(encoding="utf-8").splitlines()]
    names = {(row["path"], row["qualname"]) for row in rows}
    return [f"{path}:{name}" for path, name in LANDMARKS if (path, name) not in names]


def summary(lost: list[str]) -> str:
    absent = f"; not shown: {', '.join(lost)}" if lost else ""
    return f"subgraph {WORDS!r}: {len(LANDMARKS) - len(lost)} of {len(LANDMARKS)} landmarks in {BUDGET} tokens{absent}"


def main(root: Path) -> int:
    lost = missing(root)
    print(summary(lost))
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
