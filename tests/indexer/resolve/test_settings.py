from __future__ import annotations

import time

from indexer.resolve.settings import MAX_BYTES, read_json, read_text, table, texts


def load(data: bytes) -> dict[str, object]:
    return read_json({"f": data}.get, "f")


def test_json_with_comments_and_trailing_commas() -> None:
    text = b'\xef\xbb\xbf{ // words, "quoted"\n "a": "x // y, ]", /* , */ "b": [1, 2,], "c": "/* no */", }'
    assert load(text) == {"a": "x // y, ]", "b": [1, 2], "c": "/* no */"}


def test_bad_json_is_no_configuration() -> None:
    for data in (b"", b"[1]", b"{", b'{"a": }', b"\xff{}", b'{"a":' * 100_000, b"[" * 100_000, b"// x"):
        assert load(data) == {}
    assert read_json(lambda path: None, "gone") == {}


def test_large_files_are_not_read() -> None:
    assert read_text(lambda path: b"x" * MAX_BYTES, "f") == "x" * MAX_BYTES
    assert read_text(lambda path: b"x" * (MAX_BYTES + 1), "f") == ""


def test_unterminated_comments_and_strings_take_linear_time() -> None:
    start = time.perf_counter()
    for piece in (b"/* ", b'"', b'\\"', b", ", b"//", b"/*/"):
        assert load(b"{" + piece * (900_000 // len(piece))) == {}
    assert time.perf_counter() - start < 5


def test_values_of_the_wrong_type_are_empty() -> None:
    assert table({"a": {"b": 1}}, "a", "b") == {}
    assert table({"a": {"b": {"c": 1}}}, "a", "b") == {"c": 1}
    assert texts("a") == ("a",)
    assert texts(["a", 1, None, "b"]) == ("a", "b")
    assert texts({"a": 1}) == ()
