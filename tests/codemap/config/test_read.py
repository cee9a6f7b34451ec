"""Where settings come from, and what is said of mistakes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from codemap.config import Config, load
from indexer.errors import ConfigError


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert load(tmp_path) == Config()
    found = load(tmp_path)
    assert (found.budget, found.hops, found.model, found.max_age, found.on_stale) == (4000, 2, None, 3600, None)
    assert (found.submodules, found.history, found.source, found.notes) == (None, 5000, None, ())


ALL = 'budget = 900\nhops = 0\nmodel = "m"\nmax-age = "15m"\non-stale = "refuse"\nsubmodules = true\nhistory = 0\n'


@pytest.mark.parametrize(
    ("name", "head"), [("codemap.toml", ""), ("pyproject.toml", "[project]\nname = 'x'\n[tool.codemap]\n")]
)
def test_every_key_is_read_from_either_file(tmp_path: Path, name: str, head: str) -> None:
    (tmp_path / name).write_text(head + ALL)
    assert load(tmp_path) == Config(900, 0, "m", 900, "refuse", True, 0, source=name)


@pytest.mark.parametrize(
    "text", ["[tool]\ncodemap.budget = 7", "tool.codemap = {budget = 7}", '["tool"."codemap"]\nbudget=7']
)
def test_a_table_counts_however_it_is_written(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert load(tmp_path).budget == 7


def test_where_both_are_there_one_counts_and_a_note_says_so(tmp_path: Path) -> None:
    (tmp_path / "codemap.toml").write_text("budget = 1")
    (tmp_path / "pyproject.toml").write_text("[tool.codemap]\nbudget = 2\nhops = 1")
    found = load(tmp_path)
    assert (found.budget, found.hops, found.source) == (1, 2, "codemap.toml")
    (note,) = found.notes
    assert "codemap.toml" in note
    assert "pyproject.toml" in note


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("bugdet = 3", "there is no key tool.codemap.bugdet; the nearest is budget"),
        ("max_age = '1h'", "there is no key tool.codemap.max_age; the nearest is max-age"),
        ("Hops = 1", "there is no key tool.codemap.Hops; the nearest is hops"),
        ("zzz = 1", "there is no key tool.codemap.zzz; the nearest is "),
        ("budget = '3'", 'tool.codemap.budget has to be a whole number from 1 to 10000000, not "3"'),
        ("budget = 3.0", "tool.codemap.budget has to be a whole number from 1 to 10000000, not 3.0"),
        ("budget = true", "tool.codemap.budget has to be a whole number from 1 to 10000000, not true"),
        ("budget = 0", "tool.codemap.budget has to be"),
        ("budget = 0x" + "f" * 9000, "not so large a number"),
        ("hops = 11", "tool.codemap.hops has to be a whole number from 0 to 10, not 11"),
        ("max-age = 60", "tool.codemap.max-age has to be a length of time in quotes: "),
        ("max-age = '1 hour'", '1h or 2d, not "1 hour"'),
        ("on-stale = 'ignore'", 'tool.codemap.on-stale has to be one of "refresh", "warn", "refuse", not "ignore"'),
        ("on-stale = ['warn']", "not a list"),
        ("submodules = 'yes'", 'tool.codemap.submodules has to be true or false, not "yes"'),
        ("history = -1", "tool.codemap.history has to be"),
        ("model = ''", "tool.codemap.model has to be the name of a model"),
        ('model = "a\\u001b[31m"', "tool.codemap.model has to be the name of a model"),
        ("[tool.codemap.budget]", "not a table"),
    ],
)
def test_a_mistake_names_file_and_key(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.codemap]\n{line}\n")
    with pytest.raises(ConfigError, match=re.escape(said)) as raised:
        load(tmp_path)
    assert str(raised.value).startswith("pyproject.toml: ")
    assert "\n" not in str(raised.value)
    assert raised.value.exit_code == 2


def test_what_is_no_table_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("tool.codemap = 3")
    with pytest.raises(ConfigError, match=r"pyproject.toml: tool.codemap has to be a table"):
        load(tmp_path)
    (tmp_path / "pyproject.toml").unlink()
    (tmp_path / "codemap.toml").write_text("[tool.codemap]\nbudget = 3")
    with pytest.raises(ConfigError, match=r"codemap.toml: there is no key tool"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"budget = ", "codemap.toml is not TOML"),
        (b"model = '\xff'", "codemap.toml is not UTF-8"),
        (b"#" * 1_000_001, "codemap.toml cannot be used as configuration: larger than 1,000,000 bytes"),
        (b"a = " + b"[" * 9000, "codemap.toml is not "),
        (b"budget = " + b"9" * 9000, "codemap.toml is not TOML"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_line(tmp_path: Path, raw: bytes, said: str) -> None:
    (tmp_path / "codemap.toml").write_bytes(raw)
    with pytest.raises(ConfigError, match=re.escape(said)):
        load(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="needs links and FIFOs")
def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path: Path) -> None:
    secret = tmp_path / "elsewhere"
    secret.write_text("budget = 3")
    (tmp_path / "codemap.toml").symlink_to(secret)
    with pytest.raises(ConfigError, match="symbolic link"):
        load(tmp_path)
    (tmp_path / "codemap.toml").unlink()
    os.mkfifo(tmp_path / "codemap.toml")
    with pytest.raises(ConfigError, match="not a regular file"):
        load(tmp_path)
    (tmp_path / "codemap.toml").unlink()
    (tmp_path / "pyproject.toml").symlink_to(secret)
    assert load(tmp_path).notes == ("pyproject.toml is not looked into for settings: symbolic link",)


def test_a_project_file_that_does_not_speak_of_us_may_be_broken(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_bytes(b"[project\nname = 'codemap'")
    assert load(tmp_path) == Config()
    path.write_bytes(b"\xff\xfe nothing")
    assert load(tmp_path) == Config()
    path.write_bytes(b"[tool.codemap]\nbudget = 1\n[project\n")
    with pytest.raises(ConfigError, match=r"pyproject.toml is not TOML"):
        load(tmp_path)
    (tmp_path / "codemap.toml").write_text("budget = 1")
    assert load(tmp_path).budget == 1


def test_nothing_is_parsed_where_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    code = "import sys; from codemap.config import load; load(sys.argv[1]); print('tomllib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
