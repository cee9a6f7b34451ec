"""Nothing of the process that starts an update waits for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from indexer.hooks.detached import NICENESS
from tests.hooked import until

CODE = """
import os, sys, time
from indexer.hooks.detached import detach
detach(sys.argv[1])
print("an error", file=sys.stderr, flush=True)
with open(sys.argv[1] + ".said", "w") as file:
    file.write(f"{os.getcwd()} {sorted(name for name in os.environ if name.startswith('GIT_'))}")
os.rename(sys.argv[1] + ".said", sys.argv[1] + ".done")
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="descriptors and sessions of POSIX")
def test_a_detached_process_holds_nothing_of_its_parent(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    errors = tmp_path / "errors"
    environment = {**os.environ, "GIT_DIR": "x", "GIT_INDEX_FILE": "y", "GIT_CONFIG_GLOBAL": os.devnull}
    process = subprocess.Popen([sys.executable, "-c", CODE, str(errors)], pass_fds=[writing], env=environment)
    os.close(writing)
    try:
        assert os.read(reading, 1) == b""  # the other end is closed, and the process goes on
        assert until(lambda: (tmp_path / "errors.done").exists(), 20)
        assert process.poll() is None
        assert os.getsid(process.pid) == process.pid
        assert os.getpriority(os.PRIO_PROCESS, process.pid) >= min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
        group = Path(f"/proc/{process.pid}/autogroup")
        assert not group.exists() or group.read_text().endswith(f" nice {NICENESS}\n")
        kept = sorted(name for name in environment if name.startswith("GIT_CONFIG_"))
        assert (tmp_path / "errors.done").read_text() == f"/ {kept}"
        assert errors.read_text() == "an error\n"
    finally:
        os.close(reading)
        process.kill()
        process.wait()
