from __future__ import annotations

from pathlib import Path

import pytest

from queries.session import Session
from queries.source import BODY_LINES, bodies, normalised
from tests.queries.conftest import AUTH, MapBuilder


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


def test_bodies_of_code_alone(session: Session) -> None:
    with session.read() as reader:
        rows = reader.symbols_in("shop/sessions.py")
    texts = {row.qualname: text for row in rows if (text := bodies(session, rows).get(row.id)) is not None}
    assert texts["SessionStore.flush"] == "    def flush(self):\n        self.data = {}"
    assert texts["CachedStore"] == ("class CachedStore(SessionStore):\n    def flush(self):\n        super().flush()")
    assert not {"<module>", "LIFETIME"} & texts.keys()


def test_a_file_that_has_become_shorter_has_no_body(session: Session, root: Path) -> None:
    (root / "shop/auth.py").write_text("def login(): ...\n")
    with session.read() as reader:
        assert bodies(session, reader.symbols_in("shop/auth.py")) == {}


@pytest.mark.parametrize(("length", "more"), [(BODY_LINES, 0), (BODY_LINES + 3, 3)])
def test_a_long_body_is_cut_and_says_so(tmp_path: Path, length: int, more: int) -> None:
    source = ["def long():", *(f"    step({number})" for number in range(length - 1))]
    make = MapBuilder(tmp_path)
    make.file("a.py", "\n".join(source) + "\n")
    make.symbol("a.py:long", "function", (1, length))
    with Session.open(str(make.done()), str(tmp_path)) as session, session.read() as reader:
        (text,) = bodies(session, reader.symbols_in("a.py")).values()
    lines = text.split("\n")
    assert lines[:BODY_LINES] == source[:BODY_LINES]
    assert lines[BODY_LINES:] == ([f"… {more} more lines"] if more else [])
