"""Random changes of Python sources that other files may notice: what is passed, kept, put into containers, decorated,
tested, overridden, renamed, moved or deleted. Texts are parsed and written anew, so that their layout changes as well.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from random import Random

STATEMENTS = (
    "{a}.{m} = {b}",
    "{a}[{key!r}] = {b}",
    "{a}.append({b})",
    "{a}.update({m}={b})",
    "{a} = {b}",
    "{a} = [{b}, {c}]",
    "{a} = {{{key!r}: {b}, **{c}}}",
    "{a} = {b}({c})",
    "{a}({b}, {m}={c})",
    "{a}[{key!r}]({c})",
    "{a}.{m}({b})",
    "{a} + {b}",
    "{a} += {b}",
    "{a}, {b} = {b}, {a}",
    "{a} = {b} or {c}",
    "{a}: {b} = {c}",
    "{a} = lambda {b}: {b}.{m}()",
    "{a} = [{b} for {b} in {c}]",
    "{a} = sorted({b}, key={c})",
    "{a} = functools.partial({b}, {c})",
    "return {b}({c})",
    "yield {a}",
    "del {a}",
    "global {a}",
    "super().{m}({a})",
    "with {a}({b}) as {c}:\n    {c}.{m}()",
    "for {a} in {b}:\n    {a}.{m}({c})",
    "assert isinstance({a}, {b})",
    "if isinstance({a}, {b}):\n    {a}.{m}()",
    "def {a}({b}, *{c}):\n    return {b}(*{c})",
    "def {a}({b}):\n    def {c}(*args):\n        return {b}(*args)\n    return {c}",
    "class {a}({b}):\n    def {m}(self, {c}):\n        self.{m}_ = {c}\n        return self.{m}_()",
)
_DECORATORS = ("{a}", "{a}({b})", "functools.wraps({a})", "property", "staticmethod", "classmethod")
_AROUND = (
    "if isinstance({a}, {b}):\n    pass",
    "for {a} in {b}:\n    pass",
    "with {a}() as {b}:\n    pass",
    "try:\n    pass\nexcept {a}:\n    pass",
    "def {a}({b}):\n    pass",
)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def mutated(text: str, chance: Random) -> str:
    """The text with one thing changed; as it is where that gives no Python."""
    try:
        tree = ast.parse(text)
        chance.choice(_CHANGES)(_Source(tree, chance))
        changed = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        ast.parse(changed)
    except (SyntaxError, ValueError, IndexError, RecursionError):
        return text
    return changed


class _Source:
    """A tree, and what can be picked from it. Picking from nothing raises IndexError."""

    def __init__(self, tree: ast.Module, chance: Random) -> None:
        self.tree = tree
        self.chance = chance
        self.nodes = list(ast.walk(tree))
        self.names = sorted({n.id for n in self.nodes if isinstance(n, ast.Name)} | {n.name for n in self.named()})
        self.members = sorted({n.attr for n in self.nodes if isinstance(n, ast.Attribute)} | {"run"})

    def named(self) -> list[_Function | ast.ClassDef]:
        return [n for n in self.nodes if isinstance(n, _Function | ast.ClassDef)]

    def functions(self) -> list[_Function]:
        return [n for n in self.nodes if isinstance(n, _Function)]

    def name(self) -> str:
        return self.chance.choice(self.names)

    def body(self) -> list[ast.stmt]:
        return self.chance.choice([b for n in self.nodes if isinstance(b := getattr(n, "body", None), list) and b])

    def filled(self, templates: tuple[str, ...]) -> str:
        names = {letter: self.name() for letter in "abc"}
        member, key = self.chance.choice(self.members), self.chance.choice(("a", "b", 0, 1))
        return self.chance.choice(templates).format(m=member, key=key, **names)


def _insert(source: _Source) -> None:
    body = source.body()
    body.insert(source.chance.randint(0, len(body)), ast.parse(source.filled(STATEMENTS)).body[0])


def _delete(source: _Source) -> None:
    body = source.body()
    body[source.chance.randrange(len(body))] = ast.Pass()


def _swap(source: _Source) -> None:
    body = source.body()
    one, other = (source.chance.randrange(len(body)) for _ in range(2))
    body[one], body[other] = body[other], body[one]


def _double(source: _Source) -> None:
    statement, body = source.chance.choice(source.body()), source.body()
    body.insert(source.chance.randint(0, len(body)), copy.deepcopy(statement))


def _wrap(source: _Source) -> None:
    body = source.body()
    at = source.chance.randrange(len(body))
    around = ast.parse(source.filled(_AROUND)).body[0]
    around.body = [body[at]]  # type: ignore[attr-defined]
    body[at] = around


def _use_another(source: _Source) -> None:
    source.chance.choice([n for n in source.nodes if isinstance(n, ast.Name)]).id = source.name()


def _rename(source: _Source) -> None:
    node = source.chance.choice(source.named())
    node.name = source.chance.choice((source.name(), source.chance.choice(source.members), f"{node.name}x"))


def _rename_parameter(source: _Source) -> None:
    function = source.chance.choice(source.functions())
    parameter = source.chance.choice(function.args.args)
    new = source.chance.choice(("renamed", source.name()))
    if source.chance.random() < 0.7:
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and node.id == parameter.arg:
                node.id = new
    parameter.arg = new


def _add_parameter(source: _Source) -> None:
    given = source.chance.choice(source.functions()).args.args
    given.insert(source.chance.randint(0, len(given)), ast.arg(source.name()))


def _add_parameter_with_default(source: _Source) -> None:
    """One that calls need not know of, in the last place or by name alone."""
    given = source.chance.choice(source.functions()).args
    parameter = ast.arg(source.chance.choice(("new", source.name())))
    default = source.chance.choice((ast.Constant(None), ast.Name(source.name())))
    if source.chance.random() < 0.5:
        given.args.append(parameter)
        given.defaults.append(default)
    else:
        given.kwonlyargs.append(parameter)
        given.kw_defaults.append(default)


def _swap_parameters(source: _Source) -> None:
    given = source.chance.choice(source.functions()).args.args
    one, other = (source.chance.randrange(len(given)) for _ in range(2))
    given[one], given[other] = given[other], given[one]


def _spread_parameter(source: _Source) -> None:
    """`*args` or `**named` come or go."""
    given = source.chance.choice(source.functions()).args
    if source.chance.random() < 0.5:
        given.vararg = None if given.vararg else ast.arg("rest")
    else:
        given.kwarg = None if given.kwarg else ast.arg("more")


def _decorate(source: _Source) -> None:
    node = source.chance.choice(source.named())
    if node.decorator_list and source.chance.random() < 0.5:
        node.decorator_list.pop()
    else:
        node.decorator_list.insert(0, ast.parse(source.filled(_DECORATORS), mode="eval").body)


def _pass(source: _Source) -> None:
    call = source.chance.choice([n for n in source.nodes if isinstance(n, ast.Call)])
    if call.args and source.chance.random() < 0.5:
        call.args.pop()
    else:
        call.args.insert(0, ast.Name(source.name()))


_CHANGES: tuple[Callable[[_Source], None], ...] = (
    _insert, _insert, _insert, _delete, _swap, _double, _wrap, _use_another,
    _rename, _rename_parameter, _add_parameter, _decorate, _pass, _add_parameter_with_default, _swap_parameters,
    _spread_parameter,
)  # fmt: skip
