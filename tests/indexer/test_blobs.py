from __future__ import annotations

import os
from pathlib import Path

import pytest

from indexer.blobs import UnreadableError, blob_id, read_regular


def test_blob_id_is_gits() -> None:
    assert blob_id(b"") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    assert blob_id(b"hello\n") == "ce013625030ba8dba906f756967f9e9ca394464a"


def test_reads_all_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 10)
    assert read_regular(str(path), limit=10) == b"x" * 10
    with pytest.raises(UnreadableError) as caught:
        read_regular(str(path), limit=9)
    assert caught.value.reason == "larger than 9 bytes"


def test_file_that_grows_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 10)
    real = os.fstat

    def grow(descriptor: int) -> os.stat_result:
        status = real(descriptor)
        path.write_bytes(b"x" * 100)
        return status

    monkeypatch.setattr(os, "fstat", grow)
    assert read_regular(str(path), limit=100) == b"x" * 100
    path.write_bytes(b"x" * 10)
    with pytest.raises(UnreadableError):
        read_regular(str(path), limit=99)


def test_missing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileNotFoundError):
        read_regular(str(tmp_path / "a"))
    with pytest.raises((NotADirectoryError, FileNotFoundError)):
        read_regular(str(tmp_path / "file" / "a"))


def test_symbolic_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("secret")
    try:
        (tmp_path / "link").symlink_to("target")
    except OSError:
        pytest.skip("no symbolic links here")
    with pytest.raises(UnreadableError, match="symbolic link"):
        read_regular(str(tmp_path / "link"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_fifo_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableError, match="not a regular file"):
        read_regular(str(tmp_path / "pipe"))


def test_folder(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError):
        read_regular(str(tmp_path))
