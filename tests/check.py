"""Every check of the project, in one command: `python -m tests.check [pytest arguments]`.

Each step runs in the interpreter this was started with; all run, so that one look shows everything that is wrong.
Exit code 0 when all passed, else 1. The tests run last, so their closing line is near the end of the output.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("lint", ("-m", "ruff", "check", "--quiet", ".")),
    ("format", ("-m", "ruff", "format", "--quiet", "--check", ".")),
    ("types", ("-m", "mypy")),
    ("layers", ("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()")),
    ("tests", ("-m", "pytest")),
)


def main(arguments: list[str]) -> int:
    """Run every step; `arguments` go to pytest."""
    failed = []
    for name, command in STEPS:
        extra = tuple(arguments) if name == "tests" else ()
        print(f"== {name}", flush=True)
        started = time.perf_counter()
        code = subprocess.run((sys.executable, *command, *extra), cwd=ROOT, stdin=subprocess.DEVNULL, check=False)
        verdict = "ok" if code.returncode == 0 else f"failed (exit code {code.returncode})"
        print(f"-- {name}: {verdict}, {time.perf_counter() - started:.1f} s", flush=True)
        if code.returncode:
            failed.append(name)
    print(f"checks failed: {', '.join(failed)}" if failed else "all checks passed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
