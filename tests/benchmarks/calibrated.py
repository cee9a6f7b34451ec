"""Calibrated estimates against exact counts: `python -m tests.benchmarks.calibrated DIR…`.

Calibrates on each repository with three public tokenizers in a chat template, then asks 200 questions of other words
and compares each answer's estimate with the count of its text, and its budget with the count of the whole message.
Exit code 1 when fewer than 95 % of the answers are within 5 %, or one is beyond its budget. Needs `bpe-openai`.
"""

from __future__ import annotations

import importlib
import random
import re
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple

from codemap import CodeMap
from codemap.tokens.calibrate import calibrate
from codemap.tokens.ratios import Calibration
from codemap.tokens.ratios_budget import kinds_of
from codemap.tokens.samples import draw
from indexer.errors import NotFoundError

ENCODINGS = ("o200k_base", "cl100k_base", "voyage3_base")
ANSWERS = 200
NEAR, SHARE = 0.05, 0.95
BUDGETS = (500, 1000, 2000, 4000)
FORMS: tuple[Literal["text", "json"], ...] = ("text", "json")
TEMPLATE = (
    "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n"
    "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n"
)


class Asked(NamedTuple):
    """One answer: its form, its budget, the estimate, and what the tokenizer counts for its text and the message."""

    form: str
    bodies: bool
    budget: int
    estimate: int
    counted: int
    message: int

    @property
    def error(self) -> float:
        """How far the estimate is from the count, as a share of it; positive: estimated too much."""
        return self.estimate / self.counted - 1


def main(folders: list[Path]) -> int:
    if find_spec("bpe_openai") is None:
        print("the package bpe-openai is not installed: nothing to compare with", file=sys.stderr)
        return 2
    bindings = importlib.import_module("bpe_openai._bindings")
    print(
        "| repository | tokenizer | within ±5 % | furthest | mean | beyond the budget | fullest |\n" + "|---" * 7 + "|"
    )
    good = True
    for folder in folders:
        with CodeMap.open(folder) as code_map:
            for encoding in ENCODINGS:
                count = bindings.tokenizer_for_encoding(encoding).count
                found = list(held_out(code_map, count))
                print(f"| {folder.name} | {encoding} | {summary(found)} |", flush=True)
                good = good and _near(found) >= SHARE and not any(each.message > each.budget for each in found)
    return 0 if good else 1


def held_out(code_map: CodeMap, count: Callable[[str], int]) -> Iterator[Asked]:
    """Calibrate, then 200 answers of both forms, with and without source, none of which was calibrated on."""
    overhead = count(TEMPLATE.format(""))
    samples = draw(code_map)
    found = calibrate("measured", samples, lambda text: count(TEMPLATE.format(text)))
    code_map.ratios.put(found)
    seen = "".join(each.large for each in samples.values())
    made = 0
    for index, words in enumerate(questions(code_map)):
        form, bodies, budget = FORMS[index % 2], index // 2 % 2 == 1, BUDGETS[index // 4 % 4]
        try:
            answer = code_map.subgraph(words, budget=budget, form=form, include_bodies=bodies, model="measured")
        except NotFoundError:
            continue
        text = code_map.render(answer, form)
        if text in seen:
            continue
        estimate = _estimate(found, text, form, bodies=bodies)
        message = count(TEMPLATE.format(text))
        yield Asked(form, bodies, budget, estimate, message - overhead, message)
        made += 1
        if made == ANSWERS:
            return


def questions(code_map: CodeMap) -> list[str]:
    """Words from the names and documentation of symbols taken at random."""
    symbols = [node for node in code_map.symbols() if node.kind in ("function", "method", "class")]
    chosen = random.Random(20).sample(symbols, min(2 * ANSWERS, len(symbols)))
    return [
        node.doc if node.doc and index % 2 else " ".join(re.findall(r"[a-z]+", node.qualname.lower()))
        for index, node in enumerate(chosen)
    ]


def summary(found: list[Asked]) -> str:
    """The figures of a table's row."""
    errors = [each.error for each in found]
    furthest = max(errors, key=abs)
    beyond = sum(each.message > each.budget for each in found)
    fullest = max(each.message / each.budget for each in found)
    mean = sum(errors) / len(errors)
    return f"{_near(found):.1%} | {furthest:+.1%} | {mean:+.1%} | {beyond} | {fullest:.1%}"


def _near(found: list[Asked]) -> float:
    return sum(abs(each.error) <= NEAR for each in found) / len(found)


def _estimate(found: Calibration, text: str, form: str, *, bodies: bool) -> int:
    return found.counter(*kinds_of(form, include_bodies=bodies))(text)


if __name__ == "__main__":
    sys.exit(main([Path(name) for name in sys.argv[1:]]))
