"""Paths inside the repository: relative to the root, "/" between parts, "" for the root, never outside of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def parent(path: str) -> str:
    """The folder of a path; the root is its own parent."""
    return path.rpartition("/")[0]


def join(folder: str, path: str) -> str | None:
    """`path` as read in `folder`, without "." and ".."; None when it is absolute or leads out of the root."""
    if path.startswith("/") or "\0" in path or (len(path) > 1 and path[1] == ":"):
        return None
    parts = folder.split("/") if folder else []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def below(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def contains(folder: str, path: str) -> bool:
    """Whether `path` is `folder` or lies in it."""
    return not folder or path == folder or path.startswith(folder + "/")


def ancestors(folder: str) -> list[str]:
    """The folder itself and those around it, innermost first, the root last."""
    found = [folder]
    while folder:
        folder = parent(folder)
        found.append(folder)
    return found


def shared_depth(one: str, other: str) -> int:
    """How many leading parts two folders have in common."""
    depth = 0
    for left, right in zip(one.split("/"), other.split("/"), strict=False):
        if left != right or not left:
            break
        depth += 1
    return depth


def glob_matches(pattern: str, path: str) -> bool:
    """Whether a glob of `*`, `?` (within a part) and `**` (any number of parts) fits the whole path.

    Takes at most the product of the lengths, whatever the pattern: repositories are not trusted.
    """
    return _wild(pattern.split("/"), path.split("/"), "**", _part_matches)


def _part_matches(pattern: str, part: str) -> bool:
    return _wild(pattern, part, "*", lambda wanted, letter: wanted == letter or wanted == "?")


def _wild(pattern: Sequence[str], text: Sequence[str], star: str, same: Callable[[str, str], bool]) -> bool:
    """Wildcard matching with one point to go back to: the last star, which may always take one more."""
    at = place = 0
    back, resume = -1, 0
    while place < len(text):
        if at < len(pattern) and pattern[at] == star:
            back, resume = at, place
            at += 1
        elif at < len(pattern) and same(pattern[at], text[place]):
            at += 1
            place += 1
        elif back >= 0:
            resume += 1
            at, place = back + 1, resume
        else:
            return False
    return all(part == star for part in pattern[at:])
