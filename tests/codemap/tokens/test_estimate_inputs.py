"""What is read, and what is refused, each with its own word."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from codemap.tokens import estimate_inputs
from codemap.tokens.estimate_inputs import INPUT_LIMIT, RefusedError, Text, read

POSIX = pytest.mark.skipif(os.name == "nt", reason="needs links or FIFOs as POSIX has them")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder whose path holds no symbolic link."""
    folder = tmp_path.resolve() / "base"
    folder.mkdir()
    return folder


def _refusal(root: Path | str, *inputs: str | None, stream: io.BytesIO | None = None) -> tuple[str, int | None]:
    with pytest.raises(RefusedError) as caught:
        read(str(root), inputs, stream)
    return caught.value.code, caught.value.ordinal


def test_files_and_standard_input_are_read_in_the_order_given(root: Path) -> None:
    (root / "a.txt").write_bytes(b"one")
    (root / "deep").mkdir()
    (root / "deep/b.txt").write_bytes("zwölf".encode())
    found = read(str(root), ["deep/b.txt", None, "a.txt"], io.BytesIO(b"two"))
    assert found == (Text(1, "file", 6, "zwölf"), Text(2, "stdin", 3, "two"), Text(3, "file", 3, "one"))


def test_text_is_kept_as_it_stands(root: Path) -> None:
    (root / "a").write_bytes(b"\xef\xbb\xbfx\r\ny\n\n")
    assert read(str(root), ["a"], None)[0].text == "\ufeffx\r\ny\n\n"


def test_an_empty_input_is_an_input(root: Path) -> None:
    (root / "a").touch()
    assert read(str(root), ["a", None], io.BytesIO())[1] == Text(2, "stdin", 0, "")


@pytest.mark.parametrize("path", ["../base/a", "..", "a/../a", "/etc/hostname", ""])
def test_a_path_that_leaves_the_root_is_refused_even_if_it_comes_back(root: Path, path: str) -> None:
    (root / "a").write_bytes(b"x")
    assert _refusal(root, "a", path) == ("outside_root", 2)


def test_an_absolute_path_into_the_root_is_refused(root: Path) -> None:
    (root / "a").write_bytes(b"x")
    assert _refusal(root, str(root / "a")) == ("outside_root", 1)


@POSIX
def test_a_link_is_refused_wherever_it_stands(root: Path) -> None:
    (root / "a").write_bytes(b"x")
    (root / "folder").mkdir()
    (root / "folder/a").write_bytes(b"x")
    (root / "link").symlink_to("a")
    (root / "other").symlink_to("folder")
    assert _refusal(root, "link") == ("symbolic_link", 1)
    assert _refusal(root, "other/a") == ("symbolic_link", 1)
    assert read(str(root), ["folder/a"], None)[0].text == "x"


@POSIX
@pytest.mark.parametrize("inner", ["", "inner"])
def test_a_link_in_the_root_itself_is_refused(root: Path, inner: str) -> None:
    (root / "inner").mkdir()
    (root / "a").write_bytes(b"x")
    (root / "inner/a").write_bytes(b"x")
    link = root.parent / "link"
    link.symlink_to(root)
    assert _refusal(link / inner, "a") == ("root_symbolic_link", None)


@POSIX
def test_the_root_may_be_relative(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "inner").mkdir()
    (root / "a").write_bytes(b"x")
    monkeypatch.chdir(root / "inner")
    assert read("..", ["a"], None)[0].text == "x"
    assert read("../../base/.", ["./a"], None)[0].text == "x"


def test_a_root_that_is_no_folder_is_refused(root: Path) -> None:
    (root / "a").write_bytes(b"x")
    assert _refusal(root / "nothing", "a") == ("root_not_found", None)
    assert _refusal(root / "a", "a") == ("root_not_a_folder", None)
    assert _refusal("a\0b", "a") == ("root_not_found", None)


@POSIX
def test_a_hard_link_is_refused(root: Path) -> None:
    (root / "a").write_bytes(b"x")
    os.link(root / "a", root / "b")
    assert _refusal(root, "a") == ("hard_link", 1)


def test_the_same_file_twice_is_refused(root: Path) -> None:
    (root / "a").write_bytes(b"x")
    (root / "b").write_bytes(b"x")
    assert _refusal(root, "a", "b", "./a") == ("duplicate_file", 3)


@POSIX
def test_what_is_no_regular_file_is_refused_at_once(root: Path) -> None:
    os.mkfifo(root / "fifo")
    (root / "folder").mkdir()
    assert _refusal(root, "fifo") == ("not_a_regular_file", 1)
    assert _refusal(root, "folder") == ("not_a_regular_file", 1)
    assert _refusal(root, ".") == ("not_a_regular_file", 1)
    assert _refusal(root, "folder/nothing") == ("not_found", 1)
    assert _refusal(root, "a\0b") == ("not_found", 1)


@POSIX
def test_a_file_is_no_folder(root: Path) -> None:
    (root / "a").write_bytes(b"x")
    assert _refusal(root, "a/b") == ("not_a_folder", 1)


@POSIX
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_refused(root: Path) -> None:
    (root / "a").write_bytes(b"x")
    (root / "a").chmod(0)
    assert _refusal(root, "a") == ("permission_denied", 1)


@pytest.mark.parametrize(
    "name",
    [
        ".env",
        ".ENV",
        ".env.local",
        ".env-prod",
        "id_rsa",
        "id_ed25519_sk.bak",
        "a.tfvars",
        "x.pem",
        ".npmrc",
        "credentials",
        "prod.env",
    ],
)
def test_secrets_are_refused_by_their_name_whether_or_not_they_are_there(root: Path, name: str) -> None:
    assert _refusal(root, name) == ("secret_name", 1)


def test_a_folder_of_secrets_is_refused(root: Path) -> None:
    (root / ".ssh").mkdir()
    (root / ".ssh/config").write_bytes(b"x")
    assert _refusal(root, ".ssh/config") == ("secret_name", 1)


@pytest.mark.parametrize("name", [".env.example", "environment.py", "keys.py", "secrets.py", "tokens.py", "key.txt"])
def test_ordinary_names_are_no_secrets(root: Path, name: str) -> None:
    (root / name).write_bytes(b"x")
    assert read(str(root), [name], None)[0].text == "x"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xff\xfea\0", "utf16_bom"),
        (b"\xfe\xff\0a", "utf16_bom"),
        (b"\xff\xfe\0\0a\0\0\0", "utf32_bom"),
        (b"\0\0\xfe\xff\0\0\0a", "utf32_bom"),
        (b"a\0b", "nul_byte"),
        (b"caf\xe9", "malformed_utf8"),
        (b"\xed\xa0\x80", "malformed_utf8"),  # a surrogate
        (b"\xc0\xaf", "malformed_utf8"),  # a slash, written too long
        (b"ab\xe4\xb8", "malformed_utf8"),  # cut short
    ],
)
def test_what_is_no_utf8_text_is_refused(root: Path, data: bytes, code: str) -> None:
    (root / "a").write_bytes(b"x")
    (root / "b").write_bytes(data)
    assert _refusal(root, "a", "b") == (code, 2)
    assert _refusal(root, None, stream=io.BytesIO(data)) == (code, 1)


def test_an_input_may_hold_so_much_and_no_byte_more(root: Path) -> None:
    (root / "a").write_bytes(b"x" * INPUT_LIMIT)
    (root / "b").write_bytes(b"x" * (INPUT_LIMIT + 1))
    assert read(str(root), ["a"], None)[0].size == 262_144
    assert _refusal(root, "b") == ("input_too_large", 1)
    assert read(str(root), [None], io.BytesIO(b"x" * INPUT_LIMIT))[0].size == 262_144
    assert _refusal(root, None, stream=io.BytesIO(b"x" * (INPUT_LIMIT + 1))) == ("input_too_large", 1)


def test_all_inputs_may_hold_so_much_and_no_byte_more(root: Path) -> None:
    for name in "abcd":
        (root / name).write_bytes(b"x" * INPUT_LIMIT)
    (root / "e").write_bytes(b"x")
    assert sum(text.size for text in read(str(root), list("abcd"), None)) == 1_048_576
    assert _refusal(root, *"abcd", "e") == ("total_too_large", 5)


def test_standard_input_has_to_be_redirected(root: Path) -> None:
    assert _refusal(root, None) == ("stdin_not_redirected", 1)


@pytest.mark.parametrize("change", ["write", "replace", "link"])
def test_a_file_that_changes_meanwhile_is_refused(root: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    (root / "a").write_bytes(b"one")
    (root / "b").write_bytes(b"two")
    decoded = estimate_inputs._decoded

    def meddling(data: bytes, ordinal: int) -> str:
        if ordinal == 2:
            if change == "write":
                (root / "a").write_bytes(b"longer")
            elif change == "replace":
                (root / "c").write_bytes(b"one")
                (root / "c").replace(root / "a")
            else:
                os.link(root / "a", root / "c")
        return decoded(data, ordinal)

    monkeypatch.setattr(estimate_inputs, "_decoded", meddling)
    assert _refusal(root, "a", "b") == ("input_changed", 1)


@POSIX
def test_systems_that_cannot_open_by_steps_refuse_the_same(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimate_inputs, "_BY_STEPS", False)
    (root / "folder").mkdir()
    (root / "folder/a").write_bytes(b"x")
    (root / "other").symlink_to("folder")
    os.mkfifo(root / "fifo")
    (root.parent / "link").symlink_to(root)
    assert read(str(root), ["folder/a"], None)[0].text == "x"
    assert _refusal(root, "other/a") == ("symbolic_link", 1)
    assert _refusal(root, "fifo") == ("not_a_regular_file", 1)
    assert _refusal(root, "nothing") == ("not_found", 1)
    assert _refusal(root.parent / "link", "folder/a") == ("root_symbolic_link", None)
    assert _refusal(root / "nothing", "folder/a") == ("root_not_found", None)


@pytest.mark.skipif(sys.platform != "linux", reason="counts open files as Linux shows them")
def test_no_file_stays_open(root: Path) -> None:
    (root / "a").write_bytes(b"x")
    (root / "b").write_bytes(b"\0")
    before = len(os.listdir("/proc/self/fd"))
    read(str(root), ["a"], None)
    _refusal(root, "a", "b")
    _refusal(root, "a", "nothing/b")
    assert len(os.listdir("/proc/self/fd")) == before
