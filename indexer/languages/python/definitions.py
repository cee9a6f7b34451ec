"""Functions, classes and lambdas: their symbols, their scopes, and what is known of calling them."""

from __future__ import annotations

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.annotations import annotation, type_parameters
from indexer.languages.python.decorators import decorate, decorator_flags
from indexer.languages.python.expressions import keyword_value, named, operands, visit_children
from indexer.languages.python.kinds import VALUE, values, visits
from indexer.languages.python.parameters import parameters
from indexer.languages.python.signatures import first_line, signature
from indexer.languages.python.statements import visit_body
from indexer.languages.python.targets import add_variable
from indexer.languages.python.walk import ALWAYS, MAX_DEPTH, UNKNOWN, Frame, Walk
from indexer.model import BindingKind, Expression, Flag, Role

BASE = int(Role.BASE)
SYMBOL = int(BindingKind.SYMBOL)
ASYNC, STATIC, CLASSMETHOD, ABSTRACT, EXPORTED, GENERATOR, TEST, INSTANCE, DECLARATION = (
    int(flag)
    for flag in (
        Flag.ASYNC, Flag.STATIC, Flag.CLASSMETHOD, Flag.ABSTRACT, Flag.EXPORTED, Flag.GENERATOR, Flag.TEST, Flag.INSTANCE,
        Flag.DECLARATION,
    )
)  # fmt: skip

ARGUMENT_LIST, BLOCK, IDENTIFIER, PARAMETERS = k.ARGUMENT_LIST, k.BLOCK, k.IDENTIFIER, k.PARAMETERS
IMPLICIT_CLASSMETHODS = frozenset(("__new__", "__init_subclass__", "__class_getitem__"))
COMPOUND = frozenset(
    k.kind(name)
    for name in (
        "class_definition", "decorated_definition", "elif_clause", "else_clause", "except_clause", "finally_clause",
        "for_statement", "function_definition", "if_statement", "match_statement", "try_statement", "while_statement",
        "with_statement", "case_clause", "block",
    )
)  # fmt: skip
TRAILING = COMPOUND | k.EXTRAS
QUOTES = frozenset("\"'rRuU")


@visits("function_definition")
def visit_function(w: Walk, node: Node) -> None:
    define_function(w, node, node, [])


@visits("class_definition")
def visit_class(w: Walk, node: Node) -> None:
    define_class(w, node, node, [])


@visits("decorated_definition")
def visit_decorated(w: Walk, node: Node) -> None:
    decorators = []
    for child in operands(node):
        kind = child.kind_id
        if kind == k.DECORATOR:
            decorators.append(child)
        elif kind == k.FUNCTION_DEFINITION:
            define_function(w, child, node, decorators)
        elif kind == k.CLASS_DEFINITION:
            define_class(w, child, node, decorators)


def define_function(w: Walk, node: Node, whole: Node, decorators: list[Node]) -> None:
    """`whole` is the decorated definition, or the node itself."""
    around, naming, branch = w.frame, w.naming, w.branch
    name_node, types, params, returned, body = _parts(node)
    name = "" if name_node is None else w.name(name_node)
    if name_node is None or not name or params is None or w.depth >= MAX_DEPTH:
        return visit_children(w, node)
    w.depth += 1
    head = (returned or params).end_byte
    index, qualname, ordinal = _begin(w, name, name_node, head)
    outer = around if types is None else _type_scope(w, around, types, index, qualname)
    frame = w.open("function", outer, index, qualname)
    frame.home = frame
    returns: list[Expression] = []
    yields: list[Expression] = []
    frame.returns, frame.yields = returns, yields
    method = around.members is not None
    flags = decorator_flags(w, decorators) if decorators else 0
    if name[0] != "_" and around.exported:
        flags |= EXPORTED
    if name.startswith("test"):
        flags |= TEST
    start = node.start_byte
    if w.source[start] == "a":
        flags |= ASYNC
    w.naming = frame
    if outer is not around:
        w.enter(outer)
    first = parameters(w, params, frame, outer.index) if params.child_count > 2 else ""
    if method or around.home.receiver is not None:
        _receive(frame, around, name, first, flags, method)
    declared = None if returned is None else annotation(w, returned)
    end_node, doc = name_node, ""
    if body is not None:
        w.enter(frame)
        w.branch = ALWAYS
        if w.source[body.start_byte] in QUOTES:
            doc = _docstring(w, body.named_child(0))
        if body.named_child_count < 3:
            flags |= _body_flags(w, body, doc)
        last = visit_body(w, body)
        w.branch = branch
        end_node = last if last.kind_id not in TRAILING else _last(body)
    applied: tuple[Expression, ...] = ()
    if decorators:
        w.enter(outer)
        applied = tuple([decorate(w, decorator) for decorator in decorators])
    w.enter(around)
    w.naming = naming
    w.depth -= 1
    if frame.generator:
        flags |= GENERATOR
    line = node.start_point.row + 1
    w.symbols[index] = (
        name, qualname, ordinal, "method" if method else "function", naming.symbol, frame.index, whole.start_byte,
        end_node.end_byte, line if whole is node else whole.start_point.row + 1, end_node.end_point.row + 1, line,
        name_node.start_byte, signature(w, start, head), doc, flags,
    )  # fmt: skip
    w.functions.append((index, frame.index, declared, tuple(returns), tuple(yields), applied))
    return None


def _parts(node: Node) -> tuple[Node | None, Node | None, Node | None, Node | None, Node | None]:
    """Name, type parameters, parameters or bases, return type and body of a definition."""
    name = types = params = returned = body = None
    child_of = node.named_child
    for index in range(node.named_child_count):
        child = child_of(index)
        kind = child.kind_id
        if kind == IDENTIFIER:
            name = name or child
        elif kind == PARAMETERS or kind == ARGUMENT_LIST:
            params = child
        elif kind == BLOCK:
            body = child
        elif kind == k.TYPE:
            returned = child
        elif kind == k.TYPE_PARAMETER:
            types = child
    return name, types, params, returned, body


def _begin(w: Walk, name: str, name_node: Node, head: int) -> tuple[int, str, int]:
    """Reserve the symbol, so that it comes before those in it, and bind its name; `head` is where its head ends."""
    index = len(w.symbols)
    w.symbols.append(())
    frame = w.frame
    prefix = w.naming.qualname
    qualname = f"{prefix}.{name}" if prefix else name
    scope = frame.index
    block = 0 if w.branch is ALWAYS else w.block()
    if frame.redirect is not None and name in frame.redirect:
        block = 0
        if frame.redirect[name] < 0:
            w.nonlocals.append(len(w.bindings))
        else:
            scope = 0
    if frame.members is not None:
        frame.members.setdefault(name, index)
    w.bindings.append((scope, name, SYMBOL, name_node.start_byte, index, None, None, frame.index, head, block))
    ordinals = w.ordinals
    ordinal = ordinals.get(qualname, 0)
    ordinals[qualname] = ordinal + 1
    return index, qualname, ordinal


def _type_scope(w: Walk, around: Frame, types: Node, symbol: int, qualname: str) -> Frame:
    """The scope that type parameters live in."""
    frame = w.open("block", around, symbol, qualname)
    frame.home = around.home
    type_parameters(w, types, frame)
    return frame


def _receive(frame: Frame, around: Frame, name: str, first: str, flags: int, method: bool) -> None:
    """Which name holds the object in a function's body, if any does."""
    if method:
        if first and not flags & STATIC:
            frame.receiver = first
            frame.receiver_class = around
            frame.receiver_instance = not (flags & CLASSMETHOD or name in IMPLICIT_CLASSMETHODS)
    elif around.home.receiver is not None:
        frame.receiver = around.home.receiver
        frame.receiver_class = around.home.receiver_class
        frame.receiver_instance = around.home.receiver_instance


def _docstring(w: Walk, statement: Node) -> str:
    if statement.kind_id != k.EXPRESSION_STATEMENT:
        return ""
    literal = statement.child(0)
    if literal.kind_id not in (k.STRING, k.CONCATENATED_STRING):
        return ""
    return first_line(w.source[literal.start_byte : literal.end_byte])


def _body_flags(w: Walk, body: Node, doc: str) -> int:
    """The flags of a body that is nothing but a docstring, `...` or `raise NotImplementedError`."""
    count = body.named_child_count
    if not count or (count == 2 and not doc):
        return 0
    last = body.named_child(count - 1)
    if last.kind_id == k.RAISE_STATEMENT:
        text = w.source[last.start_byte : last.start_byte + 30]
        return ABSTRACT if " ".join(text.split()).startswith("raise NotImplementedError") else 0
    if last.kind_id == k.EXPRESSION_STATEMENT and last.child_count == 1:
        inner = last.child(0).kind_id
        if inner == k.ELLIPSIS or (count == 1 and inner in (k.STRING, k.CONCATENATED_STRING)):
            return DECLARATION
    return 0


def _last(node: Node) -> Node:
    """The node a definition ends with: comments after its last statement are not its."""
    while True:
        index = node.named_child_count - 1
        last = node
        while index >= 0:
            last = node.named_child(index)
            if last.kind_id not in k.EXTRAS:
                break
            index -= 1
        if index < 0 or last.kind_id not in COMPOUND:
            return last if index >= 0 else node
        node = last


def define_class(w: Walk, node: Node, whole: Node, decorators: list[Node]) -> None:
    """`whole` is the decorated definition, or the node itself."""
    around, naming, branch = w.frame, w.naming, w.branch
    name_node, types, arguments, _, body = _parts(node)
    name = "" if name_node is None else w.name(name_node)
    if name_node is None or not name or w.depth >= MAX_DEPTH:
        return visit_children(w, node)
    w.depth += 1
    head = (arguments or types or name_node).end_byte
    index, qualname, ordinal = _begin(w, name, name_node, head)
    outer = around if types is None else _type_scope(w, around, types, index, qualname)
    frame = w.open("class", outer, index, qualname)
    frame.home = frame
    frame.variables, frame.members, frame.pending = {}, {}, []
    frame.returns, frame.yields = [], []  # a syntax error, but the parser takes it
    flags = 0
    if name[0] != "_" and around.exported:
        flags |= EXPORTED
        frame.exported = True
    if name.startswith("Test") or name.endswith(("Test", "Tests", "TestCase")):
        flags |= TEST
    w.naming = frame
    w.enter(outer)
    bases, keywords = _bases(w, arguments) if arguments is not None else ((), ())
    end_node, doc = name_node, ""
    if body is not None:
        w.enter(frame)
        w.branch = ALWAYS
        if w.source[body.start_byte] in QUOTES:
            doc = _docstring(w, body.named_child(0))
        if body.named_child_count == 1:
            flags |= _body_flags(w, body, doc) & DECLARATION
        last = visit_body(w, body)
        w.branch = branch
        end_node = last if last.kind_id not in TRAILING else _last(body)
        if frame.pending:
            _add_attributes(w, frame)
    w.enter(outer)
    applied = tuple([decorate(w, decorator) for decorator in decorators]) if decorators else ()
    w.enter(around)
    w.naming = naming
    w.depth -= 1
    line = node.start_point.row + 1
    w.symbols[index] = (
        name, qualname, ordinal, "class", naming.symbol, frame.index, whole.start_byte, end_node.end_byte,
        line if whole is node else whole.start_point.row + 1, end_node.end_point.row + 1, line, name_node.start_byte,
        signature(w, node.start_byte, head), doc, flags,
    )  # fmt: skip
    w.classes.append((index, outer.index, bases, keywords, applied, ()))
    return None


def _bases(w: Walk, arguments: Node) -> tuple[tuple[Expression, ...], tuple[tuple[str, Expression], ...]]:
    bases: list[Expression] = []
    keywords: list[tuple[str, Expression]] = []
    for child in operands(arguments):
        kind = child.kind_id
        if kind == k.KEYWORD_ARGUMENT:
            keywords.append(keyword_value(w, child))
        elif kind == k.IDENTIFIER or kind == k.ATTRIBUTE:
            bases.append(named(w, child, BASE))
        elif kind == k.SUBSCRIPT:
            bases.append(_generic_base(w, child))
        elif kind == k.LIST_SPLAT or kind == k.DICTIONARY_SPLAT:
            visit_children(w, child)
        else:
            bases.append(VALUE[kind](w, child))
    return tuple(bases), tuple(keywords)


def _generic_base(w: Walk, node: Node) -> Expression:
    """`Generic[T]`: the class is the base, whatever it is given."""
    generic, *keys = operands(node)
    base = named(w, generic, BASE)
    rows = [VALUE[key.kind_id](w, key) for key in keys]
    return w.row(("item", base, rows[0] if len(rows) == 1 else w.row(("tuple", tuple(rows)))))


def _add_attributes(w: Walk, frame: Frame) -> None:
    """Turn what the methods set on the object into attributes of the class; what the class itself defines wins."""
    variables, members = frame.variables, frame.members
    assert variables is not None
    assert members is not None
    for name, position, value, declared, origin, span, instance in frame.pending:
        target = variables.get(name, members.get(name, -1))
        if target < 0:
            target = variables[name] = len(w.symbols)
            flags = (INSTANCE if instance else 0) | (EXPORTED if frame.exported and name[0] != "_" else 0)
            add_variable(w, name, f"{frame.qualname}.{name}", "attribute", frame.symbol, position, flags, span)
        w.attributes.append((frame.index, name, position, target, value, declared, origin))


@values("lambda")
def value_lambda(w: Walk, node: Node) -> Expression:
    if w.depth >= MAX_DEPTH:
        w.too_deep(node)
        return UNKNOWN
    w.depth += 1
    around, naming = w.frame, w.naming
    naming.lambdas += 1
    name = f"<lambda{naming.lambdas}>"
    qualname = f"{naming.qualname}.{name}" if naming.qualname else name
    index = len(w.symbols)
    w.symbols.append(())
    frame = w.open("function", around, index, qualname)
    frame.home = frame
    frame.returns, frame.yields = [], []
    branch, w.branch = w.branch, ALWAYS
    *before, body = operands(node)
    w.naming = frame
    first = parameters(w, before[0], frame, around.index) if before else ""
    _receive(frame, around, name, first, 0, False)
    w.enter(frame)
    returned = VALUE[body.kind_id](w, body)
    w.branch = branch
    w.enter(around)
    w.naming = naming
    w.depth -= 1
    start, end = node.start_byte, node.end_byte
    line = node.start_point.row + 1
    w.symbols[index] = (
        name, qualname, w.ordinal(qualname), "lambda", naming.symbol, frame.index, start, end, line,
        node.end_point.row + 1, line, start, signature(w, start, end), "", GENERATOR if frame.generator else 0,
    )  # fmt: skip
    w.functions.append((index, frame.index, None, (returned,), tuple(frame.yields), ()))
    return w.row(("symbol", index))


@visits("lambda")
def visit_lambda(w: Walk, node: Node) -> None:
    value_lambda(w, node)
