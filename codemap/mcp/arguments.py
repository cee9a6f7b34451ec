"""Arguments of a tool call against its schema; what is wrong is said so that a model can call again."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from codemap.mcp.tools import BY_NAME, Spec
from indexer.errors import UsageError

MOST_TEXT = 100_000  # characters of a question
MOST_NAME = 1000
MOST_NAMES = 50


def checked(name: str, given: dict[str, Any] | None) -> tuple[Spec, dict[str, Any]]:
    """The tool of that name, and its arguments. Raises UsageError."""
    tool = BY_NAME.get(name)
    if tool is None:
        raise UsageError(f"there is no tool {name[:60]}: there are {', '.join(BY_NAME)}")
    arguments = given or {}
    wrong = best_match(_validator(name).iter_errors(arguments))
    if wrong is not None:
        raise UsageError(_said(tool, arguments, wrong))
    for name, value in arguments.items():
        _check_length(f"{tool.name}: {name}", value, MOST_TEXT if name == "text" else MOST_NAME)
    return tool, arguments


def _check_length(what: str, value: object, most: int) -> None:
    """Lengths are not in the schemas, where they would cost every conversation some tokens."""
    if isinstance(value, str):
        if not value.strip():
            raise UsageError(f"{what} must not be empty")
        if len(value) > most:
            raise UsageError(f"{what} may have {most} characters at most")
    elif isinstance(value, list):
        if len(value) > MOST_NAMES:
            raise UsageError(f"{what} may have {MOST_NAMES} entries at most")
        for each in value:
            _check_length(what, each, most)


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(BY_NAME[name].schema)


def _said(tool: Spec, given: dict[str, Any], wrong: ValidationError) -> str:
    known = list(tool.schema["properties"])
    if wrong.validator == "additionalProperties":
        unknown = next(key for key in given if key not in known)
        near = get_close_matches(unknown, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
        return f"{tool.name} has no argument {unknown[:60]}: {hint}"
    if wrong.validator == "required":
        missing = [key for key in tool.required if key not in given]
        return f"{tool.name} needs the argument {' and '.join(missing)}"
    allowed = {
        "type": f"has to be of type {wrong.validator_value}",
        "enum": f"has to be one of {wrong.validator_value}",
        "minimum": f"has to be at least {wrong.validator_value}",
        "maximum": f"has to be at most {wrong.validator_value}",
    }
    where = ".".join(map(str, wrong.path)) or "arguments"
    return f"{tool.name}: {where} {allowed.get(str(wrong.validator), 'is not allowed')}"
