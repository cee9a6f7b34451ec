"""The default token measure against real tokenizers: `python -m tests.benchmarks.tokens DIR WORDS…`.

Prints, for the answer to the words as text and as JSON, the answer's own estimate over the exact count: 1.10 means that
the estimate is ten percent too high, below 1 that an answer could exceed its budget. Needs the package `bpe-openai`,
which nothing else does.
"""

from __future__ import annotations

import importlib
import json
import sys
from importlib.util import find_spec
from pathlib import Path

from queries.tokens import of_answers
from tests.benchmarks.measure import codemap

ENCODINGS = ("o200k_base", "cl100k_base")
BUDGETS = (1000, 4000, 16000)
FORMS = {"text": (), "JSON": ("--json",), "text with bodies": ("--include-bodies",)}


def main(root: Path, words: list[str]) -> int:
    if find_spec("bpe_openai") is None:
        print("the package bpe-openai is not installed: nothing to compare with", file=sys.stderr)
        return 2
    module = importlib.import_module("bpe_openai")
    encodings = {name: module.get_encoding(name) for name in ENCODINGS}
    print(f"| form | budget | estimate | {' | '.join(ENCODINGS)} |\n|---|---|---|{'---|' * len(ENCODINGS)}")
    for form, options in FORMS.items():
        for budget in BUDGETS:
            asked = ("subgraph", *words, "--budget", str(budget), *options)
            text = codemap(root, *asked).output
            estimate = _estimate(text) if form == "JSON" else _estimate_of_text(text)
            counts = (len(encoding.encode_ordinary(text)) for encoding in encodings.values())
            print(f"| {form} | {budget} | {estimate} | {' | '.join(f'{estimate / n:.2f}' for n in counts)} |")
    return 0


def _estimate(text: str) -> int:
    value: int = json.loads(text)["tokens"]["estimate"]
    return value


def _estimate_of_text(text: str) -> int:
    """As the default measure counts it, and as the answer's last lines say."""
    return of_answers().count(text)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
