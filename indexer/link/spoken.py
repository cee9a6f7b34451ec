"""What links look up, in words: the keys of `surface` as a person reads them."""

from __future__ import annotations

from typing import Final

from indexer.link.shapes import SHAPE, function_of

_WHOLE: Final = {
    "*": "its star imports and exports",
    "__all__": "the names it exports",
    "[]": "what is put into containers",
}
_ENDINGS: Final = (
    ("{:}", "the lines of calls in {}()"),
    ("{}", "what {}() does with what it is given"),
    ("()", "what a call of {} gives"),
    ("[]", "the names {} declares"),
    (".*", "whether {} has members"),
    (":", "the bases of {}"),
    ("@", "the calls of {}"),
)


def spoken(key: str) -> str:
    """A key in words: `.login` is "login", `login()` is "what a call of login gives"."""
    if key in _WHOLE:
        return _WHOLE[key]
    if key.startswith("="):
        return f"what is set as .{key[1:]} from outside"
    if key.endswith(SHAPE):
        return f"the parameters of {function_of(key)}()"
    for ending, words in _ENDINGS:
        if key.endswith(ending):
            name = key.removesuffix(ending)
            return words.replace("{}", name.lstrip(".") or "the module", 1)
    return key.removeprefix(".")
