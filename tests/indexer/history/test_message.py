"""What is kept of a message, and what is not."""

from __future__ import annotations

from indexer.history.message import LIMIT, tidy


def test_words_are_kept_people_are_not() -> None:
    raw = (
        b"Fix login timeout (#12)\r\n\r\nThe session was dropped, see <ann@example.org>.\n\n\n\n"
        b"Co-authored-by: Bob Builder <bob@example.org>\nSigned-off-by: Ann\nReviewed-By: Carol\nFixes: #12\n"
    )
    assert tidy(raw) == "Fix login timeout (#12)\n\nThe session was dropped, see .\n\nFixes: #12"


def test_a_long_message_is_cut() -> None:
    text = tidy(b"word " * 10_000)
    assert len(text) <= LIMIT
    assert text.startswith("word word")


def test_bytes_that_are_no_text_and_encodings_that_are_not_known() -> None:
    assert tidy(b"caf\xe9", "latin-1") == "caf\u00e9"
    assert tidy(b"caf\xe9") == "caf\ufffd"
    assert tidy(b"plain", "no-such-encoding") == "plain"
    assert tidy(b"") == ""
