"""A small map made by hand, row by row, so that what queries answer is worked out without the indexer."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.blobs import blob_id
from indexer.evidence import AFTER, EVIDENCE
from indexer.model import Flag
from indexer.store.schema import APPLICATION_ID, LINK_INDEXES, MAP_TABLES, MAP_VERSION, SYMBOL_INDEXES
from queries.answers import Subgraph
from queries.session import Session
from queries.staleness import Present
from queries.tokens import Measure
from queries.words import parts

COMMIT = "c0ffee" + "0" * 34
BUILT = 1_700_000_000  # 2023-11-14T22:13:20Z


class MapBuilder:
    """Writes sources to `root` and rows that speak of them to a map."""

    def __init__(self, root: Path, *, first: int = 1, step: int = 1) -> None:
        """first, step: the ids of the symbols, which no answer may depend on."""
        self.root = root
        self.first, self.step = first, step
        self.path = root / "map.db"
        self.connection = sqlite3.connect(self.path)
        self.connection.executescript("PRAGMA journal_mode = WAL;" + MAP_TABLES)
        self.connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        self.connection.execute(f"PRAGMA user_version = {MAP_VERSION}")
        self.meta(version=str(MAP_VERSION), commit=COMMIT, head_time=str(BUILT), built_at="2023-11-14T22:13:20Z")
        self.files: dict[str, int] = {}
        self.ids: dict[str, int] = {}
        self.rows: dict[int, tuple[str, int, int]] = {}

    def meta(self, **values: str) -> None:
        self.connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())

    def file(self, path: str, source: str, *, header: str = "", language: str = "python", test: bool = False) -> None:
        """A file and its module symbol."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.encode())
        number = self.files[path] = len(self.files) + 1
        lines = source.count("\n")
        self.connection.execute(
            "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, 'committed', ?, ?, '[]', '[]')",
            (number, path, blob_id(source.encode()), language, len(source.encode()), lines, int(test), header),
        )
        stem = path.rpartition("/")[2].partition(".")[0]
        self._symbol(path, "<module>", "module", 1, max(1, lines), "", header, "", 0, name=stem)

    def symbol(
        self,
        place: str,
        kind: str,
        lines: tuple[int, int],
        *,
        signature: str = "",
        doc: str = "",
        body: str = "",
        often: str = "",
        flags: int = 0,
    ) -> int:
        """place: `path:qualname`; gives the symbol's id."""
        path, _, qualname = place.partition(":")
        return self._symbol(path, qualname, kind, *lines, signature, doc, body, flags, often=often)

    def edge(
        self,
        source: str,
        target: str,
        kind: str,
        line: int,
        evidence: str = "scope",
        *,
        receiver: str | None = None,
        made_by: str | None = None,
        place: int = 0,
    ) -> None:
        """made_by: the path of the file whose link made it, where that is not the source's. place: of a base among
        several, from 1."""
        file = self.files[made_by or source.partition(":")[0]]
        stands_in = self.ids[receiver] if receiver else place
        row = (self.ids[source], self.ids[target], kind, line, file, EVIDENCE.index(evidence), stands_in)
        self.connection.execute("INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def pending(self, source: str, name: str, line: int, *, receiver: str | None = None) -> None:
        row = (
            self.ids[source],
            name,
            line,
            self.files[source.partition(":")[0]],
            (-1 if name.startswith(AFTER) else 1) * self.ids[receiver] if receiver else 0,
        )
        self.connection.execute("INSERT INTO pending VALUES (?, ?, ?, ?, ?)", row)

    def done(self) -> Path:
        self.connection.executescript(SYMBOL_INDEXES + LINK_INDEXES)
        self.connection.commit()
        self.connection.close()
        return self.path

    def _symbol(
        self,
        path: str,
        qualname: str,
        kind: str,
        start: int,
        end: int,
        signature: str,
        doc: str,
        body: str,
        flags: int,
        name: str | None = None,
        often: str = "",
    ) -> int:
        symbol = self.first + self.step * len(self.rows)
        place = f"{path}:{qualname}"
        ordinal = sum(1 for other, _, _ in self.rows.values() if other == place)
        around = qualname.rpartition(".")[0] or "<module>"
        parent = 0 if qualname == "<module>" else self.ids[f"{path}:{around}"]
        last = qualname.rpartition(".")[2]
        self.ids.setdefault(place, symbol)
        self.rows[symbol] = (place, start, end)
        position = sum(1 for other, _, _ in self.rows.values() if other.startswith(path + ":")) - 1
        self.connection.execute(
            "INSERT INTO symbols VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?)",
            (
                symbol, self.files[path], position, last, qualname, ordinal, kind, parent, start, end, start,
                signature, doc, flags,
            ),
        )  # fmt: skip
        self.connection.execute(
            "INSERT INTO text (rowid, name, path, doc, often, body) VALUES (?, ?, ?, ?, ?, ?)",
            (symbol, " ".join(parts(name or last)), " ".join(parts(path)), f"{signature}\n{doc}", often, body),
        )
        return symbol


AUTH = '''"""Who is asking.

Longer words on that."""


def login(request, user):
    """Remember the user in the session."""
    request.session.flush()
    rotate_token(request)
    store = SessionStore()
    store.set_expiry(60)


def rotate_token(request):
    request.token = 1
'''

SESSIONS = '''"""Sessions and how long they live."""
from shop.auth import rotate_token

LIFETIME = 60


class SessionStore:
    """Keeps what a visitor said."""

    def flush(self):
        self.data = {}

    def set_expiry(self, seconds):
        """Set when the session times out."""
        self.seconds = seconds or LIFETIME

    def get_expiry(self):
        return self.seconds


class CachedStore(SessionStore):
    def flush(self):
        super().flush()
'''

VIEWS = """from shop.auth import login


def index(request):
    login(request, None)


def cart(request):
    return request.session.get_expiry()
"""

TESTS = """from shop.auth import login


def test_login():
    login(None, None)


def test_login_timeout():
    login(None, None)
"""

SCRIPT = """// Talks to the server.
export function login(name) {
  return fetch(name).flush()
}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of the shop's sources, with its map in `map.db`."""
    make = MapBuilder(tmp_path)
    shop(make)
    make.done()
    return tmp_path


@pytest.fixture
def session(root: Path) -> Iterator[Session]:
    with Session.open(str(root / "map.db"), str(root), current=lambda: Present(COMMIT, BUILT, 0)) as opened:
        yield opened


class PlainRenderer:
    """Every part of an answer in a few words, its own figures included."""

    def render(self, subgraph: Subgraph) -> str:
        tokens, omitted, state = subgraph.tokens, subgraph.omitted, subgraph.staleness
        out = [f"«{subgraph.query}» {tokens.estimate} of {tokens.budget} by {tokens.method}"]
        out += [f"{card.path}: {card.header}" for card in subgraph.files]
        out += [f"{node.path}:{node.qualname} {node.signature} {node.doc} {node.body}" for node in subgraph.nodes]
        out += [
            f"{edge.source.qualname} {edge.kind} {edge.target.qualname} {edge.line} {edge.resolution}"
            for edge in subgraph.edges
        ]
        out.append(f"omitted {omitted.symbols} {omitted.files} {omitted.edges}; {state.map_commit} {state.fresh}")
        return "\n".join(out)


@pytest.fixture
def renderer() -> PlainRenderer:
    return PlainRenderer()


@pytest.fixture
def measure() -> Measure:
    """Three characters a token."""
    return Measure()


def shop(make: MapBuilder) -> None:
    """A shop with sessions, its tests, and a script of its own."""
    make.file("shop/auth.py", AUTH, header="Who is asking.\n\nLonger words on that.")
    make.symbol(
        "shop/auth.py:login",
        "function",
        (6, 11),
        signature="def login(request, user)",
        doc="Remember the user in the session.",
        body="flush login remember request rotate session set store token user expiry",
    )
    make.symbol("shop/auth.py:rotate_token", "function", (14, 15), signature="def rotate_token(request)", body="token")
    make.file("shop/sessions.py", SESSIONS, header="Sessions and how long they live.")
    make.symbol("shop/sessions.py:LIFETIME", "variable", (4, 4))
    make.symbol(
        "shop/sessions.py:SessionStore",
        "class",
        (7, 18),
        signature="class SessionStore",
        doc="Keeps what a visitor said.",
    )
    make.symbol("shop/sessions.py:SessionStore.flush", "method", (10, 11), signature="def flush(self)", body="data")
    make.symbol(
        "shop/sessions.py:SessionStore.set_expiry",
        "method",
        (13, 15),
        signature="def set_expiry(self, seconds)",
        doc="Set when the session times out.",
        body="seconds timeout",
    )
    make.symbol("shop/sessions.py:SessionStore.get_expiry", "method", (17, 18), signature="def get_expiry(self)")
    make.symbol("shop/sessions.py:CachedStore", "class", (21, 23), signature="class CachedStore(SessionStore)")
    make.symbol("shop/sessions.py:CachedStore.flush", "method", (22, 23), signature="def flush(self)", body="super")
    make.file("shop/views.py", VIEWS)
    make.symbol("shop/views.py:index", "function", (4, 5), signature="def index(request)", body="login request")
    make.symbol("shop/views.py:cart", "function", (8, 9), signature="def cart(request)", body="session expiry get")
    make.file("tests/test_auth.py", TESTS, test=True)
    for name, lines in (("test_login", (4, 5)), ("test_login_timeout", (8, 9))):
        make.symbol(
            f"tests/test_auth.py:{name}", "function", lines, signature=f"def {name}()", body="login", flags=Flag.TEST
        )
    make.file("web/login.js", SCRIPT, header="Talks to the server.", language="javascript")
    make.symbol("web/login.js:login", "function", (2, 4), signature="function login(name)", body="fetch flush name")

    make.edge("shop/auth.py:login", "shop/auth.py:rotate_token", "calls", 9)
    make.edge("shop/auth.py:login", "shop/sessions.py:SessionStore", "calls", 10, "constructor")
    make.edge("shop/auth.py:login", "shop/sessions.py:SessionStore.set_expiry", "calls", 11, "type")
    make.edge("shop/sessions.py:<module>", "shop/auth.py:rotate_token", "imports", 2, "import")
    make.edge("shop/sessions.py:SessionStore.set_expiry", "shop/sessions.py:LIFETIME", "references", 15)
    make.edge("shop/sessions.py:CachedStore", "shop/sessions.py:SessionStore", "inherits", 21)
    make.edge("shop/sessions.py:CachedStore.flush", "shop/sessions.py:SessionStore.flush", "overrides", 22)
    make.edge("shop/sessions.py:CachedStore.flush", "shop/sessions.py:SessionStore.flush", "calls", 23, "inheritance")
    make.edge("shop/views.py:<module>", "shop/auth.py:login", "imports", 1, "import")
    make.edge("shop/views.py:index", "shop/auth.py:login", "calls", 5, "import")
    make.edge("tests/test_auth.py:<module>", "shop/auth.py:login", "imports", 1, "import")
    make.edge("tests/test_auth.py:test_login", "shop/auth.py:login", "calls", 5, "import")
    make.edge("tests/test_auth.py:test_login_timeout", "shop/auth.py:login", "calls", 9, "import")
    make.pending("shop/auth.py:login", "flush", 8)
    make.pending("shop/views.py:cart", "get_expiry", 9)
    make.pending("web/login.js:login", "flush", 3)
