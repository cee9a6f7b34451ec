"""The order in which classes are searched for a member."""

from __future__ import annotations

from indexer.link.values import Value


def merged(lines: list[list[Value]]) -> list[Value] | None:
    """The C3 merge; None where no order satisfies all lines."""
    found: list[Value] = []
    lines = [line for line in lines if line]
    while lines:
        tails = {value for line in lines for value in line[1:]}
        head = next((line[0] for line in lines if line[0] not in tails), None)
        if head is None:
            return None
        found.append(head)
        lines = [rest for rest in ([v for v in line if v != head] for line in lines) if rest]
    return found
