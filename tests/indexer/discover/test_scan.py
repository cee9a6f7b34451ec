from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from indexer import blobs
from indexer.blobs import blob_id
from indexer.discover import Discovery
from indexer.discover import finding as finding_module

Scan = Callable[[Path], Discovery]
States = Callable[[Path], dict[str, str]]

EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"  # git hash-object /dev/null
HELLO_BLOB = "ce013625030ba8dba906f756967f9e9ca394464a"  # of "hello\n"


def test_states(checkout: Any, states: States) -> None:
    for name in ("same", "edited", "touched", "deleted"):
        checkout.write(f"{name}.py", "x = 1\n")
        checkout.stage(f"{name}.py")
    checkout.commit()
    checkout.settle()
    checkout.write("edited.py", "x = 2\n")
    os.utime(checkout.root / "touched.py", (1, 1))
    (checkout.root / "deleted.py").unlink()
    checkout.write("staged.py", "")
    checkout.stage("staged.py")
    checkout.write("new.py", "")
    checkout.write("README", "")
    assert states(checkout.root) == {
        "edited.py": "modified",
        "new.py": "untracked",
        "same.py": "committed",
        "staged.py": "modified",
        "touched.py": "committed",
    }


def test_blobs_are_those_of_the_bytes_on_disk(checkout: Any, scan: Scan) -> None:
    checkout.write("empty.py", "")
    checkout.write("a/hello.py", "bye\n")
    checkout.write("pyproject.toml", "hello\n")
    checkout.stage("empty.py", "a/hello.py")
    head = checkout.commit()
    checkout.settle()
    checkout.write("a/hello.py", "hello\n")
    found = scan(checkout.root)
    assert [(file.path, file.blob, file.size) for file in found.files] == [
        ("a/hello.py", HELLO_BLOB, 6),
        ("empty.py", EMPTY_BLOB, 0),
    ]
    assert found.configs == (("pyproject.toml", HELLO_BLOB),)
    assert (found.head, found.head_time, found.branch) == (head, 1_700_000_000, "main")


def test_a_file_that_grows_while_it_is_looked_at_has_one_size(
    checkout: Any, scan: Scan, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout.write("a.py", "")
    read = blobs.read_regular

    def grown(path: str) -> bytes:  # after its status was taken
        checkout.write("a.py", "hello\n")
        return read(path)

    monkeypatch.setattr(finding_module, "read_regular", grown)
    (file,) = scan(checkout.root).files
    assert (file.blob, file.size) == (HELLO_BLOB, 6)


def test_clean_files_are_not_read(checkout: Any, states: States, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout.write("a.py", "a\n")
    checkout.stage("a.py")
    checkout.commit()
    checkout.settle()
    monkeypatch.setattr(finding_module, "read_regular", None)
    assert states(checkout.root) == {"a.py": "committed"}


def test_edit_within_the_clock_tick_of_the_index_is_seen(checkout: Any, scan: Scan) -> None:
    checkout.write("a.py", "old\n")
    checkout.stage("a.py")
    checkout.commit()
    path = checkout.root / "a.py"
    before = path.stat()
    with path.open("r+b") as file:  # same size, same inode
        file.write(b"new\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert [(file.blob, file.state) for file in scan(checkout.root).files] == [(blob_id(b"new\n"), "modified")]


def test_converted_line_endings_are_no_change_but_have_their_own_blob(checkout: Any, scan: Scan) -> None:
    checkout.write(".gitattributes", "*.py text=auto\n")
    checkout.write("a.py", b"x = 1\r\n")
    checkout.stage("a.py", ".gitattributes")
    checkout.commit()
    assert checkout.repository.index["a.py"].id == checkout.repository.create_blob(b"x = 1\n")
    checkout.settle()
    assert [(file.blob, file.state) for file in scan(checkout.root).files] == [(blob_id(b"x = 1\r\n"), "committed")]


def test_conversion_that_keeps_the_size_is_not_trusted(checkout: Any, scan: Scan) -> None:
    checkout.write("a.py", "abc\n")
    checkout.stage("a.py")
    checkout.commit()
    disguised = checkout.repository.index["a.py"]
    disguised.id = checkout.repository.create_blob(b"xyz\n")  # what a `filter` that maps letters would have stored
    raw = (checkout.root / ".git" / "index").read_bytes()
    (checkout.root / ".git" / "index").write_bytes(raw.replace(bytes.fromhex(blob_id(b"abc\n")), disguised.id.raw))
    checkout.settle()
    assert scan(checkout.root).files[0].blob == blob_id(b"xyz\n")  # the index is believed
    checkout.write(".gitattributes", "*.py filter=letters\n")
    assert scan(checkout.root).files[0].blob == blob_id(b"abc\n")


def test_ignore_files(checkout: Any, states: States) -> None:
    checkout.write(".gitignore", "build/\n*.gen.py\n")
    checkout.write("pkg/.gitignore", "!kept.gen.py\n/local.py\n")
    (checkout.root / ".git" / "info" / "exclude").write_text("private.py\n")
    for path in ("build/a.py", "b.gen.py", "pkg/kept.gen.py", "pkg/local.py", "pkg/deep/local.py", "private.py"):
        checkout.write(path, "")
    checkout.write("forced/build/a.py", "")
    checkout.write("forced/build/b.py", "")
    checkout.stage("forced/build/a.py")
    assert states(checkout.root) == {
        "forced/build/a.py": "modified",
        "pkg/deep/local.py": "untracked",
        "pkg/kept.gen.py": "untracked",
    }


def test_skipped_with_reasons(checkout: Any, scan: Scan) -> None:
    checkout.write("ok.py", "")
    checkout.write("bundle.js", b"x" * 1_000_001)
    checkout.write("limit.js", b"x" * 1_000_000)
    checkout.write("node_modules/lib/index.js", "")
    checkout.write("env/pyvenv.cfg", "")
    checkout.write("env/lib/site.py", "")
    checkout.write("README.md", b"x" * 1_000_001)
    found = scan(checkout.root)
    assert [file.path for file in found.files] == ["limit.js", "ok.py"]
    assert found.skipped == (
        ("bundle.js", "larger than 1,000,000 bytes"),
        ("env", "virtual environment"),
        ("node_modules", "dependency folder"),
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_fifo_is_never_opened(checkout: Any, scan: Scan) -> None:
    checkout.root.joinpath("sub").mkdir()
    os.mkfifo(checkout.root / "sub" / "pipe.py")
    assert scan(checkout.root).skipped == (("sub/pipe.py", "not a regular file"),)


def test_unreadable_file(checkout: Any, scan: Scan, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout.write("secret.py", "")
    checkout.write("open.py", "")

    def refuse(path: str, flags: int) -> int:
        if path.endswith("secret.py"):
            raise PermissionError(13, "Permission denied")
        return real(path, flags)

    real = os.open
    monkeypatch.setattr("indexer.blobs.os.open", refuse)
    found = scan(checkout.root)
    assert [file.path for file in found.files] == ["open.py"]
    assert found.skipped == (("secret.py", "unreadable: permission denied"),)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file_and_folder_for_real(checkout: Any, scan: Scan) -> None:
    checkout.write("secret.py", "")
    checkout.write("closed/a.py", "")
    (checkout.root / "secret.py").chmod(0)
    (checkout.root / "closed").chmod(0)
    try:
        skipped = scan(checkout.root).skipped
    finally:
        (checkout.root / "closed").chmod(0o700)
    assert skipped == (("closed", "unreadable: permission denied"), ("secret.py", "unreadable: permission denied"))


def test_symbolic_links_are_not_followed(checkout: Any, scan: Scan, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "out.py").write_text("")
    checkout.write("pkg/real.py", "")
    try:
        (checkout.root / "pkg" / "loop").symlink_to("..", target_is_directory=True)
        (checkout.root / "away").symlink_to(tmp_path / "outside", target_is_directory=True)
        (checkout.root / "alias.py").symlink_to("pkg/real.py")
        (checkout.root / "self.py").symlink_to("self.py")
    except OSError:
        pytest.skip("no symbolic links here")
    found = scan(checkout.root)
    assert [file.path for file in found.files] == ["pkg/real.py"]
    assert found.skipped == (("alias.py", "symbolic link"), ("self.py", "symbolic link"))


def test_folder_replaced_by_a_link_hides_its_tracked_files(checkout: Any, states: States, tmp_path: Path) -> None:
    checkout.write("pkg/a.py", "")
    checkout.write("other/a.py", "")
    checkout.stage("pkg/a.py", "other/a.py")
    checkout.commit()
    (checkout.root / "pkg").rename(tmp_path / "pkg")
    try:
        (checkout.root / "pkg").symlink_to(tmp_path / "pkg", target_is_directory=True)
    except OSError:
        pytest.skip("no symbolic links here")
    assert states(checkout.root) == {"other/a.py": "committed"}


@pytest.mark.skipif(os.name == "nt", reason="names Windows does not allow")
def test_names(checkout: Any, states: States) -> None:
    composed, decomposed = unicodedata.normalize("NFC", "é.py"), unicodedata.normalize("NFD", "é.py")
    names = [
        "new\nline.py",
        "quo\"te'.py",
        "漢字/模块.py",
        "sp ace.py",
        "Case.py",
        "case.py",
        "*.py",
        "-x.py",
        "a:b.py",
    ]
    names += [composed, decomposed]
    for name in names:
        checkout.write(name, "")
    if len(os.listdir(checkout.root)) < len(names):
        pytest.skip("the file system takes some of these names for one")
    assert list(states(checkout.root)) == sorted(names, key=str.encode)
    checkout.stage(*names)
    checkout.commit()
    assert states(checkout.root) == dict.fromkeys(names, "committed")


@pytest.mark.skipif(os.name == "nt", reason="names are UTF-16 there")
def test_name_that_is_not_utf8_is_skipped_and_shown_escaped(checkout: Any, scan: Scan) -> None:
    try:
        open(os.fsencode(checkout.root) + b"/caf\xe9.py", "w").close()
    except OSError:
        pytest.skip("the file system refuses the name")
    found = scan(checkout.root)
    assert found.files == ()
    assert found.skipped == (("caf\\xe9.py", "name is not valid UTF-8"),)


def test_file_that_vanishes_is_absent(checkout: Any, scan: Scan, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout.write("a.py", "")

    def vanish(path: str, flags: int) -> int:
        raise FileNotFoundError(path)

    monkeypatch.setattr("indexer.blobs.os.open", vanish)
    found = scan(checkout.root)
    assert (found.files, found.skipped) == ((), ())


def test_plain_folder(tmp_path: Path, scan: Scan) -> None:
    for path in ("a.py", "pkg/b.js", "package.json", ".tox/c.py", "__pycache__/d.py", "v/pyvenv.cfg", "v/e.py"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("hello\n")
    found = scan(tmp_path)
    assert [(file.path, file.blob, file.state) for file in found.files] == [
        ("a.py", HELLO_BLOB, "untracked"),
        ("pkg/b.js", HELLO_BLOB, "untracked"),
    ]
    assert found.configs == (("package.json", HELLO_BLOB),)
    assert found.skipped == (("v", "virtual environment"),)
    assert (found.head, found.head_time, found.branch) == (None, None, None)


def test_ignore_files_count_in_a_plain_folder(tmp_path: Path, states: States) -> None:
    (tmp_path / "pkg").mkdir()
    for path in ("a.py", "b.py", "pkg/b.py"):
        (tmp_path / path).write_text("")
    (tmp_path / ".gitignore").write_text("b.py\n")
    (tmp_path / "pkg" / ".gitignore").write_text("!b.py\n")
    assert list(states(tmp_path)) == ["a.py", "pkg/b.py"]


def test_ignore_file_that_is_a_link_is_not_followed(checkout: Any, states: States, tmp_path: Path) -> None:
    (tmp_path / "rules").write_text("*.py\n")
    checkout.write("a.py", "")
    try:
        (checkout.root / ".gitignore").symlink_to(tmp_path / "rules")
    except OSError:
        pytest.skip("no symbolic links here")
    assert list(states(checkout.root)) == ["a.py"]
