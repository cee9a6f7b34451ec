"""Many clients at once: `python -m tests.benchmarks.load [--root DIR] [--clients 50] [--seconds 60]`.

Starts `codemap serve` on a copy of Django (or of DIR), lets the clients ask for subgraphs as fast as they are answered,
and has an update run every two seconds, each after an edit of two files. Exit code 1 where a goal is missed: no error,
at least 100 answers a second, 99 % of them within a second, and every answer of one state of the map: the two files
name their version, and an answer that named two, or an older one than an update before it had brought, would be caught.

Clients ask a few questions again and again, as agents at work on the same issues do. Every update changes the map, so
that each question has to be answered anew after it; `--questions` says how many there are.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from codemap import CodeMap
from tests.benchmarks.corpora import DJANGO, prepare
from tests.benchmarks.raw_http import Connection

GOAL_RATE, GOAL_SECONDS = 100.0, 1.0
UPDATE_SECONDS = 2.0
QUESTIONS = 20
PROBES = 0.1  # share of the questions that are about the two files
PROBE = re.compile(r"load_probe_(?:first|second)_(\d{6})")


@dataclass
class Seen:
    """What the clients saw."""

    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    probes: int = 0
    updates: list[float] = field(default_factory=list)
    version: int = 0  # that the last finished update has brought


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    work = Path(tempfile.mkdtemp(prefix="codemap-load-"))
    try:
        root = work / "source"
        shutil.copytree(options.root or prepare(DJANGO, options.work), root, symlinks=True)
        edit(root, 0)
        CodeMap.index(root)
        with CodeMap.open(root) as code_map:
            questions = chosen(code_map, options.questions)
        seen = asyncio.run(measure(root, questions, options.clients, options.seconds))
    finally:
        shutil.rmtree(work)
    return report(seen, options.clients, options.seconds)


def chosen(code_map: CodeMap, number: int) -> list[str]:
    """Questions in the words of symbols taken at random: their names, or what their documentation says."""
    symbols = [node for node in code_map.symbols() if node.kind in ("function", "method", "class") and node.doc]
    return [
        node.doc if index % 2 else " ".join(re.findall(r"[a-z]+", node.qualname.lower()))
        for index, node in enumerate(random.Random(7).sample(symbols, number))
    ]


def edit(root: Path, version: int) -> None:
    """Two files of one version."""
    first, second = f"load_probe_first_{version:06}", f"load_probe_second_{version:06}"
    (root / "load_first.py").write_text(f"from load_second import {second}\n\ndef {first}():\n    return {second}()\n")
    (root / "load_second.py").write_text(f"def {second}():\n    return {version}\n")


async def measure(root: Path, questions: Sequence[str], clients: int, seconds: float) -> Seen:
    """Serve, ask for some seconds, and stop the server as an operator would."""
    seen = Seen()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-m", "codemap", "serve", str(root), "--port", str(port)])
    try:
        await _ready(port)
        until = time.perf_counter() + seconds
        asking = [_client(port, number, questions, until, seen) for number in range(clients)]
        await asyncio.gather(_updates(root, port, until, seen), *asking)
    finally:
        server.send_signal(signal.SIGTERM)
        if server.wait(timeout=30) not in (0, -signal.SIGTERM):
            seen.errors.append(f"the server ended with {server.returncode}")
    return seen


async def _ready(port: int) -> None:
    for _ in range(600):
        with suppress(OSError):
            async with Connection(port) as connection:
                if (await connection.get("/readyz?wait=30")).status == 200:
                    return
        await asyncio.sleep(0.1)
    raise SystemExit("the server does not get ready")


async def _client(port: int, number: int, questions: Sequence[str], until: float, seen: Seen) -> None:
    """One client: asks, checks, asks again."""
    chance = random.Random(number)
    async with Connection(port) as connection:
        while (began := time.perf_counter()) < until:
            probe = chance.random() < PROBES
            body = {
                "text": "load_probe_first" if probe else chance.choice(questions),
                "budget": 2000,
                "on_stale": "warn",
            }
            known = seen.version
            answer = await connection.post("/v1/subgraph", body)
            seen.times.append(time.perf_counter() - began)
            wrong = _wrong(answer.status, answer.body, known if probe else None)
            seen.probes += probe
            if wrong is not None:
                seen.errors.append(wrong)


def _wrong(status: int, body: bytes, known: int | None) -> str | None:
    """What is wrong with an answer; `known`: the version that it has to be of at least."""
    if status != 200:
        return f"{status}: {body[:200].decode(errors='replace')}"
    found = json.loads(body)
    if found["schema"] != "codemap/subgraph/1" or found["tokens"]["estimate"] > 2000:
        return "the answer is not what was asked for"
    if known is None:
        return None
    versions = {int(version) for version in PROBE.findall(json.dumps([found["nodes"], found["edges"]]))}
    if len(versions) != 1:
        return f"an answer of {len(versions)} states of the map"
    return f"an answer of version {min(versions)} after an update to {known}" if min(versions) < known else None


async def _updates(root: Path, port: int, until: float, seen: Seen) -> None:
    """An edit and an update every two seconds."""
    version = 0
    async with Connection(port) as connection:
        while (began := time.perf_counter()) < until:
            version += 1
            edit(root, version)
            answer = await connection.post("/v1/update", {})
            if answer.status != 200:
                seen.errors.append(f"update: {answer.status}: {answer.body[:200].decode(errors='replace')}")
            else:
                seen.version = version
                seen.updates.append(time.perf_counter() - began)
            await asyncio.sleep(max(0.0, UPDATE_SECONDS - (time.perf_counter() - began)))


def report(seen: Seen, clients: int, seconds: float) -> int:
    """Print the figures; 0 where every goal is met."""
    times = sorted(seen.times)
    rate = len(times) / seconds

    def share(part: float) -> float:
        return times[min(len(times) - 1, int(part * len(times)))]

    print(f"{clients} clients for {seconds:g} s: {len(times)} answers, {rate:.0f} a second, {len(seen.errors)} errors")
    print(f"p50 {share(0.5):.3f} s, p90 {share(0.9):.3f} s, p99 {share(0.99):.3f} s, most {times[-1]:.3f} s")
    took = sorted(seen.updates)
    if took:
        print(f"{len(took)} updates, median {took[len(took) // 2]:.2f} s, most {took[-1]:.2f} s")
    print(f"{seen.probes} answers checked to be of one state")
    for error in sorted(set(seen.errors))[:10]:
        print(f"error: {error}")
    return 1 if seen.errors or rate < GOAL_RATE or share(0.99) > GOAL_SECONDS else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.load", description=__doc__)
    parser.add_argument("--root", type=Path, metavar="DIR", help="serve a copy of this instead of Django")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "codemap-benchmarks", metavar="DIR")
    parser.add_argument("--clients", type=int, default=50, metavar="N")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S")
    parser.add_argument("--questions", type=int, default=QUESTIONS, metavar="N")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
