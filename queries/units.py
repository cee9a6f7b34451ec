"""What commits touched, as symbols of the map."""

from __future__ import annotations

from collections.abc import Iterable

from indexer.store.history_reader import Unit
from indexer.store.reader import Reader, SymbolRow


def symbol_of(units: Iterable[Unit], reader: Reader) -> dict[Unit, SymbolRow]:
    """The symbols that units are now; those that are gone are left out."""
    wanted = set(units)
    found: dict[Unit, SymbolRow] = {}
    names = {name.rpartition(".")[2] for _, name in wanted if name}
    for row in reader.named_in(sorted({path for path, name in wanted if name}), sorted(names)):
        unit = row.path, row.qualname
        if unit in wanted:
            found.setdefault(unit, row)
    files = reader.files_at(sorted({path for path, name in wanted if not name}))
    for row in reader.modules([file.id for file in files]):
        found[row.path, ""] = row
    return found
