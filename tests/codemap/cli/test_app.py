"""The commands are the documented ones, and so are the exit codes."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from codemap.cli.app import COMMANDS, EXIT_CODES, app
from codemap.cli.boundary import INTERRUPTED, PIPE_CLOSED
from indexer import errors

PAGE = Path(__file__).resolve().parents[3] / "docs/commands.md"


def _section(name: str) -> str:
    found = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert found, f"docs/commands.md has no section {name}"
    return found[1]


def _command(name: str) -> click.Command:
    """A command by its name; that of a group's command is `group command`."""
    command: click.Command = app
    for word in name.split():
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), word)
        assert found is not None
        command = found
    return command


def _runnable() -> list[str]:
    """Every command that does something by itself."""
    groups = {name: command for name in COMMANDS if isinstance(command := _command(name), click.Group)}
    inner = [f"{name} {each}" for name, group in groups.items() for each in group.commands]
    return [name for name in COMMANDS if name not in groups] + inner


@pytest.mark.parametrize("name", _runnable())
def test_every_command_and_option_is_documented(name: str) -> None:
    section = _section(name)
    command = _command(name)
    assert f"`codemap {name}" in section
    for parameter in command.params:
        for option in parameter.opts if isinstance(parameter, click.Option) else ():
            assert option in section, f"{option} of {name} is not documented"
    assert command.name == name.split()[-1]
    assert command.help


@pytest.mark.parametrize("name", _runnable())
def test_no_option_is_documented_that_does_not_exist(name: str) -> None:
    usage = next(row for row in _section(name).splitlines() if row.startswith(f"`codemap {name}"))
    known = {option for each in _command(name).params for option in (*each.opts, *each.secondary_opts)}
    assert set(re.findall(r"--[a-z-]+", usage)) <= known


def test_every_command_has_json() -> None:
    without = [name for name in _runnable() if "json" not in {p.name for p in _command(name).params}]
    assert without == [name for name in _runnable() if name in SERVERS]


SERVERS = {"mcp", "serve", "completion"}  # they speak to a program in its own language


def _codes(text: str, pattern: str) -> dict[int, str]:
    return {int(code): meaning.strip() for code, meaning in re.findall(pattern, text, re.M)}


def test_exit_codes_are_the_same_everywhere() -> None:
    raised = {
        value.exit_code
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, errors.CodemapError)
    }
    helped = _codes(EXIT_CODES, r"^  (\d+) +(.*)$")
    assert helped.keys() == raised | {0, INTERRUPTED, PIPE_CLOSED}
    assert _codes(_section("Exit codes"), r"^\| (\d+) \| (.*) \|$") == helped


def test_help_lists_every_command_with_a_whole_sentence() -> None:
    shown = app.get_help(click.Context(app, info_name="codemap"))
    for name in COMMANDS:
        row = re.search(rf"^  {name} +(.*)$", shown, re.M)
        assert row is not None
        assert row[1].endswith("."), f"the first line of {name} is too long for the list: {row[1]}"
    assert "..." not in shown.partition("Commands:")[2]


def test_an_unknown_command_is_none() -> None:
    assert app.get_command(click.Context(app), "nothing") is None
