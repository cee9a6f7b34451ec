"""Print a hash of the facts of Python's own library and of the fixtures: `python facts.py compiled|plain`.

The extractors must be what is said.
"""

from __future__ import annotations

import sys
import sysconfig
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from indexer.extract import extract
from indexer.languages import language_of
from indexer.languages.python import walk


def main(wanted: str) -> None:
    compiled = str(walk.__file__).endswith(tuple(EXTENSION_SUFFIXES))
    assert compiled == (wanted == "compiled"), f"{walk.__file__} is not {wanted}"
    library = Path(sysconfig.get_path("stdlib"))
    paths = [*library.glob("*.py"), *library.glob("asyncio/*.py"), *library.glob("test/test_[a-d]*.py")]
    paths += [path for path in Path(__file__).parents[1].glob("fixtures/**/*.*") if path.is_file()]
    found = sha256()
    for path in sorted(paths):
        language = language_of(path.name)
        if language is not None:
            found.update(repr(tuple(extract(path.read_bytes(), language))).encode("utf-8", "surrogatepass"))
    print(f"{len(paths)} files: {found.hexdigest()}")


main(*sys.argv[1:])
