"""What is kept of a commit's message: its words, not who wrote it."""

from __future__ import annotations

import re

LIMIT = 2_000
"""Characters; what a longer message says further down is about details of its time."""

_TRAILER = re.compile(
    r"^[ \t]*(?:[\w-]+-by|cc|thanks(?:-to)?|author|authors|committer|change-id|git-svn-id|from)[ \t]*:.*$", re.I | re.M
)
_ADDRESS = re.compile(r"<?[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}>?")
_BLANK = re.compile(r"\n{3,}")


def tidy(raw: bytes, encoding: str | None = None) -> str:
    """The text of a message without names and addresses of people, at most `LIMIT` characters.

    encoding   as the commit names it; one that is not known is read as UTF-8
    """
    try:
        text = raw.decode(encoding or "utf-8", "replace")
    except LookupError:
        text = raw.decode("utf-8", "replace")
    text = text[: 4 * LIMIT].replace("\r\n", "\n")
    text = _ADDRESS.sub("", _TRAILER.sub("", text))
    return _BLANK.sub("\n\n", text).strip()[:LIMIT].rstrip()
