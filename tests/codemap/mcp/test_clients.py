"""What is printed for a client is what that client reads."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from codemap.cli.commands.mcp import CLIENT_NAMES
from codemap.mcp import clients

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_every_client_is_an_option() -> None:
    assert tuple(clients.CLIENTS) == CLIENT_NAMES


@pytest.mark.parametrize("name", CLIENT_NAMES)
def test_a_configuration_starts_this_installation(name: str) -> None:
    text = clients.config(name)
    found = tomllib.loads(text) if name == "codex" else json.loads(text)
    (servers,) = found.values()
    server = servers["codemap"]
    assert Path(server["command"]).parent == Path(sys.executable).parent
    assert server["args"][-1] == "mcp"


def test_a_folder_that_is_named_is_kept_whole_and_quoted(tmp_path: Path) -> None:
    folder = str(tmp_path / 'with "quotes" and ünïcode')
    assert json.loads(clients.config("cursor", folder))["mcpServers"]["codemap"]["args"][-3:] == ["-C", folder, "mcp"]
    assert tomllib.loads(clients.config("codex", folder))["mcp_servers"]["codemap"]["args"][-3:] == [
        "-C",
        folder,
        "mcp",
    ]


def test_it_is_printed_and_nothing_is_written(run: Run, tmp_path: Path) -> None:
    done = run("mcp", "--print-config", "vscode", cwd=tmp_path)
    assert (done.returncode, list(tmp_path.iterdir())) == (0, [])
    assert json.loads(done.stdout)["servers"]["codemap"]["type"] == "stdio"
    assert "-C" not in done.stdout
    assert done.stderr == "codemap: for VS Code: put this in .vscode/mcp.json in the project\n"
    assert '"-C",' in run("-C", str(tmp_path), "mcp", "--print-config", "zed").stdout
    assert run("mcp", "--print-config", "emacs").returncode == 2


def test_without_the_extra_it_is_said_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    done = run("mcp")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "codemap: this needs the extra `server`: install `codemap-subgraph[server]`\n"
