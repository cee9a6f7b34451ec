"""Session logs of coding agents: samples worked out by hand."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codemap.tokens.meter import sessions
from codemap.tokens.meter.values import Usage
from indexer.errors import AmbiguousError, NotFoundError, UsageError

CODEX = "0199a213-81c0-7800-8aa1-bbab2a035a53"
CLAUDE = "3f1c2a6e-5a0e-4d3f-9a53-0c3f6b0f7a11"
AT = 1_772_359_200.0  # 2026-03-01T10:00:00Z

Change = Callable[[list[dict[str, Any]]], None]


def _changed(samples: Path, tmp_path: Path, name: str, change: Change) -> Path:
    rows = [json.loads(line) for line in (samples / name).read_text(encoding="utf-8").splitlines()]
    change(rows)
    path = tmp_path / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_rollout_of_codex(samples: Path) -> None:
    found = sessions.codex(samples / "codex_rollout.jsonl", CODEX)
    assert found.calls == (
        (Usage(5000, 200, 3000, None, 64, "openai", "gpt-5-codex", f"codex:{CODEX}:5"), AT + 6),
        (Usage(6500, 250, 5000, None, 32, "openai", "gpt-5-codex", f"codex:{CODEX}:7"), AT + 60),
        (Usage(8500, 550, 6000, None, 204, "openai", "gpt-5", f"codex:{CODEX}:9"), AT + 150),
    )
    assert found.notes == ("1 event bore no figures",)


def test_totals_alone_give_the_differences(samples: Path, tmp_path: Path) -> None:
    def change(rows: list[dict[str, Any]]) -> None:
        for row in rows:
            if row["payload"].get("info"):
                row["payload"]["info"]["last_token_usage"] = {}

    found = sessions.codex(_changed(samples, tmp_path, "codex_rollout.jsonl", change), CODEX)
    assert [(usage.input, usage.output) for usage, _ in found.calls] == [(5000, 200), (6500, 250), (8500, 550)]


def test_a_total_that_its_events_do_not_reach_is_said(samples: Path, tmp_path: Path) -> None:
    def change(rows: list[dict[str, Any]]) -> None:
        del rows[6]

    found = sessions.codex(_changed(samples, tmp_path, "codex_rollout.jsonl", change), CODEX)
    assert "the session's own total of input is 20,000, its events add up to 13,500" in found.notes


def test_a_rollout_without_model_or_time_says_so(samples: Path, tmp_path: Path) -> None:
    def change(rows: list[dict[str, Any]]) -> None:
        del rows[2]
        rows[3].pop("timestamp")

    found = sessions.codex(_changed(samples, tmp_path, "codex_rollout.jsonl", change), CODEX)
    assert "1 event bore no time and were left out" in found.notes
    assert "1 event do not name their model" in found.notes
    assert found.calls[0][0].model is None


def test_a_forked_session_says_so(samples: Path, tmp_path: Path) -> None:
    def change(rows: list[dict[str, Any]]) -> None:
        rows[0]["payload"]["forked_from_id"] = "x"

    found = sessions.codex(_changed(samples, tmp_path, "codex_rollout.jsonl", change), CODEX)
    assert any("forked" in note for note in found.notes)


def test_only_the_session_that_was_named(samples: Path) -> None:
    with pytest.raises(NotFoundError) as error:
        sessions.codex(samples / "codex_rollout.jsonl", "other")
    assert error.value.suggestions == (CODEX,)
    with pytest.raises(NotFoundError):
        sessions.claude(samples / "claude_session.jsonl", "other")


def test_a_session_of_claude_code(samples: Path) -> None:
    found = sessions.claude(samples / "claude_session.jsonl", None)
    model = "claude-sonnet-4-5-20250929"
    # 4 fresh + 1,000 written + 12,000 read; the 3 output tokens of the first state are within the 120 of the last.
    assert found.session == CLAUDE
    assert found.calls == (
        (Usage(13_004, 120, 12_000, 1000, None, "anthropic", model, "msg_01AAAAAAAAAAAAAAAAAAAAAA"), AT + 3),
        (
            Usage(13_004, 7, 12_000, 1000, None, "anthropic", model, "msg_01BBBBBBBBBBBBBBBBBBBBBB", "reported", "cut"),
            AT + 9,
        ),
    )
    assert found.notes[0] == "1 answer have no end in the file: their output may be more than it says"


def test_several_sessions_in_a_file_must_be_chosen_from(samples: Path, tmp_path: Path) -> None:
    def change(rows: list[dict[str, Any]]) -> None:
        rows[4]["sessionId"] = "second"

    path = _changed(samples, tmp_path, "claude_session.jsonl", change)
    with pytest.raises(AmbiguousError) as error:
        sessions.claude(path, None)
    assert error.value.choices == (CLAUDE, "second")
    assert [usage.output for usage, _ in sessions.claude(path, "second").calls] == [7]


@pytest.mark.parametrize("name", ["codex_rollout.jsonl", "claude_session.jsonl"])
def test_broken_and_cut_lines_are_said(samples: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes((samples / name).read_bytes() + b'{"broken\n[1]\n\n\xff\xfe\n{"type":"event_msg","payl')
    found = sessions.codex(path, CODEX) if "codex" in name else sessions.claude(path, None)
    assert found.notes[0] == "3 lines could not be read"
    assert found.notes[1].startswith("the last line is cut off")
    assert len(found.calls) == (3 if "codex" in name else 2)


def test_other_files_are_refused(tmp_path: Path, samples: Path) -> None:
    (tmp_path / "x").write_text('{"type":"user"}\n')
    with pytest.raises(UsageError, match="no rollout of Codex"):
        sessions.codex(tmp_path / "x", "s")
    with pytest.raises(UsageError, match="no session of Claude Code"):
        sessions.claude(tmp_path / "x", None)
    with pytest.raises(UsageError, match="no rollout"):
        sessions.codex(samples / "claude_session.jsonl", CLAUDE)
    with pytest.raises(OSError, match="No such file"):
        sessions.codex(tmp_path / "nothing", "s")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs")
def test_a_fifo_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log.jsonl")
    with pytest.raises(UsageError, match="no regular file"):
        sessions.codex(tmp_path / "log.jsonl", CODEX)
