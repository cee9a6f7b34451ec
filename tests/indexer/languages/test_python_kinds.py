"""The grammar's node kinds, and what loading the language costs and promises."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from indexer.languages.python import GRAMMAR_VERSION, VERSION, Python
from indexer.languages.python.extract import HANDLERS
from indexer.languages.python.kinds import GRAMMAR, VISIT, kind

# Kinds that are met only inside those with a handler, or have nothing to record.
UNVISITED = """
    aliased_import as_pattern_target break_statement case_pattern class_pattern comment complex_pattern
    continue_statement default_parameter dict_pattern dictionary_splat_pattern dotted_name ellipsis
    escape_interpolation escape_sequence false float import_prefix integer keyword_pattern keyword_separator
    lambda_parameters line_continuation member_type module none parameters pass_statement positional_separator
    relative_import splat_pattern splat_type string_content string_end string_start true type_conversion
    typed_default_parameter typed_parameter union_pattern wildcard_import
""".split()


def test_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(LookupError, match="no_such_kind"):
        kind("no_such_kind")


def test_every_kind_is_visited_or_known_to_hold_nothing() -> None:
    assert HANDLERS
    named = {
        str(GRAMMAR.node_kind_for_id(number))
        for number in range(GRAMMAR.node_kind_count)
        if GRAMMAR.node_kind_is_named(number) and GRAMMAR.node_kind_is_visible(number)
    }
    assert {name for name in named if VISIT[kind(name)] is None} == set(UNVISITED)


def test_importing_the_language_loads_no_parser() -> None:
    code = "import sys, indexer.languages.python; print(*[m for m in sys.modules if m.startswith('tree_sitter')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_fingerprint_names_the_grammar_that_is_installed_and_allowed() -> None:
    assert Python.fingerprint == f"python-{VERSION}+tree-sitter-python-{GRAMMAR_VERSION}"
    assert version("tree-sitter-python").startswith(GRAMMAR_VERSION + ".")
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))
    (allowed,) = [line for line in project["project"]["dependencies"] if line.startswith("tree-sitter-python")]
    major, minor = GRAMMAR_VERSION.split(".")
    assert allowed == f"tree-sitter-python>={GRAMMAR_VERSION},<{major}.{int(minor) + 1}"


def test_what_the_language_says_of_itself() -> None:
    assert (Python.name, Python.family, Python.extensions) == ("python", "python", (".py", ".pyi", ".pyw"))
    assert {"print", "ExceptionGroup", "aiter", "__file__", "reveal_type", "WindowsError"} <= Python.builtins
    assert "unicode" not in Python.builtins
