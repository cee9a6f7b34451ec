"""Which answers stay when there are too many."""

from indexer.link.cycles import declare
from indexer.link.keeping import file_of, files_to_keep
from indexer.link.linker import MAX_ANSWERS, OFTEN
from indexer.link.memo import Memo
from indexer.link.values import Value
from tests.indexer.link.trees import Tree


def test_the_file_of_a_question_is_that_of_its_first_argument() -> None:
    value = Value("instance", "b.py", 3)
    assert file_of(("a.py", 1, 0)) == "a.py"
    assert file_of((value,)) == "b.py"
    assert file_of(((value, Value("symbol", "c.py", 1)), "name")) == "b.py"
    assert file_of(((), "name")) == ""


def test_answers_about_the_files_that_most_ask_about_stay() -> None:
    tables: dict[str, list[tuple[str | int, ...]]] = {
        "f": [("much.py", 1), ("some.py", 1), ("own.py", 1)],
        "g": [("much.py",), ("some.py",)],
    }
    asked = {"much.py": 9, "some.py": 2, "elsewhere.py": 20}
    assert files_to_keep(tables, asked, 4) == {"much.py", "some.py"}
    assert files_to_keep(tables, asked, 3) == {"much.py"}
    assert files_to_keep(tables, asked, 1) == frozenset()


def test_what_is_forgotten_is_found_again() -> None:
    declare("method", "tuple[str, ...]")
    memo = Memo()
    found: list[str] = []

    def method(_: object, path: str) -> tuple[str, ...]:
        found.append(path)
        return (path,)

    def ask(path: str) -> object:
        node = memo.tables["method"].get((path,))
        return node.answer if node is not None else memo.answer("method", method, None, (path,))

    assert [ask("a.py"), ask("b.py")] == [("a.py",), ("b.py",)]
    memo.forget({"a.py": 1}, 1)
    assert memo.size() == 1
    assert [ask("a.py"), ask("b.py")] == [("a.py",), ("b.py",)]
    assert found == ["a.py", "b.py", "b.py"]


def test_where_answers_are_dropped_often_more_may_stay() -> None:
    sources = {f"m{n}.py": f"from m{n - 1} import f\ndef f():\n    return f()\n" for n in range(1, 8)}
    tree = Tree({"m0.py": "def f(): pass\n", **sources})
    links = [tree.linker.link(path) for path in sources]
    assert tree.linker.room == MAX_ANSWERS

    other = Tree(tree.sources)
    other.linker.room = 1
    assert [other.linker.link(path) for path in sources] == links
    assert other.linker.room in (2, 4, 8, 16, 32, 64)

    for _ in range(OFTEN):
        tree.linker.link("m1.py")
    tree.linker.room = 1
    assert tree.linker.link("m7.py") == links[-1]
    assert tree.linker.room == 1
