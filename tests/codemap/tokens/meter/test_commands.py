"""`meter` and `budget` from the command line."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
Validate = Callable[[str, object], None]

CODEX = "0199a213-81c0-7800-8aa1-bbab2a035a53"


def test_record_from_a_file_and_from_standard_input(run: Run, samples: Path, validate: Validate) -> None:
    file = samples / "anthropic_message.json"
    first = run("meter", "record", str(file), "--task", "t", "--caller", "me", "--json")
    assert first.returncode == 0, first.stderr
    answer = json.loads(first.stdout)
    validate("meter-record", answer)
    assert (answer["new"], answer["input"], answer["cached"], answer["cache_write"]) == (True, 2095, 1800, 200)
    assert (answer["output"], answer["reasoning"], answer["task"], answer["caller"]) == (503, None, "t", "me")
    again = run("meter", "record", text=file.read_text(encoding="utf-8"))
    assert again.stdout == (
        "known already, nothing was added: msg_01XFDUDYJgAACzvnptvVoYEL of claude-sonnet-4-5-20250929: "
        "input 2,095, output 503, cached 1,800, cache write 200, reasoning ? (reported)\n"
    )
    stream = run("meter", "record", "-", "--json", text=(samples / "openai_chat.sse").read_text(encoding="utf-8"))
    assert json.loads(stream.stdout)["output"] == 10


def test_record_without_a_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is piped in: a terminal, a stream that was closed, a process that has none."""
    from codemap.cli import main

    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    closed = io.TextIOWrapper(io.BytesIO())
    closed.close()
    for stream in (Terminal(io.BytesIO(b"typed")), closed, None):
        monkeypatch.setattr(sys, "stdin", stream)
        assert main(["meter", "record"]) == 2
        assert capsys.readouterr() == ("", "codemap: give a file, or pipe a provider's response in\n")


def test_what_bears_no_id_is_said(run: Run) -> None:
    usage = '{"usage":{"input_tokens":1,"output_tokens":2}}'
    found = run("meter", "record", "--json", "--estimated", "--model", "m", text=usage)
    assert "counts again" in found.stderr
    assert (json.loads(found.stdout)["basis"], json.loads(found.stdout)["model"]) == ("estimated", "m")
    assert run("meter", "record", "--request-id", "r", text=usage).stderr == ""


def test_import_of_both_agents(run: Run, samples: Path, validate: Validate, monkeypatch: pytest.MonkeyPatch) -> None:
    from codemap.tokens.meter import ledger

    monkeypatch.setattr(ledger, "oldest_day", lambda now=None: "2026-01-01")
    command = ("meter", "import", "--codex", str(samples / "codex_rollout.jsonl"), "--session", CODEX, "--json")
    answer = json.loads(run(*command).stdout)
    validate("meter-import", answer)
    assert (answer["new"], answer["known"], answer["incomplete"]) == (3, 0, ["1 event bore no figures"])
    assert json.loads(run(*command).stdout)["known"] == 3
    found = run("meter", "import", "--claude", str(samples / "claude_session.jsonl"))
    assert found.stdout.startswith(
        "2 calls of session 3f1c2a6e-5a0e-4d3f-9a53-0c3f6b0f7a11 recorded, 0 known already\n"
    )
    assert "incomplete: 1 answer have no end" in found.stdout
    rows = json.loads(run("meter", "report", "--by", "caller", "--json").stdout)["rows"]
    assert {row["key"]: (row["calls"], row["input"], row["output"]) for row in rows} == {
        "codex": (3, 20_000, 1000),
        "claude-code": (2, 26_008, 127),
    }


def test_import_of_a_session_that_is_too_old(run: Run, tmp_path: Path, samples: Path) -> None:
    text = (samples / "claude_session.jsonl").read_text(encoding="utf-8").replace("2026-", "2001-")
    (tmp_path / "old.jsonl").write_text(text, encoding="utf-8")
    found = run("meter", "import", "--claude", str(tmp_path / "old.jsonl"))
    assert found.stdout.startswith("0 calls")
    assert "incomplete: 2 calls older than the 90 days that are kept left out" in found.stdout


def test_report_in_every_form(run: Run, samples: Path, tmp_path: Path, validate: Validate) -> None:
    run("meter", "record", str(samples / "gemini_content.json"), "--task", "t")
    assert run("meter", "report").stdout.splitlines()[1].split() == [
        "t",
        "1",
        "1,030",
        "140",
        "900",
        "?",
        "100",
        "0.00",
    ]
    validate("meter-report", json.loads(run("meter", "report", "--by", "day", "--json").stdout))
    assert (
        run("meter", "report", "--csv", "--by", "model")
        .stdout.splitlines()[1]
        .startswith("gemini-2.5-flash,1,0,0,1030,140,")
    )
    drawn = run("meter", "report", "--plot", str(tmp_path / "plot.svg"))
    assert drawn.returncode == 0
    assert (tmp_path / "plot.svg").read_text(encoding="utf-8").startswith("<svg ")


def test_budgets(run: Run, samples: Path, validate: Validate) -> None:
    answer = json.loads(run("budget", "set", "t", "2500", "--output", "600", "--json").stdout)
    validate("budget", answer)
    run("meter", "record", str(samples / "anthropic_message.json"), "--task", "t")
    shown = run("budget", "show").stdout.splitlines()
    assert shown[1].split() == "t warn 2,095 of 2,500 405 503 of 600 97 0 + 0".split()
    assert shown[2] == "t: pause until a person has looked"
    answer = json.loads(run("budget", "raise", "t", "97500", "--output", "0", "--json").stdout)
    validate("budget", answer)
    assert answer["tasks"][0]["limit"] == {"input": 100_000, "output": 600}
    assert answer["tasks"][0]["left"] == {"input": 97_905, "output": 97}
    assert run("budget", "show", "t", "--json").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("meter", "record", "nothing.json"), 1, "nothing.json: No such file"),
        (("meter", "record"), 2, "this is no response"),
        (("meter", "import"), 2, "name one file"),
        (("meter", "import", "--codex", "x"), 2, "--session ID"),
        (("meter", "import", "--claude", "x"), 1, "x: No such file"),
        (("meter", "report", "--by", "color"), 2, "not by color"),
        (("meter", "report", "--since", "soon"), 2, "2025-01-31"),
        (("meter", "report", "--csv", "--json"), 2, "choose one"),
        (("budget", "show", "t"), 3, "t has no budget"),
        (("budget", "raise", "t", "5"), 3, "t has no budget"),
        (("budget", "set", " ", "5"), 2, "a task has a name"),
        (("budget", "set", "t", "-5"), 2, ""),
    ],
)
def test_an_error_is_one_line(run: Run, arguments: tuple[str, ...], code: int, said: str) -> None:
    found = run(*arguments)
    assert found.returncode == code
    assert found.stderr.startswith("codemap: ")
    assert said in found.stderr
    assert found.stderr.count("\n") == 1
    assert found.stdout == ""


def test_answers_are_metered_on_request(
    run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch, validate: Validate
) -> None:
    from queries.tokens import of_answers

    run("-C", str(shop), "callers", "login")
    assert run("meter", "report", "--map").stdout.startswith("no answers of the map")
    monkeypatch.setenv("CODEMAP_METER", "1")
    monkeypatch.setenv("CODEMAP_TASK", "t")
    said = {
        "callers": run("-C", str(shop), "callers", "rotate_token").stdout,
        "subgraph": run("-C", str(shop), "subgraph", "login").stdout,
        "symbol": run("-C", str(shop), "symbol", "login", "--json").stdout,
        "definition": run("-C", str(shop), "definition", "shop/auth.py:6:4").stdout,
        "dependencies": run("-C", str(shop), "dependencies", "shop/auth.py").stdout,
        "path": run("-C", str(shop), "path", "login", "rotate_token").stdout,
    }
    answer = json.loads(run("meter", "report", "--map", "--by", "command", "--json").stdout)
    validate("meter-map", answer)
    rows = {row["key"]: row for row in answer["rows"]}
    assert rows.keys() == said.keys()
    for command, text in said.items():
        assert rows[command]["answer_tokens"] == of_answers().count(text)
    auth = of_answers().count((shop / "shop/auth.py").read_text(encoding="utf-8"))
    assert (rows["callers"]["files"], rows["callers"]["file_tokens"]) == (1, auth)
    assert rows["callers"]["saved"] == auth - of_answers().count(said["callers"])


def test_an_answer_does_not_depend_on_the_ledger(
    run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CODEMAP_METER", "1")
    monkeypatch.setenv("CODEMAP_LEDGER", str(tmp_path / "file" / "ledger.db"))
    found = run("-C", str(shop), "symbol", "login")
    assert found.returncode == 0
    assert "login" in found.stdout
    assert found.stderr.startswith("codemap: this answer was not metered: ")
