"""The facts of one file: one small vocabulary for every language.

Facts are what can be known from a file's bytes alone. They are produced by an extractor, cached by blob id, and read by
the linker; no stage sees a syntax tree of another. Rows are tuples so that a file with thousands of them is decoded in
one C call; the classes below name their columns.

Positions are byte offsets into the *normalised text*: the source decoded (as declared, else latin-1), without BOM, with
every line ending as "\n", encoded as UTF-8. `FileFacts.line_lengths` turns an offset into a line.

Expressions
-----------
An `Expression` is enough of an expression to infer what it denotes:

    str    a pure dotted chain, "name" or "name.member.member", read in the scope it stands in; no blanks, no calls.
           Keywords that act as names keep their spelling ("self" is a plain name, "this", "super", "new.target").
    int    an index into `FileFacts.expressions`, whose rows are

    ("call", function, arguments)        arguments: Expression | ("=", name, Expression) | ("*", e) | ("**", e); also
                                         what an operator gives, as a call of a method of its left operand
    ("new", class, arguments)            JavaScript's `new`
    ("member", object, name)             a member of something that is not a pure chain
    ("item", object, key)                subscription; key: Expression, or an int literal as ("literal", "int", n)
    ("iterate", iterable)                what a `for` target receives
    ("enter", manager)                   what `with … as` receives
    ("except", type)                     what `except type as` receives: an instance
    ("await", value)
    ("either", (value, …))               conditional expression, `or`, `and`, `??`
    ("literal", type)                    type: str bytes int float complex bool none list dict set tuple slice regex
    ("literal", "str", value)            short strings keep their value (at most 200 characters)
    ("literal", "affix", prefix, suffix) text that spells a name around what is put into it: `f"visit_{x}"`, `"on_" + x`
    ("list"|"tuple"|"set", (value, …))   displays whose items are worth keeping (at most 50); ("*", e) for `*e`
    ("dict", ((key, value), …))          likewise; also JavaScript objects, keys as ("literal", "str", k); (None, e)
                                         for `**e`
    ("each", kind, value, scope)         a comprehension: kind list set dict generator; the value (of a dict: the value
                                         of its items), read in `scope`, the comprehension's own
    ("slice", lower, upper)              a key with colons; None where a bound is left out or there is a step
    ("symbol", index)                    a lambda, function or class expression, an object literal with methods
    ("import", index)                    `require("x")`, `import("x")`, `import_module("x")`: an index into imports
    ("reflected", right, name, left)     the method of an operator's right operand that is called where the left one has
                                         none; as an implicit reference alone
    ("union", (type, …))                 in annotations: `A | B`, `Union[A, B]`, `Optional[A]` (without None)
    ("unknown",)                         anything else

Names
-----
Qualified names are dotted without `<locals>`. The module's own symbol is `<module>`; the N-th lambda (1-based) in a
function, class or module is `scope.<lambdaN>`; a comprehension is no such scope. Python's are numbered in the order of
its own syntax tree, for a function that is: defaults (of keyword-only parameters first), body, decorators; the ones in
its defaults and decorators are named after the function itself, though their code is that of the scope around.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias

Expression: TypeAlias = str | int | None
"""A dotted chain, an index into `FileFacts.expressions`, or None where there is no expression."""

ExpressionRow: TypeAlias = tuple[Any, ...]

Part: TypeAlias = Expression | ExpressionRow
"""What stands in a row: an expression, or an argument or key that is none, as ("=", "name", expression)."""

MODULE = "<module>"


class Flag(IntFlag):
    """What is worth knowing of a symbol beside its kind."""

    ASYNC = 1
    STATIC = 2  # staticmethod; a JavaScript `static` member
    CLASSMETHOD = 4
    PROPERTY = 8  # reading the member runs it
    ABSTRACT = 16
    EXPORTED = 32  # public by the language's own rule
    GENERATOR = 64
    TEST = 128  # a test function, class, or anything in a test file
    OVERLOAD = 256
    SETTER = 512
    INSTANCE = 1024  # an attribute set on the instance, not on the class
    DECLARATION = 2048  # no body: interface member, abstract signature, `.d.ts`
    TYPE_ONLY = 4096


class Symbol(NamedTuple):
    """A definition. Row 0 of every file is its module."""

    name: str
    qualname: str
    ordinal: int  # 0 for the first symbol of that qualified name in the file, 1 for the second, …
    kind: str  # module class function method variable attribute lambda interface type enum namespace
    parent: int  # index of the enclosing symbol (a class counts); -1 for the module
    scope: int  # index of the scope it opens; -1 for none
    start_byte: int  # the whole definition, decorators included
    end_byte: int
    start_line: int  # 1-based, of the first decorator if there is one
    end_line: int
    name_line: int  # line of the name itself (`def` line)
    name_byte: int
    signature: str  # one line, blanks collapsed, at most 300 characters; "" for module and plain variables
    doc: str  # first line of the documentation, at most 200 characters
    flags: int


class Scope(NamedTuple):
    """A place where names are looked up. Row 0 of every file is the module's."""

    kind: str  # module class function block
    parent: int  # -1 for the module
    symbol: int  # the symbol whose code this is: for block and class scopes, too, the index of *their own* or nearest
    # enclosing symbol (a comprehension has its function's, a class scope its class's)


class BindingKind(IntEnum):
    SYMBOL = 0  # target: symbol index (function, class, …)
    IMPORT = 1  # target: import index
    PARAMETER = 2  # target: position, 0-based, self included; expression: default; annotation
    STAR = 3  # *args / ...rest
    KEYWORD_ONLY = 4
    DOUBLE_STAR = 5  # **kwargs
    VALUE = 6  # expression: what is assigned (None: unknown); target: symbol index of the variable, or -1
    GLOBAL = 7  # the name means the module's; assignments are bound in scope 0 and evaluated in theirs
    NONLOCAL = 8
    DELETED = 9


class Binding(NamedTuple):
    """A name bound in a scope. `expression` and `annotation` are read in `origin`, which is the scope itself but for
    `global` names and block-hoisted ones."""

    scope: int
    name: str
    kind: int
    position: int
    target: int
    expression: Expression
    annotation: Expression
    origin: int
    end: int = -1  # where the binding takes effect: the end byte of its statement's value; -1: at `position`
    block: int = 0  # index into FileFacts.blocks of the innermost block of its scope that it stands in


class Attribute(NamedTuple):
    """A member set on an object from a method: `self.name = expression`, `this.name = …`. The symbol (kind attribute,
    flag INSTANCE) is the class's; `scope` is the *class's* scope and `origin` the method's, where it is evaluated."""

    scope: int
    name: str
    position: int
    target: int  # symbol index of the attribute
    expression: Expression
    annotation: Expression
    origin: int


class Function(NamedTuple):
    """What calling a symbol gives. `origin` is its own scope (annotations are read in that scope's parent)."""

    symbol: int
    origin: int
    annotation: Expression  # declared return type
    returns: tuple[Expression, ...]  # returned expressions, at most 20, in order, without bare `return`
    yields: tuple[Expression, ...]
    decorators: tuple[Expression, ...]  # outermost first, read in the scope around


class Class(NamedTuple):
    symbol: int
    origin: int  # the scope the class statement stands in, where bases and decorators are read
    bases: tuple[Expression, ...]
    keywords: tuple[tuple[str, Expression], ...]  # metaclass=…
    decorators: tuple[Expression, ...]
    implements: tuple[Expression, ...]  # TypeScript


class Import(NamedTuple):
    """One imported name, or one whole module."""

    specifier: str  # as written, without leading dots for Python: "a.b"; "./util" for JavaScript
    level: int  # Python: number of leading dots
    name: str  # the name taken from the module; "" for the module itself; "*" for star
    alias: str  # the name bound here; "" if none. `import a.b` binds "a" and has alias "a" and name "" (see `dotted`)
    dotted: bool  # True for Python's `import a.b` without `as`: the alias denotes the *first* part
    kind: str  # import | from | star | require | dynamic | reexport | side_effect
    scope: int
    position: int  # of the imported name token (of the specifier where there is none)
    line: int
    type_only: bool  # `import type`, or under `if TYPE_CHECKING`
    at: int = -1  # position of the specifier, where it is written as names; -1: it is not


class Export(NamedTuple):
    """A name visible to importers. Only for languages whose exports are explicit, and for Python's `__all__`."""

    name: str  # "default" for a default export; "*" for `export * from`; "=" for `module.exports = …` / `export =`
    expression: Expression  # what it denotes, read in the module's scope; None for re-exports
    imported: int  # index into imports for a re-export, else -1
    position: int


class Role(IntEnum):
    """How a reference uses what it names."""

    READ = 0
    CALL = 1
    WRITE = 2  # of an attribute: `a.b = …`; writes of plain names are bindings
    DECORATOR = 3
    BASE = 4
    ANNOTATION = 5
    THROW = 6
    NEW = 7
    RENDER = 8  # a JSX element: a call of the component
    DELETE = 9
    IMPLICIT = 10  # a method that syntax calls: the last name is `__add__`, `__iter__`, `__getitem__`, `__enter__`, …


Reference: TypeAlias = tuple[int, Expression, int, tuple[int, ...]]
"""(scope, expression, role, positions): every place in a scope where that expression is used in that role.

The role is that of the whole expression; the links before the last of a chain are reads. For a pure chain the positions
are where the chain starts; for an expression row they are the name token of a "member", else the start of the
expression. Only rows that are themselves names or callees are references: names, chains, "member" rows, and the
function of a "call" that is neither (role CALL, the expression being that function). A row's inner names are references
of their own."""


class Call(NamedTuple):
    """The calls in a scope that pass what may matter to the callee: not literals alone."""

    scope: int
    row: int  # a ("call", …) in expressions
    positions: tuple[int, ...]  # as those of the reference to the function: where each call starts


class Store(NamedTuple):
    """What is put into an object after it was made: `object.key = value`, `object[key] = value`, `object += value`."""

    scope: int
    kind: str  # attribute | item | extend
    object: Expression
    key: Expression  # attribute: the name; item: the key (or a slice); extend: None
    value: Expression
    position: int
    block: int = 0  # index into FileFacts.blocks, as of a binding


class Narrowing(NamedTuple):
    """Code in which a name or chain is known to be an instance: under `if isinstance(chain, type)`, after `assert`."""

    scope: int
    chain: str
    type: Expression  # a class or a tuple of classes, read in `scope`
    start: int  # bytes
    end: int


LEAVES = 63
"""See `FileFacts.blocks`."""


class FileFacts(NamedTuple):
    """Everything known of one file. See the module's docstring for positions and expressions."""

    language: str
    symbols: tuple[Symbol, ...]
    scopes: tuple[Scope, ...]
    bindings: tuple[Binding, ...]
    attributes: tuple[Attribute, ...]
    functions: tuple[Function, ...]
    classes: tuple[Class, ...]
    imports: tuple[Import, ...]
    exports: tuple[Export, ...] | None  # None: everything bound in the module is visible
    expressions: tuple[ExpressionRow, ...]
    references: tuple[Reference, ...]
    documents: tuple[str, ...]  # one per symbol: words of its own body, lower case, split, unique, as they appear
    header: str  # the header comment or module docstring, first lines, at most 400 characters
    line_lengths: tuple[int, ...]  # bytes in each line, its "\n" included
    error_lines: tuple[tuple[int, int], ...]  # (first, last) 1-based line of each syntax error
    notes: tuple[str, ...]  # e.g. "decoded as latin-1"
    blocks: tuple[tuple[int, int, int], ...] = ((0, 1 << 40, -1),)
    """(start byte, end byte, start byte of the outermost loop around it in its scope or -1) of every block that may not
    run or may run often (branches of if, loops, try, except, match cases; not `with`) in which something is bound. Row
    0 stands for "not in such a block". So that the linker knows which bindings of a name reach a place. A branch of a
    Python `if` outside of loops has -2 minus 64 times the end byte of the whole `if`: no other branch of it runs as
    well. Where that is in no block itself, from the 64 times come that many less as branches go on behind the `if`, one
    of which runs; or `LEAVES` less for a branch from which what follows is not reached."""
    calls: tuple[Call, ...] = ()
    stores: tuple[Store, ...] = ()
    narrowings: tuple[Narrowing, ...] = ()


def line_starts(line_lengths: tuple[int, ...]) -> list[int]:
    """Byte offset at which each line starts, one more than there are lines; for `bisect_right`."""
    return list(accumulate(line_lengths, initial=0))
