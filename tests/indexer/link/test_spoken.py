"""Keys of look-ups in words."""

from __future__ import annotations

import pytest

from indexer.link import spoken


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (".login", "login"),
        ("Session.flush", "Session.flush"),
        ("login()", "what a call of login gives"),
        ("login{}", "what login() does with what it is given"),
        ("login{:}", "the lines of calls in login()"),
        ("Session:", "the bases of Session"),
        ("Session[]", "the names Session declares"),
        ("Session.*", "whether Session has members"),
        (".*", "whether the module has members"),
        ("login@", "the calls of login"),
        ("=key", "what is set as .key from outside"),
        ("[]", "what is put into containers"),
        ("*", "its star imports and exports"),
        ("__all__", "the names it exports"),
    ],
)
def test_a_key_in_words(key: str, words: str) -> None:
    assert spoken(key) == words
