"""The state of one walk over one file's tree: where it stands, and the rows collected so far."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from itertools import accumulate
from typing import Any, Final

from tree_sitter import Node, Point

from indexer.languages.python.chains import KNOWN, decode, learn
from indexer.model import BindingKind, Expression, ExpressionRow

MAX_DEPTH: Final = 200
"""Nested nodes followed; what lies deeper is reported as an error range. Bounds the recursion of the walk."""

UNKNOWN: Final = 0
"""Row 0 of every file's expressions is ("unknown",)."""

ALWAYS: Final = (0, 1 << 40, -1)
"""The block of what stands in none; see `FileFacts.blocks`. Not compared by identity: compiled, a tuple has none."""

VALUE_BINDING: Final = int(BindingKind.VALUE)


class Frame:
    """A scope while the walk is in it, and the references made there. What few scopes need is set on those alone."""

    __deletable__ = ("home",)  # for mypyc
    lambdas = 0  # lambdas met directly in it
    redirect: dict[str, int] | None = None  # global names → 0, nonlocal names → -1
    variables: dict[str, int] | None = None  # module and class: variable → symbol
    members: dict[str, int] | None = None  # class: function or class → symbol
    pending: list[tuple[Any, ...]]  # class: attributes set by methods
    exported = False  # whether what is defined here can be seen from outside
    receiver: str | None = None  # the name that holds the object in a method
    receiver_class: Frame | None = None
    receiver_instance = True  # False where it holds the class
    generator = False
    returns: list[Expression]  # functions
    yields: list[Expression]
    home: Frame  # the nearest scope that is no comprehension

    def __init__(self, index: int, symbol: int, qualname: str, parent: Frame | None) -> None:
        self.index = index
        self.symbol = symbol
        self.qualname = qualname  # prefix of what is defined here; "" in the module
        self.parent = parent
        self.first_binding = 0  # functions: the first binding after the parameters
        self.reads: defaultdict[Expression, list[int]] = defaultdict(list)
        self.calls: defaultdict[Expression, list[int]] = defaultdict(list)
        self.others: defaultdict[tuple[Expression, int], list[int]] = defaultdict(list)  # by expression and role


def _lengths(text: bytes) -> list[int]:
    """Bytes in each line, where only "\\n" ends one."""
    lengths = [len(line) + 1 for line in text.split(b"\n")]
    lengths[-1] -= 1
    return lengths if lengths[-1] else lengths[:-1]


class Walk:
    """One file. `source` has one character per byte of the text, so that byte offsets index it."""

    __slots__ = (
        "annotating",
        "attributes",
        "bare",
        "bindings",
        "blocks",
        "branch",
        "calls",
        "case_end",
        "classes",
        "depth",
        "effect",
        "errors",
        "exports",
        "frame",
        "frames",
        "functions",
        "imports",
        "lengths",
        "naming",
        "narrowings",
        "nonlocals",
        "ordinals",
        "passed",
        "reads",
        "rows",
        "scopes",
        "source",
        "span",
        "starts",
        "stores",
        "subject",
        "symbols",
        "text",
        "type_only",
    )

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.source = text.decode("latin-1")
        self.lengths = list(map(len, text.splitlines(True))) if b"\r" not in text else _lengths(text)
        self.starts = list(accumulate(self.lengths, initial=0))
        self.rows: dict[ExpressionRow, int] = {("unknown",): 0}
        self.bare = {UNKNOWN}  # rows of displays of nothing but literals
        self.passed: defaultdict[tuple[int, int], list[int]] = defaultdict(list)  # calls by scope and row
        self.stores: list[tuple[Any, ...]] = []
        self.narrowings: list[tuple[Any, ...]] = []
        self.subject: Expression = UNKNOWN  # of the innermost `match`
        self.case_end = 0  # where its `case` ends
        self.symbols: list[tuple[Any, ...]] = []
        self.scopes: list[tuple[str, int, int]] = []
        self.bindings: list[tuple[Any, ...]] = []
        self.attributes: list[tuple[Any, ...]] = []
        self.functions: list[tuple[Any, ...]] = []
        self.classes: list[tuple[Any, ...]] = []
        self.imports: list[tuple[Any, ...]] = []
        self.exports: list[tuple[Any, ...]] | None = None
        self.errors: list[tuple[int, int]] = []
        self.ordinals: dict[str, int] = {}
        self.frames: list[Frame] = []
        self.nonlocals: list[int] = []  # bindings whose scope is found when the whole file is known
        self.type_only = False
        self.annotating = 0  # nesting of string annotations
        self.depth = 0
        self.blocks: dict[tuple[int, int, int], int] = {ALWAYS: 0}
        self.branch = ALWAYS  # the innermost block of the scope that may not run, or may run often
        self.effect = -1  # where the names being bound take effect
        self.span = (0, 0, 0)  # start and end of the statement that is binding names; end of its annotation
        self.frame = self.naming = self.open("module", None, 0, "")
        self.frame.home = self.frame
        self.frame.variables = {}
        self.frame.returns, self.frame.yields = [], []  # a syntax error, but the parser takes it
        self.frame.exported = True
        self.reads = self.frame.reads
        self.calls = self.frame.calls

    def open(self, kind: str, parent: Frame | None, symbol: int, qualname: str) -> Frame:
        """A new scope; the walk does not enter it."""
        scopes = self.scopes
        index = len(scopes)
        scopes.append((kind, -1 if parent is None else parent.index, symbol))
        frame = Frame(index, symbol, qualname, parent)
        self.frames.append(frame)
        return frame

    def enter(self, frame: Frame) -> None:
        """Stand in a scope: references made from here on are its."""
        self.frame = frame
        self.reads = frame.reads
        self.calls = frame.calls

    def row(self, row: ExpressionRow) -> int:
        """The index of an expression row, the same for equal rows."""
        rows = self.rows
        return rows.setdefault(row, len(rows))

    def refer(self, expression: Expression, role: int, position: int) -> None:
        """Record a reference that is neither a read nor a call."""
        self.frame.others[expression, role].append(position)

    def line(self, position: int) -> int:
        """The 1-based line of a byte offset."""
        return bisect_right(self.starts, position)

    def point(self, position: int) -> Point:
        """Row and column of a byte offset, as the parser counts them."""
        row = self.line(position) - 1
        return Point(row, position - self.starts[row])

    def name(self, node: Node) -> str:
        """The canonical spelling of an identifier; "" if it is none."""
        raw = self.source[node.start_byte : node.end_byte]
        return KNOWN.get(raw) or learn(raw)

    def text_of(self, start: int, end: int) -> str:
        return decode(self.source[start:end])

    def too_deep(self, node: Node) -> None:
        """Record that the walk stops at a node."""
        self.errors.append((node.start_point.row + 1, node.end_point.row + 1))

    def block(self) -> int:
        """The index of the innermost block that may not run, for a binding in it."""
        branch = self.branch
        if branch == ALWAYS:
            return 0
        return self.blocks.setdefault(branch, len(self.blocks))

    def inside(self, start: int, end: int, loop: int = -1) -> tuple[int, int, int]:
        """The branch for a block within the present one; `loop` is where it repeats from, if it does."""
        around = self.branch[2]
        return (start, end, around if around >= 0 else loop)

    def ordinal(self, qualname: str) -> int:
        """How many symbols of that name came before."""
        number = self.ordinals.get(qualname, 0)
        self.ordinals[qualname] = number + 1
        return number
