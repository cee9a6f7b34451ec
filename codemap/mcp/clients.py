"""How well-known clients are told of the server: what to write, and in which file. Nothing is written here."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from typing import NamedTuple


class Client(NamedTuple):
    """A client: its name for people, where its configuration is, and how the server stands in it."""

    title: str
    place: str
    write: Callable[[list[str]], str]


def command(folder: str | None = None) -> list[str]:
    """What starts the server of this installation, for a repository where one is named."""
    found = shutil.which("codemap")
    same = found is not None and os.path.dirname(os.path.abspath(found)) == os.path.dirname(sys.executable)
    start = [found] if found is not None and same else [sys.executable, "-m", "codemap"]
    return [*start, *(["-C", os.path.abspath(folder)] if folder is not None else []), "mcp"]


def _servers(key: str, **more: str) -> Callable[[list[str]], str]:
    def write(words: list[str]) -> str:
        server = {**more, "command": words[0], "args": words[1:]}
        return json.dumps({key: {"codemap": server}}, indent=2, ensure_ascii=False) + "\n"

    return write


def _toml(words: list[str]) -> str:
    quoted = [json.dumps(word, ensure_ascii=False) for word in words]  # a JSON string is a TOML string
    return f"[mcp_servers.codemap]\ncommand = {quoted[0]}\nargs = [{', '.join(quoted[1:])}]\n"


def _zed(words: list[str]) -> str:
    server = {"source": "custom", "command": words[0], "args": words[1:]}
    return json.dumps({"context_servers": {"codemap": server}}, indent=2, ensure_ascii=False) + "\n"


CLIENTS = {
    "claude-code": Client("Claude Code", ".mcp.json in the project", _servers("mcpServers")),
    "claude-desktop": Client("Claude Desktop", "claude_desktop_config.json", _servers("mcpServers")),
    "codex": Client("Codex", "~/.codex/config.toml", _toml),
    "cursor": Client("Cursor", ".cursor/mcp.json in the project, or ~/.cursor/mcp.json", _servers("mcpServers")),
    "gemini": Client("Gemini CLI", ".gemini/settings.json in the project", _servers("mcpServers")),
    "vscode": Client("VS Code", ".vscode/mcp.json in the project", _servers("servers", type="stdio")),
    "windsurf": Client("Windsurf", "~/.codeium/windsurf/mcp_config.json", _servers("mcpServers")),
    "zed": Client("Zed", "settings.json of Zed", _zed),
}


def config(client: str, folder: str | None = None) -> str:
    """What to put in the configuration of a client."""
    return CLIENTS[client].write(command(folder))
