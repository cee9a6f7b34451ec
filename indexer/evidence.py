"""How an edge is known: the one list of what `evidence` may say, in the rows of a map and in answers."""

from __future__ import annotations

SAID = ("scope", "import", "inheritance", "constructor", "type")
"""The source names the target: through scopes, imports, bases, the making of an instance, or the receiver's type."""

IMPLICIT = ("operator", "item", "iteration", "context", "property", "builtin")
"""Calls that no parentheses show: `a + b`, `a[b]`, `for … in a`, `with a`, `a.b`, `len(a)`."""

DECORATOR = "decorator"
"""What a decorator made of the function that is named: a function of its own, which runs instead or around it."""

ARGUMENT = "argument"
"""A function that was handed over is called through a parameter."""

DISPATCH = "dispatch"
"""A subclass of the receiver's class has a method of its own; derived when asked for, no row of a map."""

NAME = "name"
"""Of candidates: nothing but the name speaks for it."""

HISTORY = "history"
"""Commits touched both; derived when asked for, no row of a map."""

EVIDENCE = (*SAID, *IMPLICIT, DECORATOR, ARGUMENT, DISPATCH, NAME, HISTORY)
"""From what says most to what says least; of several ways to the same edge, answers show the first."""

MARKED = frozenset((*IMPLICIT, DECORATOR, ARGUMENT, DISPATCH))
"""What is worth a word where room is short: without it a reader would look for a name that is not there."""

ANY = "*"
"""In `Link.pending`: before the name of members of which a part is known, and where the rest stands: "*visit_*". It is
any such method of the receiver, a class, or of one below it."""

AFTER = "super."
"""Before the name of a member in `Link.pending` that `super()` looks for: it is what follows the receiver, a class, in
the order of its subclasses' bases, and no name of the state "pending"."""
