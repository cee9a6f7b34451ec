"""The texts of an estimate: named files beneath a root and standard input, read with care or refused.

Nothing is followed, nothing guessed: each step of a path is opened by itself and may not be a symbolic link, what was
opened has to be a regular file of one name, and it is looked at again once everything is read.
"""

from __future__ import annotations

import os
import stat
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from errno import EACCES, ELOOP, EMLINK, ENOENT, ENOTDIR, ENXIO, EPERM
from typing import BinaryIO

from codemap.tokens.estimate_names import is_secret
from indexer.errors import CodemapError

INPUT_LIMIT = 262_144  # bytes of one input
TOTAL_LIMIT = 1_048_576  # bytes of all inputs

_FILE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_BY_STEPS = os.open in os.supports_dir_fd and bool(_NO_FOLLOW)


class RefusedError(CodemapError):
    """An input was refused or could not be read.

    code      why, one word for programs
    ordinal   which input, from 1; None where it is not one input's fault
    """

    exit_code = 5

    def __init__(self, code: str, ordinal: int | None = None) -> None:
        super().__init__(f"{'the estimate' if ordinal is None else f'input {ordinal}'} was refused: {code}")
        self.code = code
        self.ordinal = ordinal


@dataclass(frozen=True, slots=True)
class Text:
    """One input as read."""

    ordinal: int  # from 1, in the order of the options
    source: str  # file | stdin
    size: int  # bytes
    text: str


def read(root: str, inputs: Sequence[str | None], stream: BinaryIO | None) -> tuple[Text, ...]:
    """The texts of `inputs`: paths relative to `root`, None for standard input, which is `stream`.

    `stream` is None where standard input is not redirected. Raises RefusedError at the first input that is refused.
    """
    texts: list[Text] = []
    left = TOTAL_LIMIT
    with ExitStack() as stack:
        opened: list[tuple[int, int, os.stat_result]] = []
        folder = stack.enter_context(_root(root)) if any(path is not None for path in inputs) else -1
        for ordinal, path in enumerate(inputs, start=1):
            if path is None:
                data = _standard_input(ordinal, stream)
            else:
                descriptor, status = _file(stack, root, folder, path, ordinal)
                if any((s.st_dev, s.st_ino) == (status.st_dev, status.st_ino) for _, _, s in opened):
                    raise RefusedError("duplicate_file", ordinal)
                opened.append((ordinal, descriptor, status))
                data = _content(descriptor, ordinal)
            left -= len(data)
            if left < 0:
                raise RefusedError("total_too_large", ordinal)
            source = "stdin" if path is None else "file"
            texts.append(Text(ordinal, source, len(data), _decoded(data, ordinal)))
        for ordinal, descriptor, status in opened:
            if _state(os.fstat(descriptor)) != _state(status):
                raise RefusedError("input_changed", ordinal)
    return tuple(texts)


def _standard_input(ordinal: int, stream: BinaryIO | None) -> bytes:
    if stream is None:
        raise RefusedError("stdin_not_redirected", ordinal)
    try:
        data = stream.read(INPUT_LIMIT + 1)
    except OSError as error:
        raise RefusedError("unreadable", ordinal) from error
    if len(data) > INPUT_LIMIT:
        raise RefusedError("input_too_large", ordinal)
    return data


def _decoded(data: bytes, ordinal: int) -> str:
    """UTF-8 as it stands: a mark at the beginning is U+FEFF, line ends are kept."""
    if data.startswith((BOM_UTF32_BE, BOM_UTF32_LE)):
        raise RefusedError("utf32_bom", ordinal)
    if data.startswith((BOM_UTF16_BE, BOM_UTF16_LE)):
        raise RefusedError("utf16_bom", ordinal)
    if b"\0" in data:
        raise RefusedError("nul_byte", ordinal)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RefusedError("malformed_utf8", ordinal) from error


def _content(descriptor: int, ordinal: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    try:
        while size <= INPUT_LIMIT and (part := os.read(descriptor, INPUT_LIMIT + 1 - size)):
            parts.append(part)
            size += len(part)
    except OSError as error:
        raise RefusedError("unreadable", ordinal) from error
    if size > INPUT_LIMIT:
        raise RefusedError("input_too_large", ordinal)
    return b"".join(parts)


def _file(stack: ExitStack, root: str, folder: int, path: str, ordinal: int) -> tuple[int, os.stat_result]:
    """A descriptor of a regular file with one name, which `stack` closes, and its status."""
    parts = _parts(path, ordinal)
    if any(map(is_secret, (os.path.basename(os.path.abspath(root)), *parts))):
        raise RefusedError("secret_name", ordinal)
    try:
        descriptor = _open_beneath(folder, parts) if _BY_STEPS else _open_checked(root, parts)
    except OSError as error:
        raise RefusedError(_reason(error), ordinal) from error
    stack.callback(os.close, descriptor)
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise RefusedError("not_a_regular_file", ordinal)
    if status.st_nlink > 1:
        raise RefusedError("hard_link", ordinal)
    if status.st_size > INPUT_LIMIT:
        raise RefusedError("input_too_large", ordinal)
    return descriptor, status


def _parts(path: str, ordinal: int) -> list[str]:
    """The steps of a path relative to the root. One that could lead out of it is refused, even if it comes back."""
    if os.path.isabs(path) or os.path.splitdrive(path)[0] or not path:
        raise RefusedError("outside_root", ordinal)
    if "\0" in path:
        raise RefusedError("not_found", ordinal)
    parts = path.replace("\\", "/").split("/") if os.sep == "\\" else path.split("/")
    if ".." in parts:
        raise RefusedError("outside_root", ordinal)
    parts = [part for part in parts if part not in ("", ".")]
    if not parts:
        raise RefusedError("not_a_regular_file", ordinal)
    return parts


@contextmanager
def _root(root: str) -> Iterator[int]:
    """A descriptor of the root, reached without a symbolic link; -1 where the system cannot open by steps."""
    try:
        descriptor = _open_folder(root) if _BY_STEPS else _check_folder(root)
    except (OSError, ValueError) as error:
        reason = _reason(error) if isinstance(error, OSError) else "not_found"
        raise RefusedError(f"root_{reason}") from error
    try:
        yield descriptor
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def _open_folder(root: str) -> int:
    current = os.open("/" if os.path.isabs(root) else ".", _FOLDER)
    for part in root.split("/"):
        if part not in ("", "."):
            current = _step(current, part, _FOLDER)
    return current


def _open_beneath(folder: int, parts: Sequence[str]) -> int:
    current = os.dup(folder)
    for part in parts[:-1]:
        current = _step(current, part, _FOLDER)
    return _step(current, parts[-1], _FILE)


def _step(folder: int, name: str, flags: int) -> int:
    """Open an entry of a folder, and close the folder."""
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        if stat.S_ISLNK(mode):
            raise OSError(ELOOP, "symbolic link")
        if flags == _FILE and not stat.S_ISREG(mode):
            raise OSError(ENXIO, "not a regular file")  # opening a device can have effects
        return os.open(name, flags | _NO_FOLLOW, dir_fd=folder)
    finally:
        os.close(folder)


def _check_folder(root: str) -> int:
    whole = os.path.abspath(root)
    for place in (whole, *_above(whole)):
        _refuse_link(place)
    if not os.path.isdir(whole):
        raise OSError(ENOENT if not os.path.exists(whole) else ENOTDIR, "not a folder")
    return -1


def _open_checked(root: str, parts: Sequence[str]) -> int:
    place = os.path.abspath(root)
    for part in parts:
        place = os.path.join(place, part)
        _refuse_link(place)
    if not stat.S_ISREG(os.stat(place).st_mode):
        raise OSError(ENXIO, "not a regular file")
    return os.open(place, _FILE)


def _refuse_link(place: str) -> None:
    if os.path.islink(place) or (sys.version_info >= (3, 12) and os.path.isjunction(place)):
        raise OSError(ELOOP, "symbolic link")


def _above(place: str) -> Iterator[str]:
    while (parent := os.path.dirname(place)) != place:
        yield (place := parent)


def _reason(error: OSError) -> str:
    if error.errno in (ELOOP, EMLINK):
        return "symbolic_link"
    if error.errno == ENOENT:
        return "not_found"
    if error.errno == ENXIO:
        return "not_a_regular_file"
    if error.errno == ENOTDIR:
        return "not_a_folder"
    return "permission_denied" if error.errno in (EACCES, EPERM) else "unreadable"


def _state(status: os.stat_result) -> tuple[int, ...]:
    """What changes with the content or the name of a file; reading it changes none of these."""
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_nlink
