"""Plugins: what `importlib.metadata.entry_points(group="g")` leads to, by the repository's own configuration."""

from __future__ import annotations

from typing import Final

from indexer.link.arguments import Passed
from indexer.link.containers import Entry, Keys
from indexer.link.getters import Getters
from indexer.link.memo import question
from indexer.link.values import Value, Values, known, union
from indexer.ports import ENTRY_POINTS, Target

ENTRY: Final = "entry point"
ENTRIES: Final = "entry points"
GROUPS: Final = "groups of entry points"
PLUGIN_METHODS: Final = frozenset({"load", "select"})
ENTRY_FUNCTIONS: Final = frozenset(
    {"importlib.metadata.entry_points", "importlib.entry_points", "importlib_metadata.entry_points"}
    | {"pkg_resources.iter_entry_points"}
)


class Plugins(Getters):
    """Objects that are loaded by names that configuration gives them."""

    def selected(self, passed: Passed) -> Values:
        """What `entry_points()` gives, of the group and name that it is called with."""
        keywords = dict(passed.keywords)
        groups = keywords.get("group") or (passed.positional[0] if passed.positional else ())
        if not groups:
            return self.group(GROUPS, ())
        found = self.plugins_of(self.keys_of(known(groups)))
        return tuple([v for value in found for v in self._of_name(value, self.keys_of(keywords.get("name", ())))])

    def _of_name(self, value: Value, names: Keys) -> Values:
        if not names:
            return (value,)
        return self.group(ENTRIES, [entry for entry in self.groups[value.number].items if entry[0] in names])

    def plugins_of(self, groups: Keys) -> Values:
        """The entry points of some groups."""
        slots: list[Entry] = []
        for key in groups or ():
            for name, path, attribute in self._entry_points(str(key[1])):
                slots.append((("str", name), self.group(ENTRY, [(None, self.loaded(path, attribute))])))
        return self.group(ENTRIES, slots) if slots else ()

    def _entry_points(self, group: str) -> list[tuple[str, str, str]]:
        """Name, file and attribute of each object of a group."""
        if "python" not in self._resolvers or "\0" in group:
            return []
        self.memo.lookups.append(("", f"member\0python\0{ENTRY_POINTS}\0{group}\0{ENTRY_POINTS}"))
        found = self._resolvers["python"].member(Target(ENTRY_POINTS, group), ENTRY_POINTS)
        rows = [line.split("\t") for line in found.value.split("\n")] if found is not None else []
        return [(name, path, attribute) for name, path, attribute in rows]

    @question
    def loaded(self, path: str, attribute: str) -> Values:
        """What loading an entry point gives: a module, or an attribute of it."""
        module = Value("module", path)
        if not attribute:
            return (module,)
        name, _, rest = attribute.partition(".")
        values = union([self.site_values(site) for site in self.module_sites(module, name)] or [()])
        return known(self.rest_values(values, rest)) if rest else known(values)

    def plugin_method(self, value: Value, method: str, passed: Passed) -> Values:
        """What `load` of an entry point gives, and `select` of several."""
        if value.path == ENTRY and method == "load":
            return self.items(value)
        if value.path == GROUPS and method == "select":
            return self.selected(passed)
        if value.path == ENTRIES and method == "select":
            return self._of_name(value, self.keys_of(dict(passed.keywords).get("name", ())))
        return ()
