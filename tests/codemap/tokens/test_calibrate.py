"""Ratios from counters that are known, and from a server that counts as providers do."""

from __future__ import annotations

import json
import random
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from codemap import CodeMap
from codemap.tokens.calibrate import CalibrationError, calibrate
from codemap.tokens.calibrate_http import Endpoint
from codemap.tokens.pieces import CHARACTERS
from codemap.tokens.ratios import KINDS, Calibration
from codemap.tokens.ratios_budget import kinds_of
from codemap.tokens.samples import Samples, draw
from indexer.errors import NotFoundError
from queries.pieces import grouped, single

ANSWERS = 200
TEMPLATE = (
    "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n"
    "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n"
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, project_root: Path) -> Iterator[CodeMap]:
    """A map of this project's packages."""
    folder = tmp_path_factory.mktemp("whole") / "project"
    for name in ("codemap", "queries"):
        shutil.copytree(project_root / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    with CodeMap.open(folder) as code_map:
        yield code_map


@contextmanager
def server(count: Callable[[str], int]) -> Iterator[str]:
    """An endpoint that counts a message in its chat template; gives its base address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            assert self.path == "/v1/chat/completions"
            assert body["max_tokens"] == 1
            usage = {"prompt_tokens": count(TEMPLATE.format(body["messages"][0]["content"])), "completion_tokens": 1}
            answer = json.dumps({"choices": [], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield "http://" + f"127.0.0.1:{listening.server_port}/v1"
        finally:
            listening.shutdown()
            thread.join()


def test_an_overhead_of_11_and_a_ratio_of_4_give_exactly_that(project: CodeMap) -> None:
    found = calibrate("four", draw(project), lambda text: 11 + -(-len(text.encode("utf-16-le")) // 8))
    assert {kind: ratio.characters_per_token for kind, ratio in found.ratios.items()} == dict.fromkeys(KINDS, 4.0)
    assert found.overhead == 11
    assert found.estimator == CHARACTERS
    assert {ratio.error for ratio in found.ratios.values()} == {0.0}


def test_what_is_kept_with_a_ratio() -> None:
    texts = Samples("a" * 240, "b" * 2_400, "c" * 1_200)
    found = calibrate(
        "m",
        dict.fromkeys(KINDS, texts),
        lambda text: 5 + len(text) // 3,
        commit="c" * 40,
        endpoint="https://example.org/v1",
        now=datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC),
    )
    assert (found.calibrated_at, found.commit, found.endpoint) == (
        "2025-01-02T03:04:05Z",
        "c" * 40,
        "https://example.org/v1",
    )
    rows = found.ratios["map"].samples
    assert [(row.role, row.characters, row.tokens) for row in rows] == [
        ("small", 240, 85),
        ("large", 2400, 805),
        ("check", 1200, 405),
    ]
    assert rows[2].digest == sha256(b"c" * 1_200).hexdigest()


def test_a_prediction_that_fails_widens_the_margin() -> None:
    """10 characters a token in the first two, 8 in the third: predicted a fifth too little, kept back twice that."""
    texts = Samples("a" * 240, "a" * 2_400, "b" * 1_200)
    found = calibrate("m", dict.fromkeys(KINDS, texts), lambda text: len(text) // (10 if "a" in text else 8))
    assert found.estimator != CHARACTERS
    assert found.ratios["json"].error == pytest.approx(-0.2, abs=0.02)
    assert found.ratios["json"].margin == pytest.approx(-2 * found.ratios["json"].error, abs=1e-4)


@pytest.mark.parametrize(("figure", "name"), [(grouped, "pieces-grouped@1"), (single, "pieces-single@1")])
def test_the_family_of_a_tokenizer_is_measured(project: CodeMap, figure: Callable[[str], float], name: str) -> None:
    """A tokenizer of 0.9 units a token, by either figure, is found out, and its overhead with it."""
    found = calibrate("m", draw(project), lambda text: 20 + round(figure(text) / 0.9))
    assert found.estimator == name
    assert {round(ratio.weight_per_token, 2) for ratio in found.ratios.values()} == {0.9}
    assert max(abs(ratio.error) for ratio in found.ratios.values()) < 0.001
    assert found.overhead in (20, 21)


@pytest.mark.parametrize("count", [lambda text: 7, lambda text: 10_000 - len(text)])
def test_counts_that_do_not_grow_with_the_text_give_no_ratio(count: Callable[[str], int]) -> None:
    texts = Samples("a" * 240, "b" * 2_400, "c" * 1_200)
    with pytest.raises(CalibrationError, match="do not grow with the text"):
        calibrate("m", dict.fromkeys(KINDS, texts), count)


def test_counts_of_something_else_give_no_ratio() -> None:
    texts = Samples("a" * 240, "b" * 2_400, "c" * 1_200)
    with pytest.raises(CalibrationError, match="cannot be"):
        calibrate("m", dict.fromkeys(KINDS, texts), lambda text: len(text) * 100)


def _questions(code_map: CodeMap) -> list[str]:
    """Words from the names and documentation of symbols taken at random."""
    symbols = [node for node in code_map.symbols() if node.kind in ("function", "method", "class")]
    chosen = random.Random(20).sample(symbols, 2 * ANSWERS)
    return [
        node.doc if node.doc and index % 2 else " ".join(re.findall(r"[a-z]+", node.qualname.lower()))
        for index, node in enumerate(chosen)
    ]


def test_held_out_answers_are_estimated_well_and_exceed_no_budget(project: CodeMap) -> None:
    """200 answers, of both forms, with and without source, within budgets of 500 to 4,000 tokens."""
    bindings = pytest.importorskip("bpe_openai._bindings", reason="the extra `exact` is not installed")
    counter = bindings.tokenizer_for_encoding("o200k_base")
    with server(counter.count) as url:
        endpoint = Endpoint(url)
        samples = draw(project)
        found = calibrate("chat", samples, lambda text: endpoint.count("chat", text), endpoint=url)
        project.ratios.put(found)
        errors, exceeded = _asked(project, found, endpoint, "".join(each.large for each in samples.values()))
    assert len(errors) == ANSWERS
    assert exceeded == []
    assert sum(abs(error) <= 0.05 for error in errors) >= 0.95 * ANSWERS
    assert found.overhead >= counter.count(TEMPLATE.format("")) - 3


def _asked(code_map: CodeMap, found: Calibration, endpoint: Endpoint, seen: str) -> tuple[list[float], list[str]]:
    """How far each estimate is from the text's share of the server's count, and the answers beyond their budget."""
    overhead = endpoint.count("chat", "")
    errors: list[float] = []
    exceeded: list[str] = []
    for index, words in enumerate(_questions(code_map)):
        form: str = ("text", "json")[index % 2]
        bodies = index // 2 % 2 == 1
        budget = (500, 1000, 2000, 4000)[index // 4 % 4]
        try:
            answer = code_map.subgraph(words, budget=budget, form=form, include_bodies=bodies, model="chat")  # type: ignore[arg-type]
        except NotFoundError:
            continue
        text = code_map.render(answer, form)  # type: ignore[arg-type]
        assert text not in seen
        assert answer.tokens.estimate == found.counter(*kinds_of(form, include_bodies=bodies))(text)
        counted = endpoint.count("chat", text)
        errors.append(answer.tokens.estimate / (counted - overhead) - 1)
        if counted > budget:
            exceeded.append(f"{words}: {counted} of {budget}")
        if len(errors) == ANSWERS:
            break
    return errors, exceeded
