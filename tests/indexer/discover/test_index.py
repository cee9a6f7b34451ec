from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

from indexer.discover.index import EMPTY, Entry, UnsupportedIndexError, read_index

BLOB = "ce013625030ba8dba906f756967f9e9ca394464a"


def _fixed(name: bytes, flags: int = 0) -> bytes:
    return struct.pack(">10I20sH", 5, 6, 7, 8, 1, 99, 0o100644, 0, 0, 6, bytes.fromhex(BLOB), flags | len(name))


def _padded(name: bytes, flags: int = 0, extended: bytes = b"") -> bytes:
    entry = _fixed(name, flags) + extended + name
    return entry + b"\0" * (8 - len(entry) % 8)


def _index(version: int, count: int, *parts: bytes) -> bytes:
    return struct.pack(">4sII", b"DIRC", version, count) + b"".join(parts) + b"\0" * 20


def _entry(path: str, merged: bool = True) -> Entry:
    return Entry(path, BLOB, 0o100644, 7_000_000_008, 5_000_000_006, 99, 6, merged)


def test_no_index(tmp_path: Path) -> None:
    assert read_index(str(tmp_path / "index")) is EMPTY


def test_version_2_with_a_conflict(tmp_path: Path) -> None:
    path = tmp_path / "index"
    path.write_bytes(_index(2, 2, _padded(b"a/b.py"), _padded("é.py".encode(), flags=0x2000)))
    found = read_index(str(path))
    assert found.entries == (_entry("a/b.py"), _entry("é.py", merged=False))
    assert found.written == path.stat().st_mtime_ns
    assert found.tree is None


def test_version_3_extended_flags(tmp_path: Path) -> None:
    path = tmp_path / "index"
    path.write_bytes(_index(3, 2, _padded(b"skipped.py", 0x4000, b"\x40\0"), _padded(b"z.py")))
    assert read_index(str(path)).entries == (_entry("skipped.py"), _entry("z.py"))


def test_version_4_shares_prefixes(tmp_path: Path) -> None:
    path = tmp_path / "index"
    second = _fixed(b"pkg/b.py") + b"\x04" + b"b.py\0"  # four bytes off the end of the name before
    path.write_bytes(_index(4, 2, _fixed(b"pkg/a.py") + b"\0" + b"pkg/a.py\0", second))
    assert read_index(str(path)).entries == (_entry("pkg/a.py"), _entry("pkg/b.py"))


def test_cached_tree(checkout: Any) -> None:
    checkout.write("a/b.py", "")
    checkout.stage("a/b.py")
    checkout.commit()
    index = str(checkout.root / ".git" / "index")
    assert read_index(index).tree == str(checkout.repository.head.peel().tree.id)
    checkout.write("a/c.py", "")
    checkout.stage("a/c.py")
    assert read_index(index).tree is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not an index at all",
        _index(5, 0),
        _index(2, 1),
        _index(2, 1, _padded(b"a.py"))[:60],
        _index(2, 1, _padded(b"a.py"), b"link" + struct.pack(">I", 20) + b"\0" * 20),
    ],
)
def test_damaged_or_split(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "index"
    path.write_bytes(content)
    with pytest.raises(UnsupportedIndexError):
        read_index(str(path))
