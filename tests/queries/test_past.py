"""What commits said of a question: a past whose messages share no word with the code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codemap.home import find
from indexer.pipeline import follow, update
from queries.past import past
from queries.search import search
from queries.session import Session
from queries.words import understand
from tests.indexer.repositories import Past

BODY = "def f():\n    return {0}\n\ndef g():\n    return {1}\n\ndef h():\n    return {2}\n"
MANY = "".join(f"def wide{n}():\n    return {{0}}\n\n" for n in range(12))


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    made = Past(tmp_path_factory.mktemp("past") / "repository")
    made.commit("Begin", {"a.py": BODY.format(0, 0, 0), "w.py": MANY.format(0), "zebra.py": "def zebra(): pass\n"})
    made.commit("Stop the login timeouts", {"a.py": BODY.format(1, 0, 0)})
    made.commit("Login timeout once more", {"a.py": BODY.format(2, 0, 0)})
    made.commit("Quota exceeded", {"a.py": BODY.format(2, 1, 0)})
    made.commit("Quota exceeded, in all that is wide", {"w.py": MANY.format(1)})
    made.commit("Zebra stripes", {"a.py": BODY.format(2, 1, 1)})
    for number in range(30):
        made.commit(f"Chores {number}", {"other.txt": str(number), "c.py": f"x = {number}\n"})
    update(str(made.root), jobs=1)
    follow(str(made.root))
    with find(made.root).open() as opened:
        yield opened


def told(session: Session, text: str) -> dict[str, float]:
    found = past(session, understand(text))
    with session.read() as reader:
        return {row.qualname: found[row.id] for row in reader.symbols(found).values()}


def test_words_of_messages_lead_to_what_was_touched(session: Session) -> None:
    assert set(told(session, "login timeout")) == {"f"}
    assert next(each.row.qualname for each in search(session, understand("login timeout"))) == "f"


def test_a_second_commit_adds_to_the_first_and_never_beyond_one(session: Session) -> None:
    one, two = (told(session, f"{words} unicorns griffins dragons") for words in ("quota exceeded", "login timeout"))
    assert 0 < one["g"] < two["f"] < 1
    assert told(session, "login timeout")["f"] == 1


def test_a_commit_that_touched_much_says_little_of_each(session: Session) -> None:
    found = told(session, "quota exceeded")
    assert 0 < found["wide0"] <= found["g"] / 2  # 12 definitions for 1


def test_what_most_of_a_question_does_not_say_is_nothing(session: Session) -> None:
    assert told(session, "quota of alpha beta gamma delta epsilon zeta for theta iota kappa") == {}
    assert told(session, "words that nobody wrote") == {}


def test_a_word_that_every_message_has_says_nothing_beside_others(session: Session) -> None:
    assert told(session, "chores concerning elephants") == {}


def test_a_name_goes_before_what_commits_said(session: Session) -> None:
    first, *others = search(session, understand("zebra"))
    assert first.row.qualname == "zebra"
    assert "h" in [each.row.qualname for each in others]


def test_without_a_history_there_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BODY)
    update(str(tmp_path), jobs=1)
    with find(tmp_path).open() as opened:
        assert past(opened, understand("login timeout")) == {}
