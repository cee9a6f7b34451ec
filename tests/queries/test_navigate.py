from __future__ import annotations

from pathlib import Path

import pytest

from indexer.errors import AmbiguousError, NotFoundError
from indexer.ports import Definition
from queries import navigate
from queries.answers import Edge, Node
from queries.session import Session
from tests.queries.conftest import AUTH, MapBuilder


def names(nodes: tuple[Node, ...]) -> list[str]:
    return [f"{node.path}:{node.qualname}" for node in nodes]


def pairs(edges: tuple[Edge, ...]) -> list[tuple[str, str, int]]:
    return [(edge.source.qualname, edge.target.qualname, edge.line) for edge in edges]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rotate_token", ["shop/auth.py:rotate_token"]),
        ("login", ["shop/auth.py:login", "web/login.js:login"]),
        ("SessionStore.flush", ["shop/sessions.py:SessionStore.flush"]),
        ("SessionStore::flush", ["shop/sessions.py:SessionStore.flush"]),
        ("flush", ["shop/sessions.py:SessionStore.flush", "shop/sessions.py:CachedStore.flush"]),
        ("shop/auth.py:login", ["shop/auth.py:login"]),
        ("auth.py:login", ["shop/auth.py:login"]),
        ("shop/sessions.py:14", ["shop/sessions.py:SessionStore.set_expiry"]),
        ("shop/sessions.py:8", ["shop/sessions.py:SessionStore"]),
        ("shop/sessions.py:2", ["shop/sessions.py:<module>"]),
        ("shop/auth.py", ["shop/auth.py:<module>"]),
        ("sessionstore.FLUSH", ["shop/sessions.py:SessionStore.flush"]),
        ("Store.flush", []),
        ("", []),
    ],
)
def test_names_lead_to_symbols(session: Session, name: str, expected: list[str]) -> None:
    assert names(navigate.find_symbols(session, name)) == expected


def test_an_ambiguous_name_lists_what_to_type(session: Session) -> None:
    with pytest.raises(AmbiguousError) as caught:
        navigate.one_symbol(session, "flush")
    assert caught.value.choices == ("shop/sessions.py:SessionStore.flush", "shop/sessions.py:CachedStore.flush")
    for choice in caught.value.choices:
        assert names(navigate.one_symbol(session, choice)) == [choice]


@pytest.mark.parametrize(
    ("wrong", "near"),
    [("rotate_tokn", "rotate_token"), ("RotateToken", "rotate_token"), ("rot", "rotate_token"), ("logins", "login")],
)
def test_an_unknown_name_suggests_near_ones(session: Session, wrong: str, near: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        navigate.one_symbol(session, wrong)
    assert caught.value.suggestions[0] == near


def test_definitions_of_one_name_in_one_file_are_one_answer(tmp_path: Path) -> None:
    make = MapBuilder(tmp_path)
    make.file("a.py", "if 1:\n    def f(): ...\nelse:\n    def f(): ...\n")
    first = make.symbol("a.py:f", "function", (2, 2))
    second = make.symbol("a.py:f", "function", (4, 4))
    make.file("b.py", "from a import f\nf()\n")
    for target in (first, second):
        make.connection.execute(
            "INSERT INTO edges VALUES (?, ?, 'calls', 2, 2, 1, 0)", (make.ids["b.py:<module>"], target)
        )
    make.done()
    with Session.open(str(tmp_path / "map.db"), str(tmp_path)) as session:
        assert [node.start_line for node in navigate.one_symbol(session, "f")] == [2, 4]
        assert pairs(navigate.callers(session, "f").edges) == [("<module>", "f", 2), ("<module>", "f", 2)]


def test_callers_hold_candidates_apart(session: Session) -> None:
    found = navigate.callers(session, "SessionStore.flush")
    assert pairs(found.edges) == [("CachedStore.flush", "SessionStore.flush", 23)]
    assert pairs(found.candidates) == [("login", "SessionStore.flush", 8)]
    assert {edge.resolution for edge in found.candidates} == {"candidate"}


def test_callers_and_callees_are_calls_alone(session: Session) -> None:
    assert pairs(navigate.callers(session, "shop/auth.py:login").edges) == [
        ("index", "login", 5),
        ("test_login", "login", 5),
        ("test_login_timeout", "login", 9),
    ]
    found = navigate.callees(session, "shop/auth.py:login")
    assert pairs(found.edges) == [
        ("login", "rotate_token", 9),
        ("login", "SessionStore", 10),
        ("login", "SessionStore.set_expiry", 11),
    ]
    assert pairs(found.candidates) == [("login", "SessionStore.flush", 8), ("login", "CachedStore.flush", 8)]


def test_references_are_of_every_kind(session: Session) -> None:
    found = navigate.references(session, "rotate_token")
    assert [(edge.kind, edge.source.path, edge.line) for edge in found.edges] == [
        ("calls", "shop/auth.py", 9),
        ("imports", "shop/sessions.py", 2),
    ]


def test_a_name_that_many_bear_gives_no_candidates(tmp_path: Path) -> None:
    make = MapBuilder(tmp_path)
    make.file("a.py", "x.get()\n" + "".join(f"class C{n}:\n    def get(self): ...\n" for n in range(6)))
    for number in range(6):
        make.symbol(f"a.py:C{number}", "class", (2 * number + 2, 2 * number + 3))
        make.symbol(f"a.py:C{number}.get", "method", (2 * number + 3, 2 * number + 3))
    make.pending("a.py:<module>", "get", 1)
    make.done()
    with Session.open(str(tmp_path / "map.db"), str(tmp_path)) as session:
        assert navigate.callers(session, "C0.get").candidates == ()
        assert navigate.callees(session, "a.py").candidates == ()


def test_files_depend_on_files(session: Session) -> None:
    found = navigate.dependencies(session, "shop/auth.py")
    assert [(edge.target, edge.kinds, edge.lines) for edge in found.edges] == [
        ("shop/sessions.py", (("calls", 2),), (10, 11))
    ]
    incoming = navigate.dependents(session, "auth.py")
    assert incoming.path == "shop/auth.py"
    assert [(edge.source, edge.kinds, edge.lines) for edge in incoming.edges] == [
        ("tests/test_auth.py", (("calls", 2), ("imports", 1)), (1,)),
        ("shop/views.py", (("calls", 1), ("imports", 1)), (1,)),
        ("shop/sessions.py", (("imports", 1),), (2,)),
    ]


def test_an_unknown_file_suggests_near_ones(session: Session) -> None:
    with pytest.raises(NotFoundError) as caught:
        navigate.dependencies(session, "lib/views.py")
    assert caught.value.suggestions == ("shop/views.py",)


def test_all_edges_stream_in_order_with_candidates_last(session: Session) -> None:
    edges = list(navigate.all_edges(session))
    resolved = [edge for edge in edges if edge.resolution == "resolved"]
    assert len(resolved) == 13
    assert edges[:13] == resolved
    assert [(e.source.path, e.line) for e in resolved] == sorted((e.source.path, e.line) for e in resolved)
    assert pairs(tuple(edges[13:])) == [
        ("login", "SessionStore.flush", 8),
        ("login", "CachedStore.flush", 8),
        ("cart", "SessionStore.get_expiry", 9),
    ]
    assert {edge.kind for edge in navigate.all_edges(session, ["inherits"])} == {"inherits"}


def test_all_symbols_stream_by_path_and_line(session: Session) -> None:
    found = [(node.path, node.start_line) for node in navigate.all_symbols(session)]
    assert found == sorted(found)
    assert len(found) == 19


class OneAnswer:
    """A linker that follows every name to one place, and keeps what it was asked."""

    def __init__(self, answer: Definition) -> None:
        self.answer = answer
        self.asked: list[tuple[str, int]] = []

    def definition(self, path: str, position: int) -> tuple[Definition, ...]:
        self.asked.append((path, position))
        return (self.answer,)


def test_definition_maps_columns_to_bytes_and_back(session: Session, root: Path) -> None:
    (root / "shop" / "views.py").write_bytes("\ufeffdef é(): pass\r\nç = 'ü'; login()\r\n".encode())
    position = AUTH.encode().index(b"login(")
    linker = OneAnswer(Definition("shop/auth.py", "login", "function", position, 1, "import"))
    (found,) = navigate.definition(session, "shop/views.py", 2, 9, lambda: linker)
    # "def é(): pass\n" is 15 bytes, "ç = 'ü'; " eleven.
    assert linker.asked == [("shop/views.py", 26)]
    assert (found.qualname, found.name_line, found.column, found.signature) == (
        "login", 6, 4, "def login(request, user)",
    )  # fmt: skip


def test_definition_of_a_local_is_where_it_is_bound(session: Session) -> None:
    position = AUTH.index("request, user")
    linker = OneAnswer(Definition("shop/auth.py", "login.request", "parameter", position, -1, "scope"))
    (found,) = navigate.definition(session, "shop/auth.py", 8, 4, lambda: linker)
    assert (found.kind, found.name_line, found.column) == ("parameter", 6, 10)


@pytest.mark.parametrize(("line", "column"), [(0, 0), (99, 0), (1, 99), (1, -1)])
def test_definition_outside_the_file_is_not_found(session: Session, line: int, column: int) -> None:
    linker = OneAnswer(Definition("", "", "", 0, 0, ""))
    with pytest.raises(NotFoundError):
        navigate.definition(session, "shop/auth.py", line, column, lambda: linker)
    with pytest.raises(NotFoundError):
        navigate.definition(session, "no.py", 1, 0, lambda: linker)
