from __future__ import annotations

import pytest

from queries.names import MOST, near


@pytest.mark.parametrize(
    ("name", "names", "expected"),
    [
        (
            "getuser",
            ["put_user", "get_user", "getUser"],
            ("getUser", "get_user"),
        ),  # case and underscores, shorter first
        ("log", ["logout", "catalogue", "login"], ("login", "logout")),  # begun by it: 3 of 5 letters before 3 of 6
        ("lgoin", ["logic", "login"], ("login",)),  # 4 of 5 letters in order; `logic` shares 3
        ("session_user_login", ["user", "login_session"], ("login_session",)),  # two of its three words
        ("Login", ["logins", "LOGIN"], ("LOGIN", "logins")),
        ("zebra", ["login"], ()),
        ("", ["login"], ()),
        ("__", ["__"], ()),
        ("login", ["", "_"], ()),
    ],
)
def test_near_names_nearest_first(name: str, names: list[str], expected: tuple[str, ...]) -> None:
    assert near(name, names) == expected


def test_no_more_than_a_few_and_in_a_stable_order() -> None:
    names = [f"login{letter}" for letter in "jihgfedcba"]
    assert near("login", names) == tuple(sorted(names)[:MOST])
