"""The walk over one syntax tree: where it stands, and how it goes on to the next node.

Handlers are functions of (walker, node) in tables by kind id. There are three ways to visit a node:

    visit   records the facts inside it
    expr    does so too, and returns what it denotes, as an `Expression`
    type    reads it as a type, and returns the annotation
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from indexer.languages.javascript import comments
from indexer.languages.javascript.facts import DECLARATION, FLAGS, INSTANCE, QUALNAME, SCOPE, STATIC, VALUE, Facts
from indexer.languages.javascript.kinds import Ids, Table
from indexer.model import Attribute, BindingKind, Expression, Role

if TYPE_CHECKING:
    from tree_sitter import Node

ANNOTATION: Final = int(Role.ANNOTATION)
BASE: Final = int(Role.BASE)

DEPTH_LIMIT: Final = 150
"""Levels of handlers; each takes at most four Python frames, which stays below the interpreter's own limit."""


class Frame:
    """What a function is seen to return while its body is read."""

    __slots__ = ("returns", "yields")

    def __init__(self) -> None:
        self.returns: list[Expression] = []
        self.yields: list[Expression] = []


class Owner:
    """The class whose instance `this` is."""

    __slots__ = ("assigned", "initial", "members", "scope", "static", "symbol")

    def __init__(self, symbol: int, scope: int) -> None:
        self.symbol = symbol
        self.scope = scope
        self.initial = -1  # the scope of field initialisers, once there is one
        self.static = False  # whether the code being read has the class itself as `this`
        self.members: dict[str, int] = {}
        self.assigned: list[tuple[Any, ...]] = []


class Walker(Facts):
    """One file being read. Attributes hold where the walk is; handlers save and restore what they change."""

    def __init__(self, text: bytes, ids: Ids, visits: Table, values: Table, types: Table) -> None:
        super().__init__(text)
        self.ids = ids
        self.visits = visits
        self.values = values
        self.types = types
        self.hoist = 0  # scope that `var` binds in
        self.symbol = 0  # enclosing symbol, a class counts
        self.home = 0  # symbol that runs the code: lambdas are numbered in and named after it
        self.prefix = ""  # of qualified names
        self.frame: Frame | None = None
        self.owner: Owner | None = None
        self.generics: dict[str, Expression] = {}  # type parameters in force → their constraint
        self.inferred: list[str] = []  # by `infer` in the conditional types being read
        self.lead: Node | None = None  # the `export` statement around the next declaration
        self.levels = {0}  # scopes whose variables are symbols: the module's and those of namespaces
        self.type_role = ANNOTATION
        self.ambient = False  # inside `declare`
        self.depth = 0
        self.lambdas: dict[int, int] = {}

    # -- going on

    def visit(self, node: Node) -> None:
        if self.depth >= DEPTH_LIMIT:
            self.too_deep(node)
            return
        self.depth += 1
        self.visits[node.kind_id](self, node)
        self.depth -= 1

    def expr(self, node: Node) -> Expression:
        if self.depth >= DEPTH_LIMIT:
            return self.too_deep(node)
        self.depth += 1
        expression: Expression = self.values[node.kind_id](self, node)
        self.depth -= 1
        return expression

    def type(self, node: Node) -> Expression:
        if self.depth >= DEPTH_LIMIT:
            return self.too_deep(node)
        self.depth += 1
        expression: Expression = self.types[node.kind_id](self, node)
        self.depth -= 1
        return expression

    def base_type(self, node: Node) -> Expression:
        """A type that is inherited from."""
        self.type_role = BASE
        expression = self.type(node)
        self.type_role = ANNOTATION
        return expression

    def visit_all(self, nodes: list[Node]) -> None:
        if self.depth >= DEPTH_LIMIT:
            if nodes:
                self.too_deep(nodes[0])
            return
        self.depth += 1
        visits = self.visits
        for node in nodes:
            visits[node.kind_id](self, node)
        self.depth -= 1

    def too_deep(self, node: Node) -> int:
        self.errors.append((node.start_point[0] + 1, node.end_point[0] + 1))
        return self.unknown()

    def name(self, node: Node) -> str:
        return self.text[node.start_byte : node.end_byte].decode("utf-8", "replace")

    # -- where the walk stands

    def save(self) -> tuple[Any, ...]:
        return (
            self.scope, self.hoist, self.symbol, self.home, self.prefix,
            self.frame, self.owner, self.generics, self.branch,
        )  # fmt: skip

    def restore(self, saved: tuple[Any, ...]) -> None:
        (
            self.scope, self.hoist, self.symbol, self.home, self.prefix,
            self.frame, self.owner, self.generics, self.branch,
        ) = saved  # fmt: skip

    def take_lead(self, node: Node) -> Node:
        """The node a declaration starts at: the `export` statement if it is in one."""
        lead, self.lead = self.lead, None
        return node if lead is None else lead

    # -- symbols

    def define(
        self,
        name: str,
        kind: str,
        whole: Node,
        name_node: Node,
        signature_start: int,
        signature_end: int,
        flags: int = 0,
        parent: int = -1,
        end: Node | None = None,
    ) -> int:
        """A symbol in `parent` (default: the enclosing one), from where `whole` starts to where `end` does."""
        if parent < 0:
            parent, prefix = self.symbol, self.prefix
        else:
            prefix = self.symbols[parent][QUALNAME] + "." if parent else ""
        last = whole if end is None else end
        head = comments.signature(self.text, signature_start, signature_end) if signature_end > signature_start else ""
        return self.add_symbol(
            name,
            prefix + name,
            kind,
            parent,
            (whole.start_byte, last.end_byte, whole.start_point[0] + 1, last.end_point[0] + 1),
            (name_node.start_point[0] + 1, name_node.start_byte),
            head,
            flags | (DECLARATION if self.ambient else 0),
        )

    def define_anonymous(self, node: Node, kind: str, signature_end: int, flags: int = 0) -> int:
        """`<lambdaN>` or `<classN>`, numbered in the symbol that runs the code."""
        label = "lambda" if kind == "lambda" else "class"
        key = self.home if kind == "lambda" else -1 - self.home
        number = self.lambdas[key] = self.lambdas.get(key, 0) + 1
        name = f"<{label}{number}>"
        prefix = self.symbols[self.home][QUALNAME] + "." if self.home else ""
        return self.add_symbol(
            name,
            prefix + name,
            kind,
            self.symbol,
            (node.start_byte, node.end_byte, node.start_point[0] + 1, node.end_point[0] + 1),
            (node.start_point[0] + 1, node.start_byte),
            comments.signature(self.text, node.start_byte, signature_end),
            flags,
        )

    def open_symbol_scope(self, symbol: int, kind: str) -> int:
        scope = self.open_scope(kind, self.scope, symbol)
        self.symbols[symbol][SCOPE] = scope
        return scope

    def mark(self, symbol: int, flags: int) -> None:
        self.symbols[symbol][FLAGS] |= flags

    # -- members of instances

    def set_member(
        self, owner: Owner, name: str, whole: Node, position: int, expression: Expression, annotation: Expression
    ) -> None:
        """`this.name = …` or a parameter property: which symbol it is, is decided when the class has been read."""
        owner.assigned.append((name, whole, position, expression, annotation, self.scope, owner.static))

    def place_members(self, owner: Owner) -> None:
        for name, whole, position, expression, annotation, origin, static in owner.assigned:
            target = owner.members.get(name)
            if target is None:
                flags = STATIC if static else INSTANCE
                target = owner.members[name] = self.add_symbol(
                    name,
                    f"{self.symbols[owner.symbol][QUALNAME]}.{name}",
                    "attribute",
                    owner.symbol,
                    (whole.start_byte, whole.end_byte, whole.start_point[0] + 1, whole.end_point[0] + 1),
                    (self.text.count(b"\n", whole.start_byte, position) + whole.start_point[0] + 1, position),
                    "",
                    flags,
                )
            self.attributes.append(Attribute(owner.scope, name, position, target, expression, annotation, origin))

    def initial_scope(self, owner: Owner) -> int:
        """The scope of field initialisers: a block in the class, so that bare names do not mean members."""
        if owner.initial < 0:
            owner.initial = self.open_scope("block", owner.scope, owner.symbol)
        return owner.initial

    def bind_this(self, position: int, expression: Expression) -> None:
        """What `this` is in a function of its own receiver; None where that depends on the caller."""
        self.bind(self.scope, "this", VALUE, position, -1, expression)


PARAMETER: Final = int(BindingKind.PARAMETER)
STAR: Final = int(BindingKind.STAR)
