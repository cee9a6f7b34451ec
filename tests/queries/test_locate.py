from __future__ import annotations

import pytest

from queries.locate import FILE, FRAME, NAMED, NAMED_IN_TEXT, _parts, exactly, innermost, matching_paths, named_in
from queries.session import Session
from queries.words import Place, understand

TRACE = """Traceback (most recent call last):
  File "/srv/app/shop/views.py", line 5, in index
  File "/srv/app/shop/auth.py", line 9, in login
KeyError
"""


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("a/b.py", ["a/b.py"]),
        ("./a/b.py", ["a/b.py"]),
        ("b.py", ["a/b.py", "c/b.py"]),
        ("/srv/x/a/b.py", ["a/b.py"]),  # from another machine
        ("/srv/x/c/d/e.py", ["c/d/e.py"]),  # `d/e.py` ends it too, but shares less
        ("xb.py", []),
        ("", []),
    ],
)
def test_paths_that_a_path_means(wanted: str, expected: list[str]) -> None:
    assert matching_paths(["a/b.py", "c/b.py", "c/d/e.py", "d/e.py"], wanted) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("flush", ["SessionStore.flush", "CachedStore.flush"]),
        ("CachedStore.flush", ["CachedStore.flush"]),
        ("Store.flush", []),  # names end at dots
        ("Flush", []),
        ("flush.", []),
        ("", []),
    ],
)
def test_names_are_exact(session: Session, name: str, expected: list[str]) -> None:
    with session.read() as reader:
        assert [row.qualname for row in exactly(reader, name)] == expected


@pytest.mark.parametrize(
    ("path", "line", "expected"),
    [
        ("shop/auth.py", 9, ["login"]),
        ("shop/auth.py", 12, ["<module>"]),  # between two functions
        ("shop/sessions.py", 14, ["SessionStore.set_expiry"]),
        ("shop/sessions.py", 7, ["SessionStore"]),
        ("shop/sessions.py", 4, ["<module>"]),  # a variable is no code to stand in
        ("/elsewhere/shop/auth.py", 14, ["rotate_token"]),
        ("shop/auth.py", 999, []),
        ("shop/none.py", 1, []),
    ],
)
def test_the_smallest_symbol_around_a_line(session: Session, path: str, line: int, expected: list[str]) -> None:
    with session.read() as reader:
        assert [row.qualname for row in innermost(reader, Place(path, line))] == expected


def certainties(session: Session, text: str) -> dict[str, float]:
    with session.read() as reader:
        found = named_in(reader, understand(text))
        rows = reader.symbols(found)
    return {f"{rows[symbol].path}:{rows[symbol].qualname}": weight for symbol, weight in found.items()}


def test_a_question_that_is_a_name_is_about_it(session: Session) -> None:
    assert certainties(session, "rotate_token") == {"shop/auth.py:rotate_token": NAMED}
    assert certainties(session, "shop/auth.py:login")["shop/auth.py:login"] == NAMED


def test_tests_and_variables_count_less(session: Session) -> None:
    assert certainties(session, "test_login") == {"tests/test_auth.py:test_login": 0.5 * NAMED}
    assert certainties(session, "LIFETIME") == {"shop/sessions.py:LIFETIME": 0.6 * NAMED}


def test_a_name_in_a_text_is_surer_than_its_words(session: Session) -> None:
    assert certainties(session, "why does `set_expiry` not last") == {
        "shop/sessions.py:SessionStore.set_expiry": NAMED_IN_TEXT
    }
    assert certainties(session, "nobody is named here") == {}


def test_frames_count_less_outwards(session: Session) -> None:
    assert certainties(session, TRACE) == {"shop/auth.py:login": FRAME, "shop/views.py:index": 0.6 * FRAME}


def test_a_file_named_brings_its_symbols_the_module_first(session: Session) -> None:
    assert certainties(session, "what is shop/auth.py for") == {
        "shop/auth.py:<module>": 2 * FILE,
        "shop/auth.py:login": 0.3 * FILE,
        "shop/auth.py:rotate_token": 0.3 * FILE,
    }


def test_a_very_short_part_of_a_dotted_name_is_no_symbol(session: Session) -> None:
    with session.read() as reader:
        assert named_in(reader, understand("see login.rst for it")) != {}
        assert named_in(reader, understand("see lo.rst for it")) == {}
        assert _parts("x.rst.login") == ["rst", "login"]
