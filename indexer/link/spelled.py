"""Members of which code spells a part of the name: `getattr(self, f"visit_{kind}")`.

Which of them runs is a matter of the object's class and those below it, and of what is put into the name: see
`indexer.store.dispatch`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from indexer.evidence import ANY
from indexer.link.arguments import CallSite
from indexer.link.contexts import OPEN
from indexer.link.index import FileIndex
from indexer.link.records import RECORD, Records
from indexer.link.values import Site, Sites, Value, Values, unknown
from indexer.model import BindingKind, Expression
from indexer.ports import FactsSource, LinkRules, Resolver

SPELLED: Final = "members"
"""The kind of group that stands for such members."""

_VALUE: Final = int(BindingKind.VALUE)
_ACCESSORS: Final = ("fget", "fset")
_LEAST: Final = 2
"""Letters that have to be known: `f"_{name}"` says nothing."""


class Spelled(Records):
    """Members by a part of their name."""

    def __init__(
        self, sources: FactsSource, resolvers: Mapping[str, Resolver], languages: Mapping[str, LinkRules]
    ) -> None:
        super().__init__(sources, resolvers, languages)
        self.calls_spelled = False  # whether there are any

    def head(self, index: FileIndex, scope: int, name: str, position: int) -> tuple[int, tuple[int, ...]] | None:
        raise NotImplementedError

    def site_values(self, site: Site) -> Values:
        raise NotImplementedError

    def spelled(self, given: CallSite, objects: Values) -> Values:
        """What `getattr` gives of some objects; `()` where no part of the name is known, or of no object the class."""
        affixes = self.affixes(given)
        owners = [v for v in objects if v.kind == "instance" or (v.kind == "symbol" and v.context == OPEN)]
        if affixes is None or not owners:
            return ()
        key = ANY.join(("", *affixes))
        self.calls_spelled = True
        return self.group(SPELLED, [((key, (v.path, v.number)), ()) for v in owners])

    def affixes(self, given: CallSite) -> tuple[str, str] | None:
        """How the name begins and ends that is the second argument of a call."""
        if len(given.arguments) < 2 or isinstance(given.arguments[1], (list, tuple)):
            return None
        part: Expression = given.arguments[1]
        if isinstance(part, str) and "." not in part:
            head = self.head(given.file, given.scope, part, given.position)
            binding = given.file.bindings[head[1][0]] if head is not None and len(head[1]) == 1 else None
            part = binding.expression if binding is not None and binding.kind == _VALUE else None
        row = given.file.facts.expressions[part] if isinstance(part, int) else ("",)
        if row[0] == "call" and isinstance(row[1], int):  # "visit_{}".format(kind)
            row = given.file.facts.expressions[row[1]]
            row = given.file.facts.expressions[row[1]] if row[0] == "member" and isinstance(row[1], int) else ("",)
        if row[:2] != ("literal", "affix"):
            return None
        known = sum(map(str.isalnum, row[2] + row[3]))
        return (row[2], row[3]) if known >= _LEAST else None

    def group_sites(self, value: Value, name: str) -> Sites:
        """Where a member is found of what a call of the library made; `()` where the library has it."""
        if value.path == RECORD:
            return self.record_sites(value, name)
        if value.path == SPELLED:  # an attribute of any kind
            return (Site("value", "", 0, "unknown", unknown("dynamic")),)
        if value.path == "property" and name in _ACCESSORS:
            return tuple([Site("value", "", 0, "type", v) for v in self.items(value, (("str", name[1:]),))])
        return ()

    def spelled_at(self, sites: Sites) -> tuple[str, tuple[str, int]] | None:
        """The pattern of a name, see `indexer.evidence.ANY`, and the class, where one of such members is called."""
        for site in sites:
            for value in self.site_values(site):
                if value.kind == "group" and value.path == SPELLED:
                    return next(key for key, _ in self.groups[value.number].items if key is not None)
        return None
