"""Symbols of Python: names, kinds, lines, signatures, documentation and flags, worked out by hand."""

from __future__ import annotations

from indexer.languages.python import Python
from indexer.model import FileFacts, Flag, Symbol


def facts(source: str) -> FileFacts:
    return Python().extract(source.encode())


def names(found: FileFacts) -> list[tuple[str, str]]:
    return [(symbol.kind, symbol.qualname) for symbol in found.symbols[1:]]


def symbol(found: FileFacts, qualname: str, ordinal: int = 0) -> Symbol:
    return next(row for row in found.symbols if (row.qualname, row.ordinal) == (qualname, ordinal))


def flags(source: str, qualname: str) -> Flag:
    return Flag(symbol(facts(source), qualname).flags) & ~Flag.EXPORTED


def test_the_module_comes_first() -> None:
    found = facts("x = 1\n")
    row = found.symbols[0]
    assert (row.name, row.qualname, row.kind, row.parent, row.scope) == ("<module>", "<module>", "module", -1, 0)
    assert (row.start_byte, row.end_byte, row.start_line, row.end_line) == (0, 6, 1, 1)
    assert found.scopes[0] == ("module", -1, 0)


def test_an_empty_file() -> None:
    found = facts("")
    assert len(found.symbols) == 1
    assert (found.symbols[0].start_line, found.symbols[0].end_line, found.line_lengths) == (1, 1, ())
    assert found.exports is None


def test_nested_definitions_are_named_without_locals() -> None:
    found = facts(
        "class A:\n    def m(self):\n        def inner(): pass\n        class B:\n            def n(self): pass\n"
    )
    assert names(found) == [
        ("class", "A"), ("method", "A.m"), ("function", "A.m.inner"), ("class", "A.m.B"), ("method", "A.m.B.n"),
    ]  # fmt: skip
    assert [row.parent for row in found.symbols] == [-1, 0, 1, 2, 2, 4]


def test_a_repeated_name_has_an_ordinal() -> None:
    found = facts("def f(): pass\ndef f(a): pass\n")
    assert [(row.qualname, row.ordinal) for row in found.symbols[1:]] == [("f", 0), ("f", 1)]


def test_lines_and_bytes_of_a_decorated_definition() -> None:
    source = "import a\n\n@a.b\n@c\nasync def f(\n    x,\n) -> int:\n    return x\n    # not part of it\n\ny = 1\n"
    row = symbol(facts(source), "f")
    assert (row.start_line, row.name_line, row.end_line) == (3, 5, 8)
    assert source[row.start_byte : row.end_byte].startswith("@a.b")
    assert source[row.start_byte : row.end_byte].endswith("return x")
    assert source[row.name_byte :].startswith("f(\n")
    assert row.signature == "async def f(x) -> int"


def test_a_definition_ends_with_its_last_statement_however_deep() -> None:
    found = facts("def f():\n    if a:\n        for b in c:\n            d()\n            # e\n        # f\n    # g\n")
    assert symbol(found, "f").end_line == 4


def test_lambdas_are_numbered_in_the_order_of_the_syntax_tree() -> None:
    found = facts(
        "a = lambda: (lambda: 1)\n"
        "class C:\n"
        "    b = lambda: 2\n"
        "    c = [lambda: 3 for _ in (lambda: 4)()]\n"
        "@d(lambda: 8)\n"
        "def f(x=lambda: 6, *, y=lambda: 5):\n"
        "    return lambda: 7\n"
    )
    lines = {row.qualname: found_text(row) for row in found.symbols if row.kind == "lambda"}
    assert lines == {
        "<lambda1>": "lambda: (lambda: 1)",
        "<lambda1>.<lambda1>": "lambda: 1",
        "C.<lambda1>": "lambda: 2",
        "C.<lambda2>": "lambda: 3",
        "C.<lambda3>": "lambda: 4",
        "f.<lambda1>": "lambda: 5",
        "f.<lambda2>": "lambda: 6",
        "f.<lambda3>": "lambda: 7",
        "f.<lambda4>": "lambda: 8",
    }


def found_text(row: Symbol) -> str:
    return row.signature


def test_lambdas_of_a_conditional_expression_start_with_the_condition() -> None:
    found = facts("a = (lambda: 2) if (lambda: 1) else (lambda: 3)\n")
    assert [(row.qualname, row.signature) for row in found.symbols if row.kind == "lambda"] == [
        ("<lambda1>", "lambda: 1"), ("<lambda2>", "lambda: 2"), ("<lambda3>", "lambda: 3"),
    ]  # fmt: skip


def test_a_default_value_is_code_of_the_scope_around() -> None:
    found = facts("def f(x=lambda: g()): pass\n")
    row = symbol(found, "f.<lambda1>")
    assert found.scopes[row.scope].parent == 0
    assert found.symbols[row.parent].qualname == "f"


def test_module_variables_once_a_name() -> None:
    found = facts(
        "A = 1\nA = 2\nb, (c, *d) = e\nf: int\nfor g in A: h = 1\nwith a as i: pass\nif (j := 1): pass\nk += 1\n"
    )
    assert names(found) == [("variable", name) for name in ("A", "b", "c", "d", "f", "g", "h", "i", "j", "k")]


def test_what_a_function_assigns_to_a_global_is_a_variable_of_the_module() -> None:
    found = facts("def f():\n    global a\n    a = 1\n    b = 2\n")
    assert names(found) == [("function", "f"), ("variable", "a")]


def test_attributes_of_a_class_and_of_its_objects() -> None:
    found = facts(
        "class C:\n"
        "    a = 1\n"
        "    b: int\n"
        "    def __init__(this, p):\n"
        "        this.a = p\n"
        "        this.c: str = p\n"
        "        this.d, this.e.f = p\n"
        "        with p as this.g: pass\n"
        "        for this.h in p: pass\n"
        "        this.i += 1\n"
        "        def inner(): this.j = 1\n"
        "        def other(this): this.no = 1\n"
        "        x = lambda: setattr(this, 'no', 1)\n"
        "    @staticmethod\n"
        "    def s(self): self.no = 1\n"
        "    @classmethod\n"
        "    def make(cls): cls.k = 1\n"
        "    def later(self): self.later = self.c = 1\n"
    )
    attributes = {row.qualname: Flag(row.flags) for row in found.symbols if row.kind == "attribute"}
    instance = Flag.INSTANCE | Flag.EXPORTED
    assert attributes == {
        "C.a": Flag.EXPORTED, "C.b": Flag.EXPORTED, "C.k": Flag.EXPORTED,
        "C.c": instance, "C.d": instance, "C.g": instance, "C.h": instance, "C.i": instance, "C.j": instance,
    }  # fmt: skip
    rows = [(row.name, found.symbols[row.target].qualname) for row in found.attributes]
    assert [name for name, _ in rows] == ["a", "c", "d", "g", "h", "i", "j", "k", "later", "c"]
    assert dict(rows)["later"] == "C.later"
    assert symbol(found, "C.later").kind == "method"
    scope = symbol(found, "C").scope
    assert {row.scope for row in found.attributes} == {scope}
    assert found.attributes[0].origin == symbol(found, "C.__init__").scope


def test_a_receiver_that_is_bound_anew_is_no_receiver() -> None:
    found = facts("class C:\n    def m(self):\n        self.a = 1\n        self = other\n        self.b = 1\n")
    assert [row.name for row in found.attributes] == ["a"]


def test_signatures() -> None:
    found = facts(
        "class A(B,  # why\n        metaclass=C): pass\n"
        "def f(a: int,\n      *args: str, # note\n      b='x  # y', **kw,\n) -> Dict[str,\n    int]: pass\n"
        "X = 1\n"
        "Y: Final = [\n    1,\n]\n"
        f"Z: int = {'1' * 90}\n"
        f"W = {'1' * 90}\n"
        f"def g({', '.join(f'argument{n}' for n in range(60))}): pass\n"
    )
    assert symbol(found, "A").signature == "class A(B, metaclass=C)"
    assert symbol(found, "f").signature == "def f(a: int, *args: str, b='x # y', **kw) -> Dict[str, int]"
    assert symbol(found, "X").signature == "X = 1"
    assert symbol(found, "Y").signature == "Y: Final = [ 1, ]"
    assert symbol(found, "Z").signature == "Z: int"
    assert symbol(found, "W").signature == ""
    assert len(symbol(found, "g").signature) == 300
    assert symbol(found, "g").signature.endswith("…")


def test_documentation_is_the_first_line_with_text() -> None:
    source = (
        '"""\nThe module.\n\nMore.\n"""\n'
        "def a():\n    '''One.\n\n    Two.'''\n"
        'def b():\n    r"""\n      \\d is kept.\n    """\n'
        "def c():\n    # comment\n    'Short'\n"
        'def d():\n    b"bytes"\n'
        'class e:\n    """Caf\u00e9 \\u00e9."""\n'
        f'def f():\n    """{"x" * 300}"""\n'
    )
    found = facts(source)
    assert [symbol(found, name).doc for name in "abcde"] == ["One.", "\\d is kept.", "Short", "", "Café é."]
    assert symbol(found, "f").doc == "x" * 199 + "…"
    assert found.header == "The module.\n\nMore."


def test_the_header_is_the_leading_comment_where_there_is_no_docstring() -> None:
    assert facts(
        "#!/usr/bin/python\n# -*- coding: utf-8 -*-\n#\n# What it does,\n# and why.\n\n# no more\n"
    ).header == ("What it does,\nand why.")
    assert facts("import a\n# not this\n").header == ""
    assert len(facts("# " + "x" * 900).header) == 400


def test_flags_of_functions() -> None:
    assert flags("async def f(): yield 1\n", "f") == Flag.ASYNC | Flag.GENERATOR
    assert flags("def f(): return [(yield x) for x in y]\n", "f") == Flag.GENERATOR
    assert flags("def f():\n    def g(): yield\n", "f") == Flag(0)
    assert flags("def f(): ...\n", "f") == Flag.DECLARATION
    assert flags("def f(): 'doc'\n", "f") == Flag.DECLARATION
    assert flags("def f():\n    'doc'\n    ...\n", "f") == Flag.DECLARATION
    assert flags("def f(): pass\n", "f") == Flag(0)
    assert flags("def f():\n    'doc'\n    raise NotImplementedError('x')\n", "f") == Flag.ABSTRACT
    assert flags("def f():\n    a()\n    raise NotImplementedError\n", "f") == Flag(0)
    assert flags("def test_f(): pass\n", "test_f") == Flag.TEST


def test_flags_by_decorator() -> None:
    def of(decorator: str) -> Flag:
        return flags(f"class C:\n    @{decorator}\n    def f(self): pass\n", "C.f")

    assert of("staticmethod") == Flag.STATIC
    assert of("classmethod") == Flag.CLASSMETHOD
    assert of("property") == of("functools.cached_property") == of("f.getter") == Flag.PROPERTY
    assert of("f.setter") == of("f.deleter") == Flag.SETTER
    assert of("abc.abstractmethod") == Flag.ABSTRACT
    assert of("abc.abstractproperty") == Flag.ABSTRACT | Flag.PROPERTY
    assert of("typing.overload") == Flag.OVERLOAD
    assert of("other.property") == of("setter") == of("property(1)") == Flag(0)


def test_flags_of_classes_and_visibility() -> None:
    found = facts("class TestA:\n    def b(self): c = 1\n    def _d(self): pass\n    e = 1\nclass _F:\n    g = 1\n")
    assert Flag(symbol(found, "TestA").flags) == Flag.TEST | Flag.EXPORTED
    exported = [row.qualname for row in found.symbols if row.flags & Flag.EXPORTED]
    assert exported == ["<module>", "TestA", "TestA.b", "TestA.e"]
    for name in ("FooTest", "FooTests", "FooTestCase"):
        assert flags(f"class {name}: pass\n", name) == Flag.TEST
    assert flags("class P:\n    'doc'\n", "P") == Flag.DECLARATION


def test_names_outside_ascii_are_normalised() -> None:
    found = facts("def ﬁnd(): pass\nname = 'ü'\nＦｏｏ = ﬁnd()\n日本 = Ｆｏｏ.ﬁnd\n")
    assert names(found) == [("function", "find"), ("variable", "name"), ("variable", "Foo"), ("variable", "日本")]
    assert [(row[1], row[2]) for row in found.references] == [("Foo.find", 0), ("find", 1)]
    assert found.references[1][3] == ("def ﬁnd(): pass\nname = 'ü'\nＦｏｏ = ".encode().__len__(),)
    assert ("literal", "str", "ü") in found.expressions


def test_line_lengths_count_bytes() -> None:
    assert facts("a = 'é'\n\nb").line_lengths == (9, 1, 1)
