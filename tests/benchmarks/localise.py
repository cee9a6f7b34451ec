"""Does the subgraph for a task's text hold the files and functions that its real fix changed?

    python -m tests.benchmarks.localise TASKS.jsonl MIRRORS [--budgets 500,1000] [--repositories NAME…]
                                        [--without SIGNAL…] [--keep DIR]

TASKS.jsonl holds a JSON object a line: `id`, `repo` (owner/name), `base_sha` (the commit before the fix), `lang`,
`query`, `files` (paths that were changed), `symbols` (definitions that were changed: `path`, `qualname`, `start_line`,
`def_line`), `leaky` (whether the text names one of them). MIRRORS holds full-history git directories, as
`owner+name/repo`. Each base commit is laid out with its past alone and mapped; --keep keeps that for the next run. The
answers are counted in o200k_base tokens as they are printed; one above its budget loses the share that it is over.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bpe_openai import get_encoding

from codemap import CodeMap
from indexer.errors import BudgetTooSmallError, NotFoundError
from tests.benchmarks.localise_score import Score, Task, score, table

SIGNALS: dict[str, tuple[tuple[str, str, Any], ...]] = {
    "graph": (("queries.expand", "DECAY", 0.0),),
    "words said often": (("queries.terms", "FIELD_WEIGHTS", {"often": 1.0}),),
    "documentation": (("queries.terms", "FIELD_WEIGHTS", {"doc": 1.0}),),
    "names": (("queries.search", "NAME_SHARE", 0.0), ("queries.terms", "FIELD_WEIGHTS", {"name": 1.0})),
    "exact names": (("queries.locate", "NAMED", 0.0), ("queries.locate", "NAMED_IN_TEXT", 0.0)),
    "other forms of words": (("queries.terms", "VARIANT_WEIGHT", 0.0),),
    "synonyms": (("queries.terms", "SYNONYM_WEIGHT", 0.0),),
    "the file around": (("queries.search", "FILE_SHARE", 0.0), ("queries.search", "CONTAINER_SHARE", 0.0)),
    "how many words": (("queries.search", "COVERAGE", 0.0), ("queries.search", "NAME_COVERAGE", 0.0)),
    "tests apart": (
        ("queries.search", "TEST_FACTOR", 1.0),
        ("queries.expand", "TEST_FACTOR", 1.0),
        ("queries.pool", "TEST_SHARE", 1.0),
    ),
    "room beside tests": (("queries.pool", "TEST_SHARE", 1.0),),
    "company in a file": (("queries.search", "COMPANY", 0.0),),
    "clear matches": (("queries.search", "CLEAR", 0.0),),
    "repetition": (("queries.words", "REPEAT", 0.0),),
    "topics": (("queries.search", "TOPIC", 1.0),),
    "identifiers in one piece": (("queries.terms", "COMPOUND", 0.0),),
    "sayings": (("queries.terms", "SAYING", 0.0),),
    "history": (("queries.search", "HISTORY", 0.0), ("queries.expand", "TOGETHER", 0.0)),
}
"""What can be left out, and the constants that leave it out: module, name, value (of a table, some entries)."""


def main() -> int:
    options = _options()
    rows = [json.loads(line) for line in options.tasks.read_text(encoding="utf-8").splitlines()]
    tasks = [Task.of(row) for row in rows if not options.repositories or row["repo"] in options.repositories]
    for signal in options.without:
        _leave_out(signal)
    encoding = get_encoding("o200k_base")
    budgets = [int(number) for number in options.budgets.split(",")]
    scores: dict[int, list[Score]] = {budget: [] for budget in budgets}
    with tempfile.TemporaryDirectory() as work:
        for task in tasks:
            folder = _laid_out(task, options.mirrors, options.keep or Path(work))
            for budget in budgets:
                nodes, text = _answer(folder, task, budget)
                scores[budget].append(score(task, nodes, len(encoding.encode_ordinary(text)), budget))
    for budget in budgets:
        print("\n".join(table(scores[budget], f"{budget} tokens")))
    return 0 if tasks else 2


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.localise")
    parser.add_argument("tasks", type=Path)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("--budgets", default="500,1000")
    parser.add_argument("--repositories", nargs="*", default=[])
    parser.add_argument("--without", nargs="*", default=[], choices=SIGNALS, metavar="SIGNAL", help=", ".join(SIGNALS))
    parser.add_argument("--keep", type=Path)
    return parser.parse_args()


def _leave_out(signal: str) -> None:
    for module, name, value in SIGNALS[signal]:
        owner = importlib.import_module(module)
        if isinstance(value, dict):
            getattr(owner, name).update(value)
        else:
            setattr(owner, name, value)


def _laid_out(task: Task, mirrors: Path, work: Path) -> Path:
    """The base commit as a repository that knows nothing of what came later, with its map."""
    folder = work / task.id
    if not (folder / ".git").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        _git(folder, "init", "-q", "-b", "main")
        objects = mirrors / task.repository.replace("/", "+") / "repo" / "objects"
        (folder / ".git/objects/info/alternates").write_text(f"{objects.resolve()}\n", encoding="utf-8")
        _git(folder, "update-ref", "refs/heads/main", task.base)
        _git(folder, "read-tree", "HEAD")
        _git(folder, "checkout-index", "-a", "-f")
    CodeMap.index(folder)
    return folder


def _git(folder: Path, *arguments: str) -> None:
    quiet = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, env=quiet, capture_output=True)


def _answer(folder: Path, task: Task, budget: int) -> tuple[list[tuple[str, str, int]], str]:
    """(path, qualified name, first line) of each symbol shown, best first; and the text of the answer."""
    with CodeMap.open(folder, build=False) as code_map:
        try:
            answer = code_map.subgraph(task.query, budget=budget)
        except (NotFoundError, BudgetTooSmallError):
            return [], ""
        return list(_places(answer.nodes)), code_map.render(answer)


def _places(nodes: Any) -> Iterator[tuple[str, str, int]]:
    return ((node.path, node.qualname, node.start_line) for node in nodes)


if __name__ == "__main__":
    sys.exit(main())
