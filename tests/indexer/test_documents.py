from __future__ import annotations

import pytest

from indexer.documents import WORD_LIMIT, documents, words
from indexer.model import Symbol


def symbol(text: bytes, part: bytes, kind: str = "function") -> Symbol:
    """A symbol whose range is where `part` stands in `text`."""
    start = text.index(part)
    first = text[:start].count(b"\n") + 1
    last = first + part.count(b"\n")
    return Symbol("", "", 0, kind, -1, -1, start, start + len(part), first, last, first, start, "", "", 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HTTPServerError2", ["http", "server", "error", "httpservererror2"]),
        ("login_timeout", ["login", "timeout", "logintimeout"]),
        ("__init__", ["init"]),
        ("getURL x", ["get", "url", "geturl"]),
        ("utf8 sha256", ["utf", "utf8", "sha", "sha256"]),
        ("Hello, hello HELLO", ["hello"]),
        ("def self return subject", ["subject"]),
        ("a1 7 42", ["a1"]),
        ("überGröße", ["über", "größe"]),
        ("привет_мир", ["привет", "мир"]),
        ("漢字変換", ["漢字変換", "漢字", "字変", "変換"]),
        ("字", ["字"]),
        ("e\u0301te\u0301", ["été"]),
        ("set用户名", ["set用户名", "用户", "户名"]),
        ("x" * 61, []),
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_what_is_said_often_is_said_once_more() -> None:
    text = b"def load(user):\n    user.load(userName)\n    return user\n"  # load twice, user four times
    assert documents(text, [symbol(text, text.rstrip())]) == ("load user name username\nuser",)


def test_each_symbol_has_its_own_text() -> None:
    text = b"""import os

class Shop:
    '''Sells things.'''
    price = compute(tax)

    def buy(self):
        def inner():
            return deep
        # a comment
        self.paid = "yes"

total = 0
"""
    module = symbol(text, text, "module")
    shop = symbol(text, text[text.index(b"class") : text.index(b"\n\ntotal")], "class")
    price = symbol(text, b"price = compute(tax)", "attribute")
    buy = symbol(text, text[text.index(b"def buy") : text.index(b"\n\ntotal")])
    inner = symbol(text, b"def inner():\n            return deep")
    paid = symbol(text, b'self.paid = "yes"', "attribute")
    assert documents(text, (module, shop, price, buy, inner, paid)) == (
        "import os total",
        "shop sells things price compute tax",
        "",
        "buy comment paid yes",
        "inner deep",
        "",
    )


def test_variable_of_several_lines_has_a_document() -> None:
    text = b"NAMES = [\n    'alpha',\n    'beta',\n]\nrest()\n"
    module = symbol(text, text, "module")
    names = symbol(text, text[: text.index(b"\nrest")], "variable")
    assert documents(text, (module, names)) == ("rest", "names alpha beta")


def test_many_words_are_cut() -> None:
    text = " ".join(f"word{'abcdefghij'[n % 10]}{'klmnopqrst'[n // 10 % 10]}{'uvwxyz'[n // 100]}" for n in range(600))
    found = documents(text.encode(), (symbol(text.encode(), text.encode(), "module"),))[0].split()
    assert found == text.split()[:WORD_LIMIT]


def test_ranges_in_any_order_and_broken_ones() -> None:
    text = "é = f(b)\ng(c)\n".encode()
    module = symbol(text, text, "module")
    broken = module._replace(start_byte=1, end_byte=10_000, kind="function")
    assert len(documents(text, (broken, module))) == 2
    assert documents(b"", ()) == ()
