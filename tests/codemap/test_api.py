"""The Python API on a real map."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codemap import AmbiguousError, BudgetTooSmallError, CodeMap, NotFoundError, RepositoryError, StoreError
from indexer.store.connect import remembered
from queries.tokens import Measure


@pytest.fixture
def shop_map(shop: Path) -> Iterator[CodeMap]:
    with CodeMap.open(shop, build=False) as code_map:
        yield code_map


def test_a_subgraph_costs_what_it_says(shop_map: CodeMap) -> None:
    answer = shop_map.subgraph("login timeout", budget=300)
    text = shop_map.render(answer)
    assert shop_map.measure.count(text) <= answer.tokens.estimate <= 300
    assert {"login", "Session.is_expired"} <= {node.qualname for node in answer.nodes[:4]}
    assert answer.staleness.fresh
    in_json = shop_map.subgraph("login timeout", budget=600, form="json")
    assert shop_map.measure.count(shop_map.render(in_json, "json")) <= in_json.tokens.estimate <= 600


def test_bodies_and_hops(shop_map: CodeMap) -> None:
    with_bodies = shop_map.subgraph("Session.flush", include_bodies=True)
    assert any(node.body and "self.data.clear()" in node.body for node in with_bodies.nodes)
    hops = {
        number: {node.qualname: node.hop for node in shop_map.subgraph("expires_at", hops=number).nodes}
        for number in (0, 1, 2)
    }
    assert {reached["Session.expires_at"] for reached in hops.values()} == {0}
    assert hops[0].keys() <= hops[1].keys() <= hops[2].keys()
    assert hops[0].keys() < hops[2].keys()


def test_another_measure(shop: Path) -> None:
    letters = Measure(method="letters", characters_per_token=1.0)
    with CodeMap.open(shop, build=False, measure=letters) as code_map:
        answer = code_map.subgraph("login", budget=900)
        assert len(code_map.render(answer)) <= 900
        assert answer.tokens.method == "letters"


def test_questions_about_symbols(shop_map: CodeMap) -> None:
    (flush,) = shop_map.symbol("Session.flush")
    assert (flush.path, flush.start_line) == ("shop/sessions.py", 31)
    assert {node.qualname for node in shop_map.find("is_expired")} == {
        "Session.is_expired",
        "RememberedSession.is_expired",
    }
    assert {edge.source.qualname for edge in shop_map.callers("Session.flush").edges} == {"login", "logout"}
    assert {edge.target.qualname for edge in shop_map.callees("rotate_token").edges} == {"new_token"}
    assert "checkout" in {edge.source.qualname for edge in shop_map.references("require_login").edges} | {
        "checkout" if edge.line == 21 else "" for edge in shop_map.references("require_login").edges
    }
    assert [node.qualname for node in shop_map.path("login", "new_token").nodes] == [
        "login",
        "rotate_token",
        "new_token",
    ]
    assert [node.qualname for node in shop_map.definition("shop/cart.py", 18, 20)] == ["with_tax"]


def test_questions_about_files(shop_map: CodeMap) -> None:
    assert {edge.target for edge in shop_map.dependencies("shop/cart.py").edges} == {"shop/auth.py", "shop/prices.py"}
    assert {edge.source for edge in shop_map.dependents("shop/prices.py").edges} == {"shop/cart.py"}


def test_everything(shop_map: CodeMap) -> None:
    kinds = {edge.kind for edge in shop_map.edges()}
    assert {"contains", "imports", "calls", "inherits", "overrides"} <= kinds
    assert {edge.kind for edge in shop_map.edges(["inherits"])} == {"inherits"}
    assert sum(shop_map.status().symbols.values()) == len(list(shop_map.symbols()))
    assert shop_map.staleness(["shop/auth.py"]).differing == ()


def test_what_is_left_half_read_ends_with_the_map(shop: Path) -> None:
    code_map = CodeMap.open(shop, build=False)
    edges, symbols = code_map.edges(), code_map.symbols()
    assert next(edges).kind == "contains"
    assert next(symbols).qualname == "<module>"
    code_map.close()
    assert list(edges) == []
    assert list(symbols) == []


def test_an_answer_becomes_a_graph(shop_map: CodeMap) -> None:
    import networkx

    graph = shop_map.graph(shop_map.subgraph("login"))
    names = {data["qualname"]: node for node, data in graph.nodes(data=True)}
    assert networkx.has_path(graph, names["login"], names["new_token"])
    assert shop_map.graph(shop_map.dependents("shop/prices.py")).has_edge("shop/cart.py", "shop/prices.py")
    assert shop_map.graph().number_of_nodes() == len(list(shop_map.symbols()))


def test_errors(shop_map: CodeMap) -> None:
    with pytest.raises(NotFoundError) as unknown:
        shop_map.callers("curent_session")
    assert "current_session" in unknown.value.suggestions
    with pytest.raises(AmbiguousError) as several:
        shop_map.callers("is_expired")
    assert "shop/sessions.py:Session.is_expired" in several.value.choices
    with pytest.raises(BudgetTooSmallError) as small:
        shop_map.subgraph("login", budget=1)
    assert shop_map.subgraph("login", budget=small.value.smallest).nodes
    with pytest.raises(ValueError, match="no such form"):
        shop_map.subgraph("login", form="xml")  # type: ignore[arg-type]


def test_threads_take_turns(shop_map: CodeMap) -> None:
    answers: list[tuple[str, ...]] = []

    def ask() -> None:
        answers.extend(tuple(node.qualname for node in shop_map.subgraph("session timeout").nodes) for _ in range(5))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 20
    assert len(set(answers)) == 1


def test_opening_builds_what_is_missing(tmp_path: Path, repository: Callable[[Path], None]) -> None:
    folder = tmp_path / "new"
    repository(folder)
    with pytest.raises(StoreError, match="codemap index"):
        CodeMap.open(folder, build=False)
    said: list[str] = []
    with CodeMap.open(folder / "shop", notice=said.append) as code_map:
        assert code_map.root == folder.resolve()
        assert code_map.map_path.is_file()
        assert said == [f"there is no map yet: building one of {folder.resolve()}"]
        (folder / "shop" / "late.py").write_text("def late():\n    return 1\n")
        assert code_map.update().extracted == 1
        assert code_map.symbol("late")[0].path == "shop/late.py"
        assert not code_map.verify().differences


def test_a_damaged_map_is_built_anew(tmp_path: Path, repository: Callable[[Path], None]) -> None:
    folder = tmp_path / "damaged"
    repository(folder)
    with CodeMap.open(folder) as code_map:
        place = code_map.map_path
    place.write_bytes(b"not a database at all" * 1000)
    with pytest.raises(StoreError):
        CodeMap.open(folder, build=False)
    with CodeMap.open(folder) as code_map:
        assert code_map.symbol("login")


@pytest.mark.parametrize("name", ["nowhere", "nul\0"])
def test_no_such_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(RepositoryError):
        CodeMap.open(tmp_path / name)


def test_submodules_by_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    seen = []
    for line in ("submodules = true\n", "budget = 100\n", "submodules = false\n"):
        (tmp_path / "codemap.toml").write_text(line)
        CodeMap.index(tmp_path, jobs=1)
        seen.append(remembered(str(tmp_path / ".codemap"), "submodules"))
    assert seen == ["yes", "yes", "no"]
