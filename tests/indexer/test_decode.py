from __future__ import annotations

import pytest

from indexer.decode import Skip, normalise


@pytest.mark.parametrize(
    ("raw", "text", "notes"),
    [
        (b"", "", ()),
        ("é = 1\n".encode(), "é = 1\n", ()),
        (b"\xef\xbb\xbfa = 1\n", "a = 1\n", ()),
        (b"a\r\nb\rc\n\r\n", "a\nb\nc\n\n", ()),
        ("ä\r\n漢".encode("utf-16"), "ä\n漢", ("decoded as utf-16",)),
        (b"\xfe\xff" + "x = 'é'".encode("utf-16-be"), "x = 'é'", ("decoded as utf-16",)),
        (b"caf\xe9", "café", ("decoded as latin-1: not valid UTF-8",)),
        (b"# -*- coding: latin-1 -*-\ncaf\xe9", "# -*- coding: latin-1 -*-\ncafé", ("decoded as latin-1",)),
        (b"#!\r\n# vim: fileencoding=cp1251\r\n\xe6", "#!\n# vim: fileencoding=cp1251\nж", ("decoded as cp1251",)),
        (b"# coding: cp1251\nascii", "# coding: cp1251\nascii", ()),
        (b"# coding: shift_jis\n\x83\x8d", "# coding: shift_jis\nロ", ("decoded as shift-jis",)),
        (b"# coding: UTF-8\n\xc3\xa9", "# coding: UTF-8\né", ()),
        (b"x = 1\n# coding: cp1251\n\xc3\xa9", "x = 1\n# coding: cp1251\né", ()),
        (b"# coding: nonsense\n\xe9", "# coding: nonsense\né", ("decoded as latin-1: not valid NONSENSE",)),
        (b"# coding: ascii\n\xe9", "# coding: ascii\né", ("decoded as latin-1: not valid ASCII",)),
        (b"# coding: rot13\nabc\xe9", "# coding: rot13\nabcé", ("decoded as latin-1: not valid ROT13",)),
        (b"# coding: idna\nabc", "# coding: idna\nabc", ("decoded as latin-1: not valid IDNA",)),
    ],
)  # fmt: skip
def test_text(raw: bytes, text: str, notes: tuple[str, ...]) -> None:
    assert normalise(raw) == (text.encode(), notes)


def test_plain_text_is_not_copied() -> None:
    raw = b"x = 1\n"
    result = normalise(raw)
    assert result[0] is raw


@pytest.mark.parametrize("raw", [b"\x7fELF\0\0", b"x = 1\n\0", "x".encode("utf-32"), "x = 1".encode("utf-16-le")])
def test_binary(raw: bytes) -> None:
    assert normalise(raw) == Skip("binary: NUL byte")
