from __future__ import annotations

import pytest

from queries.words import Place, parts, understand, variants


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("getUserName", ["get", "user", "name"]),
        ("HTTPServer_v2", ["http", "server", "v", "2"]),
        ("session_login", ["session", "login"]),
        ("src/a-b.py", ["src", "a", "b", "py"]),
        ("Café", ["cafe"]),
        ("проверитьВход", ["проверитьвход"]),
        ("_", []),
    ],
)
def test_identifiers_split_into_words(name: str, expected: list[str]) -> None:
    assert parts(name) == expected


def test_grammar_is_dropped_and_tasks_count_less() -> None:
    words = understand("Fix the login of a user when the session times out").words
    assert list(words) == ["fix", "login", "user", "session", "times"]
    assert words["fix"] < words["login"]


def test_grammar_counts_when_there_is_nothing_else() -> None:
    assert list(understand("the").words) == ["the"]


def test_names_quotes_and_paths_are_seen() -> None:
    asked = understand("`flush` of Session.get_expiry fails in shop/auth.py, see https://x.org/a_b and v1.2.3")
    assert asked.names[:2] == ("flush", "Session.get_expiry")
    assert asked.paths == (Place("shop/auth.py", 0),)
    assert "x" not in asked.words
    assert "org" not in asked.words


def test_python_frames_are_innermost_first() -> None:
    text = 'Traceback:\n  File "/a/b.py", line 3, in f\n    g()\n  File "C:\\c\\d.py", line 5, in g\n'
    assert understand(text).frames == (Place("C:/c/d.py", 5), Place("/a/b.py", 3))


def test_javascript_frames_are_in_order() -> None:
    text = "TypeError: x\n  at inner (/app/src/a.ts:10:5)\n  at async file:///app/src/b.js:7:1\n  at node:internal:1:1"
    assert understand(text).frames == (Place("/app/src/a.ts", 10), Place("/app/src/b.js", 7))


def test_a_line_of_a_file_is_a_frame() -> None:
    assert understand("shop/auth.py:12: AssertionError").frames == (Place("shop/auth.py", 12),)


def test_scripts_without_blanks_are_asked_for_by_pairs() -> None:
    assert {"会话过期", "会话", "话过", "过期"} <= understand("会话过期").words.keys()


def test_only_a_single_word_is_a_whole_name() -> None:
    assert understand(" Session.flush\n").whole == "Session.flush"
    assert understand("session flush").whole is None


@pytest.mark.parametrize(
    ("word", "form"), [("timeouts", "timeout"), ("expiry", "expiries"), ("caching", "cache"), ("retries", "retry")]
)
def test_other_forms_of_a_word(word: str, form: str) -> None:
    assert form in variants(word)


ISSUE = """Scheduler drops jobs

<!-- Please search
existing issues first -->
## Steps to reproduce
- [x] I have read the guide
Traceback (most recent call last):
  File "/usr/lib/app/worker.py", line 7, in run_once
KeyError: 'token'
- **OS:** Ubuntu 22.04
Python version: 3.11.2
### Environment
"""


def test_what_forms_and_traces_always_say_is_no_word() -> None:
    found = understand(ISSUE)
    assert set(found.words) == {"scheduler", "drops", "jobs", "run", "key", "error", "token"}
    assert found.frames == (Place("/usr/lib/app/worker.py", 7),)
    assert "run_once" in found.names


def test_a_sentence_may_say_what_a_form_asks_for() -> None:
    assert {"steps", "reproduce", "environment"} <= understand(
        "the steps reproduce the environment\nof version: x"
    ).words.keys()
    assert understand("version: parse").words.keys() == {"version", "parse"}


def test_a_file_is_a_path_and_no_name() -> None:
    assert understand("run shop/auth.py and Auth.py").names == ()


LOG = """The shell starts `crawl_all`

   ```py
   >>> from shop.auth import login_user
   Enabled: ['shop.middleware.HttpAuth']
"""


def test_code_blocks_and_logs_give_words_and_no_names() -> None:
    """This one is indented, and cut off before its end."""
    question = understand(LOG)
    assert question.names == ("crawl_all",)
    assert {"login", "middleware"} <= question.words.keys()
    assert understand("```\nlogin_user()\n```").names == ("login_user",)  # there is nothing else


def test_a_quoted_command_is_no_name() -> None:
    assert understand("the output of `pip list` and of `login`").names == ("login",)


def test_a_long_text_asks_for_no_tests_by_having_one() -> None:
    assert understand("test for login").tests
    assert not understand("Login fails\n\nwith this test: def test_login(): pass").tests


def test_what_is_spelt_with_hyphens_is_a_name_and_a_topic() -> None:
    question = understand("shop-core: keep-alive and --max-age are lost - or not")
    assert question.names == ("shop-core", "keep-alive", "max-age")
    assert question.topics == {"shop-core", "keep-alive", "max-age"}


@pytest.mark.parametrize("title", ["Refunds: rounding is off", "[refunds] rounding is off\n\nNote: it is"])
def test_what_a_title_puts_itself_under_is_a_topic(title: str) -> None:
    assert understand(title).topics == {"refunds"}


def test_what_the_language_raises_is_no_name() -> None:
    assert understand("TypeError and OrderError in `login`").names == ("login", "OrderError")


PRINTED = """`flask` is "not quite ready yet"

INTERNALERROR> shop.OrderError: order 7 was refunded twice
Error: the port is taken
AttributeError: 'Order' object has no attribute 'refund_all'
it's a shop's own 'x' and "one_name_alone_in_quotes"
"""


def test_what_a_program_printed_or_quotes_hold_is_a_saying() -> None:
    """Not what a language says by itself, and no single name."""
    assert understand(PRINTED).sayings == (
        ("not", "quite", "ready", "yet"),
        ("order", "was", "refunded", "twice"),
        ("the", "port", "is", "taken"),
    )
