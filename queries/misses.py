"""What a question says that the map does not have: said, so that nobody takes an answer to the rest for one to all."""

from __future__ import annotations

from collections.abc import Iterable

from indexer.errors import NotFoundError
from queries.find import near_names
from queries.session import Session
from queries.terms import spelt, terms_of
from queries.words import Question, variants

FEW = 8
"""A longer text is sure to have words that no code has."""
SHOWN = 40  # characters of a word


def unknown_words(session: Session, question: Question) -> tuple[str, ...]:
    """A note for each word of a short question that nothing in the map has, with what was taken for it, if anything."""
    if len(question.words) > FEW:
        return ()
    forms = {word: (word, *variants(word)) for word in question.words}
    known = session.postings.frequencies(sorted({form for group in forms.values() for form in group}))
    notes = []
    for word, group in forms.items():
        if not spelt(word, group, known):
            taken = _taken_for(session, question, word, set(group))
            notes.append(f"nothing has the word {word[:SHOWN]}" + (f"; taken for {', '.join(taken)}" if taken else ""))
    return tuple(notes)


def nothing(session: Session, question: Question) -> NotFoundError:
    """Why nothing was found, with names that may have been meant."""
    words = list(question.words)[:FEW]
    if not words:
        return NotFoundError("the text has no words to look for: write a name, or what it is about")
    near = tuple(dict.fromkeys(name for word in words for name in near_names(session, word)))[:FEW]
    said = _listed(word[:SHOWN] for word in words)
    return NotFoundError(f"nothing in the map matches {said}, in no name, path, documentation or body", near)


def _taken_for(session: Session, question: Question, word: str, own: set[str]) -> list[str]:
    alone = question._replace(words={word: 1.0}, names=())
    terms = terms_of(session.postings, alone, session.symbol_count())
    forms = sorted({form for term in terms for form in term.forms} - own)
    known = session.postings.frequencies(forms)
    return [form for form in forms if form in known]


def _listed(words: Iterable[str]) -> str:
    return " or ".join(words)
