"""`codemap estimate` as it is typed: numbers, exit codes, and what is on which stream."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codemap.tokens.calibrate import calibrate
from codemap.tokens.ratios import KINDS, Ratios
from codemap.tokens.samples import Samples

Run = Callable[..., subprocess.CompletedProcess[str]]
Validate = Callable[[str, object], None]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path.resolve()
    (folder / "hello.txt").write_bytes(b"Hello world!")
    (folder / "thirteen.txt").write_bytes(b"x" * 13)
    (folder / "a-secret-name-of-ours").write_bytes(b"words nobody should see")
    return folder


@pytest.fixture
def ask(run: Run, root: Path, validate: Validate) -> Callable[..., tuple[int, dict[str, Any]]]:
    """Exit code and report of `codemap estimate --json`."""

    def asked(*arguments: str, text: str = "") -> tuple[int, dict[str, Any]]:
        done = run("estimate", "--json", *arguments, cwd=root, text=text)
        assert done.stdout.count("\n") == 1
        report = json.loads(done.stdout)
        validate("estimate", report)
        assert bool(done.stderr) == bool(done.returncode)
        return done.returncode, report

    return asked


def test_thirteen_units_are_four_tokens_and_nothing_is_none(ask: Any) -> None:
    code, report = ask("--file", "thirteen.txt")
    assert (code, report["input"]["estimatedTokensPerCall"]) == (0, 4)
    code, report = ask("--stdin")
    assert (code, report["input"]["estimatedTokensPerCall"]) == (0, 0)


@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base"])
def test_hello_world_in_an_exact_encoding(ask: Any, encoding: str) -> None:
    pytest.importorskip("bpe_openai", reason="the extra `exact` is not installed")
    _, report = ask("--file", "hello.txt", "--encoding", encoding)
    assert report["input"] == {"count": 1, "bytes": 12, "units": 12, "estimatedTokensPerCall": 3}
    assert report["estimator"]["method"] == encoding
    assert report["estimator"]["versions"].keys() == {"codemap", "bpe-openai"}


def test_ordinals_follow_the_options(ask: Any) -> None:
    _, report = ask("--file", "hello.txt", "--stdin", "--file=thirteen.txt", text="y" * 40)
    assert [(row["ordinal"], row["source"], row["estimatedTokens"]) for row in report["contributors"]] == [
        (2, "stdin", 10),
        (3, "file", 4),
        (1, "file", 3),
    ]
    _, report = ask("--file", "--stdin", text="y")
    assert report["errorCode"] == "not_found"  # a file of that name


def test_a_scenario(ask: Any) -> None:
    _, report = ask("--file", "thirteen.txt", "--calls", "1000000", "--output-budget", "1000000000")
    assert report["scenario"] == {
        "inputEstimatedTokens": 4_000_000,
        "outputAllocatedTokens": 10**15,
        "totalAllocatedTokens": 10**15 + 4_000_000,
        "money": None,
    }
    _, report = ask("--file", "thirteen.txt", "--calls", "7")
    assert set(report["scenario"].values()) == {None}


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--file", "hello.txt", "--calls", "0"),
        ("--file", "hello.txt", "--calls", "1000001"),
        ("--file", "hello.txt", "--calls", "+1"),
        ("--file", "hello.txt", "--calls", "1_000"),
        ("--file", "hello.txt", "--calls", " 1"),
        ("--file", "hello.txt", "--calls", "１"),
        ("--file", "hello.txt", "--calls", "1.0"),
        ("--file", "hello.txt", "--calls", ""),
        ("--file", "hello.txt", "--calls", "9" * 5000),
        ("--file", "hello.txt", "--output-budget", "-1"),
        ("--file", "hello.txt", "--output-budget", "1000000001"),
        ("--file", "hello.txt", "--limit", "65"),
        ("--file", "hello.txt", "--encoding", "gpt2"),
        ("--file", "hello.txt", "--encoding", "heuristic", "--model", "m"),
        ("--file", "hello.txt", "--kind", "map"),
        ("--file", "hello.txt", "--model", "m", "--kind", "prose"),
        ("--file", "hello.txt", "--unknown"),
        ("hello.txt",),
        ("--file",),
        tuple(word for i in range(65) for word in ("--file", f"f{i}")),
    ],
    ids=lambda arguments: " ".join(arguments)[:60] or "nothing",
)
def test_a_wrong_call_ends_in_4(ask: Any, arguments: tuple[str, ...]) -> None:
    code, report = ask(*arguments)
    assert (code, report["status"], report["errorCode"]) == (4, "invalid", "usage")


def test_what_is_refused_ends_in_5(ask: Any) -> None:
    code, report = ask("--file", "hello.txt", "--file", "../x")
    assert (code, report["status"]) == (5, "incomplete")
    assert (report["errorCode"], report["errorInputOrdinal"]) == ("outside_root", 2)
    code, report = ask("--file", "hello.txt", "--root", "nothing")
    assert (code, report["errorCode"], report["errorInputOrdinal"]) == (5, "root_not_found", None)


def test_a_terminal_is_not_redirected(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from codemap.cli import main

    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", Terminal(io.BytesIO(b"typed")))
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["-C", str(root), "estimate", "--json", "--stdin"]) == 5
    stream.seek(0)
    assert json.load(stream)["errorCode"] == "stdin_not_redirected"


def test_missing_data_of_an_encoding_is_said_and_nothing_stands_in(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bpe_openai", None)
    code, report = ask("--file", "hello.txt", "--encoding", "o200k_base")
    assert (code, report["errorCode"], report["input"]) == (5, "encoding_unavailable", None)


def test_too_many_tokens_for_an_exact_encoding(ask: Any, root: Path) -> None:
    pytest.importorskip("bpe_openai", reason="the extra `exact` is not installed")
    (root / "control").write_bytes(b"\x01" * 200_001)
    code, report = ask("--file", "hello.txt", "--file", "control", "--encoding", "cl100k_base")
    assert (code, report["errorCode"], report["errorInputOrdinal"]) == (5, "tokenization_limit", 2)


def test_a_calibrated_model(ask: Any, root: Path) -> None:
    texts = Samples("x" * 240, "x" * 24_000, "x" * 12_000)
    samples = dict.fromkeys(KINDS, texts)
    Ratios(str(root / ".codemap")).put(calibrate("some/model", samples, lambda text: 11 + len(text) // 4))
    code, report = ask("--file", "thirteen.txt", "--model", "some/model")
    assert (code, report["input"]["estimatedTokensPerCall"]) == (0, 4)
    assert report["estimator"]["model"] == "some/model"
    assert report["estimator"]["charactersPerToken"] == 4.0
    code, report = ask("--file", "thirteen.txt", "--model", "another")
    assert (code, report["errorCode"]) == (5, "model_not_calibrated")


def test_the_environment_and_the_configuration_name_a_model(
    ask: Any, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def model(*more: str) -> tuple[int, str | None]:
        code, report = ask("--file", "thirteen.txt", *more)
        return code, report["estimator"] and report["estimator"]["model"]

    texts = Samples("x" * 240, "x" * 24_000, "x" * 12_000)
    for name in ("one", "two"):
        found = calibrate(name, dict.fromkeys(KINDS, texts), lambda text: 11 + len(text) // 4)
        Ratios(str(root / ".codemap")).put(found)
    (root / "codemap.toml").write_text('model = "one"\n')
    assert model() == (0, "one")
    assert model("--kind", "map") == (0, "one")
    assert model("--model", "two") == (0, "two")
    assert model("--model", "") == (0, None)
    assert model("--encoding", "heuristic") == (0, None)
    monkeypatch.setenv("CODEMAP_MODEL", "two")
    assert model() == (0, "two")
    monkeypatch.setenv("CODEMAP_MODEL", "")
    assert model() == (0, None)
    monkeypatch.delenv("CODEMAP_MODEL")
    (root / "codemap.toml").write_text("modell = 1\n")
    code, report = ask("--file", "thirteen.txt")
    assert (code, report["errorCode"]) == (4, "usage")


@pytest.mark.parametrize("damage", ["", "{", '{"schema": "codemap/ratios/9", "models": {}}', "a folder"])
def test_ratios_that_cannot_be_read_know_no_model(ask: Any, root: Path, damage: str) -> None:
    file = root / ".codemap" / "ratios.json"
    file.parent.mkdir()
    if damage == "a folder":
        file.mkdir()
    else:
        file.write_text(damage)
    code, report = ask("--file", "thirteen.txt", "--model", "some/model")
    assert (code, report["status"], report["errorCode"]) == (5, "incomplete", "model_not_calibrated")
    assert (report["input"], report["contributors"]) == (None, [])


def test_neither_content_nor_name_nor_hash_is_shown(run: Run, root: Path) -> None:
    name = "a-secret-name-of-ours"
    for more in ((), ("--json",), ("--file", "../" + name)):
        done = run("estimate", "--file", name, *more, cwd=root)
        assert name not in done.stdout + done.stderr
        assert "nobody" not in done.stdout + done.stderr


def test_nothing_is_written_and_nothing_discovered(run: Run, root: Path) -> None:
    before = sorted(path.name for path in root.iterdir())
    run("estimate", "--file", "hello.txt", cwd=root)
    run("estimate", "--file", "hello.txt", "--model", "m", cwd=root)
    assert sorted(path.name for path in root.iterdir()) == before


def test_text_and_its_error_are_for_people(run: Run, root: Path) -> None:
    done = run("estimate", "--file", "thirteen.txt", cwd=root)
    assert done.stdout.startswith("4 tokens a call (utf16-ceil-div4@1): 1 input, 13 B\n")
    done = run("estimate", "--file", ".env", cwd=root)
    assert (done.returncode, done.stdout) == (5, "")
    assert done.stderr == "codemap: input 1 was refused: secret_name (files of that name commonly hold secrets)\n"
