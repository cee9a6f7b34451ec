from __future__ import annotations

import pytest

from queries.session import Session
from queries.terms import FUZZY_WEIGHT, SYNONYM_WEIGHT, VARIANT_WEIGHT, _one_slip, spelt, terms_of
from queries.words import understand, variants


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("login", "lgoin", True),  # swapped with the next
        ("login", "logn", True),  # left out
        ("login", "loggin", True),  # added
        ("login", "logan", True),  # changed
        ("login", "lgion", False),
        ("login", "lo", False),
        ("login", "logout", False),
    ],
)
def test_one_slip(a: str, b: str, expected: bool) -> None:
    assert _one_slip(a, b) is expected
    assert _one_slip(b, a) is expected


def test_the_rarest_word_comes_first_and_unknown_ones_not_at_all(session: Session) -> None:
    with session.read():
        terms = terms_of(session.postings, understand("session timeout xylophone"), session.symbol_count())
    assert [term.word for term in terms] == ["timeout", "session"]
    assert terms[0].weight > terms[1].weight > 0


def test_a_word_stands_for_its_other_forms_at_less(session: Session) -> None:
    with session.read():
        (term,) = terms_of(session.postings, understand("sessions"), session.symbol_count())
    assert term.forms["sessions"] == 1.0
    assert term.forms["session"] == VARIANT_WEIGHT
    with session.read():
        (term,) = terms_of(session.postings, understand("timeout"), session.symbol_count())
    assert term.forms["expiry"] == SYNONYM_WEIGHT


@pytest.mark.parametrize(("typed", "meant"), [("sesion", "session"), ("timout", "timeout")])
def test_a_slip_is_forgiven(session: Session, typed: str, meant: str) -> None:
    with session.read():
        (term,) = terms_of(session.postings, understand(typed), session.symbol_count())
    assert term.forms == {typed: 1.0, meant: FUZZY_WEIGHT}
    assert term.fields


def test_what_counts_as_a_form_of_a_word() -> None:
    """By its ending, `sesion` could come from `ses`, which a large repository is sure to have."""
    assert spelt("timing", variants("timing"), {"time"})
    assert spelt("sessions", variants("sessions"), {"session"})
    assert not spelt("sesion", variants("sesion"), {"ses"})
