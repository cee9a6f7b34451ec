"""Words that the map does not have, and questions that find nothing."""

from __future__ import annotations

import pytest

from indexer.errors import NotFoundError
from queries.session import Session
from queries.subgraph import subgraph
from queries.tokens import Measure
from tests.queries.conftest import PlainRenderer


def _notes(session: Session, query: str) -> tuple[str, ...]:
    return subgraph(session, query, budget=4000, measure=Measure(), renderer=PlainRenderer()).notes


def test_a_word_that_nothing_has_is_said_with_what_it_was_taken_for(session: Session) -> None:
    assert _notes(session, "login rotatte") == ("nothing has the word rotatte; taken for rotate",)
    assert _notes(session, "login kjsdhfkj") == ("nothing has the word kjsdhfkj",)


def test_other_forms_of_a_word_are_no_news(session: Session) -> None:
    assert _notes(session, "logins sessions rotating") == ()


def test_a_long_text_is_sure_to_have_such_words(session: Session) -> None:
    assert _notes(session, "login " + " ".join(f"kjsdhf{letter}" for letter in "abcdefgh")) == ()


@pytest.mark.parametrize(
    ("query", "said", "near"),
    [
        ("kjsdhfkj qwzz", "nothing in the map matches kjsdhfkj or qwzz, in no name", ()),
        ("rotatetokn", "nothing in the map matches rotatetokn", ("rotate_token",)),
        ("???", "the text has no words", ()),
    ],
)
def test_nothing_found_has_its_reason(session: Session, query: str, said: str, near: tuple[str, ...]) -> None:
    with pytest.raises(NotFoundError, match=said) as error:
        subgraph(session, query, budget=4000, measure=Measure(), renderer=PlainRenderer())
    assert error.value.suggestions == near
