from __future__ import annotations

from pathlib import Path

from queries.session import Session
from queries.source import normalised
from tests.queries.conftest import AUTH


def test_text_is_read_as_extractors_read_it(session: Session, root: Path) -> None:
    assert normalised(session, "shop/auth.py") == AUTH.encode()
    (root / "shop/auth.py").write_bytes(b"\xef\xbb\xbfa = 1\r\nb = 2\r\n")
    assert normalised(session, "shop/auth.py") == b"a = 1\nb = 2\n"


def test_what_cannot_be_read_is_none(session: Session, root: Path) -> None:
    (root / "shop/auth.py").unlink()
    assert normalised(session, "shop/auth.py") is None
    assert normalised(session, "shop") is None
    (root / "shop/auth.py").write_bytes(b"\0\0binary\0")
    assert normalised(session, "shop/auth.py") is None
