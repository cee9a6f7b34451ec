"""Words of names, and the rows of the text index."""

from __future__ import annotations

import pytest

from indexer.store.text import Described, split_name, text_rows


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("login", "login"),
        ("get_session_age", "get session age"),
        ("SessionMiddleware", "session middleware sessionmiddleware"),
        ("getHTTPStatus_code2", "get http status gethttpstatus code 2 code2"),
        ("__init__", "init"),
        ("HTTP2Server", "http 2 server http2server"),
        ("größeWert", "größe wert größewert"),
        ("登录页面_x", "登录页面 登录 录页 页面 x"),
        ("a/b_c/SomeFile.test.ts", "a b c some file somefile test ts"),
        ("", ""),
    ],
)
def test_names_are_split_at_case_digits_and_underscores(name: str, words: str) -> None:
    assert split_name(name) == words


def row(name: str, signature: str, doc: str) -> tuple[object, ...]:
    return (name, name, 0, "function", 0, -1, 0, 9, 1, 2, 1, 4, signature, doc, 0)


def test_a_row_holds_name_path_signature_with_doc_and_body() -> None:
    facts = Described(
        (row("<module>", "", "First line."), row("loadUser", "def loadUser(id)", "Read it.")),
        ("a b", "query run\nquery"),
        "First line.\nSecond line.",
        9,
        (),
        (),
    )
    assert text_rows("app/users.py", facts, [7, 8]) == [
        (7, "users", "app users py", "First line.\nSecond line.", "", "a b"),
        (8, "load user loaduser", "app users py", "def loadUser(id)\nRead it.", "query", "query run"),
    ]


@pytest.mark.parametrize(
    ("path", "name"), [("app/auth/__init__.py", "auth"), ("web/lib/index.ts", "lib"), ("__init__.py", "init")]
)
def test_the_module_of_a_folder_is_named_after_it(path: str, name: str) -> None:
    facts = Described((row("<module>", "", ""),), ("",), "", 0, (), ())
    assert text_rows(path, facts, [1])[0][1] == name
