"""The text form, character by character."""

from __future__ import annotations

from dataclasses import replace

from codemap.render import text
from queries.answers import Node, Passage, Staleness, Subgraph

WHOLE = """\
5 symbols in 3 files; * matches the words, ? marks a candidate

shop/auth.py # Who is asking: login.
*6-13 def login(request, user) # Remember the user.
  calls: rotate_token:11+12
  calls?: Session.flush:10
21-22 def rotate_token(request)

shop/sessions.py
12-38 class Session
  31-35 def flush(self)

shop/cart.py
  imports: login:2

note: near: «logn»
omitted: 3 symbols, 1 file, 5 edges (calls 4, imports 1)
tokens: 131 of 4000 (heuristic-utf16/3)
map: cccccccccc, fresh
"""


def test_a_whole_answer(answer: Subgraph) -> None:
    assert text.subgraph(answer) == WHOLE


def test_what_dispatch_adds_stands_apart(answer: Subgraph) -> None:
    candidate, first, second, _ = answer.edges
    marked = (candidate, replace(first, evidence="dispatch"), replace(second, overrides=40))
    rows = text.subgraph(replace(answer, edges=marked)).splitlines()
    assert rows[4:7] == [
        "  calls: rotate_token:11 (+40 overrides)",
        "  calls(dispatch): rotate_token:12",
        "  calls?: Session.flush:10",
    ]


def test_a_member_without_its_class_bears_its_qualified_name(answer: Subgraph, nodes: dict[str, Node]) -> None:
    shown = text.subgraph(replace(answer, nodes=(nodes["flush"],), edges=(), seeds=()))
    assert "\n31-35 def Session.flush(self)\n" in shown


def test_a_symbol_by_name_alone(answer: Subgraph, nodes: dict[str, Node]) -> None:
    bare = replace(nodes["flush"], signature="")
    shown = text.subgraph(replace(answer, nodes=(bare,), edges=(), seeds=(bare,)))
    assert "\n*31 Session.flush\n" in shown
    nested = text.subgraph(replace(answer, nodes=(nodes["session"], bare), edges=(), seeds=()))
    assert "\n12-38 class Session\n  31 flush\n" in nested


def test_names_alone_share_a_line_until_another_line_comes(answer: Subgraph, nodes: dict[str, Node]) -> None:
    session, flush = nodes["session"], replace(nodes["flush"], signature="")
    early = replace(flush, id=21, qualname="Session.early", start_line=14, end_line=15)
    late = replace(flush, id=22, qualname="Session.late", start_line=36, end_line=36)
    after = replace(flush, id=23, qualname="after", start_line=50, end_line=51)
    names = replace(answer, nodes=(late, session, flush, early, after), edges=(), seeds=(flush,))
    assert "\n12-38 class Session\n  14 early, *31 flush, 36 late\n50 after\n" in text.subgraph(names)
    edge = replace(answer.edges[0], source=flush, target=after, line=33)
    assert "\n  14 early, *31 flush\n    calls?: after:33\n  36 late\n" in text.subgraph(replace(names, edges=(edge,)))
    documented = replace(names, nodes=(session, early, replace(nodes["flush"], doc=""), late))
    assert "\n  14 early\n  *31-35 def flush(self)\n  36 late\n" in text.subgraph(documented)


def test_a_body_takes_the_place_of_the_signature(answer: Subgraph, nodes: dict[str, Node]) -> None:
    body = "    def flush(self):\n\n        self.data.clear()\n"
    flush = replace(nodes["flush"], body=body)
    shown = text.subgraph(replace(answer, nodes=(flush,), edges=(), seeds=()))
    assert "\n31-35 Session.flush\n def flush(self):\n\n     self.data.clear()\n" in shown


def test_lines_of_a_body_that_are_left_out_are_marked(answer: Subgraph, nodes: dict[str, Node]) -> None:
    """Of lines 31 to 35, 32 and 35 are left out; the blanks that all shown lines begin with are cut."""
    passages = (Passage(31, "    def flush(self):"), Passage(33, "        a = 1\n        \x1bb = 2"))
    flush = replace(nodes["flush"], passages=passages)
    shown = text.subgraph(replace(answer, nodes=(flush,), edges=(), seeds=()))
    assert "\n31-35 Session.flush\n def flush(self):\n … 32\n     a = 1\n     \\x1bb = 2\n … 35\n" in shown
    shown = text.subgraph(replace(answer, nodes=(replace(flush, passages=passages[1:]),), edges=(), seeds=()))
    assert "\n31-35 Session.flush\n … 31-32\n a = 1\n \\x1bb = 2\n … 35\n" in shown


def test_what_stands_in_a_body_is_not_shown_twice(answer: Subgraph, nodes: dict[str, Node]) -> None:
    session = replace(nodes["session"], body="class Session:\n    def flush(self): ...")
    flush = replace(nodes["flush"], body="    def flush(self): ...", doc="Forget.")
    shown = text.subgraph(replace(answer, nodes=(session, flush), edges=(), seeds=(flush,)))
    assert shown.count("def flush") == 1
    assert "\n  *31-35 flush\n" in shown


def test_a_module_that_matches_marks_its_file(answer: Subgraph, nodes: dict[str, Node]) -> None:
    shown = text.subgraph(replace(answer, seeds=(nodes["module"],)))
    assert "\n*shop/cart.py\n" in shown


def test_a_signature_without_the_name_gets_it_in_front() -> None:
    assert text.qualified("def flush(self, flush)", "flush", "S.flush") == "def S.flush(self, flush)"
    assert text.qualified("(a) => a", "run", "job.run") == "job.run (a) => a"
    assert text.qualified("def reflush(flush)", "flush", "S.flush") == "def reflush(S.flush)"
    assert text.qualified("$get(a)", "$get", "C.$get") == "C.$get(a)"


def test_a_stale_answer_says_so(answer: Subgraph, stale: Staleness) -> None:
    last = text.subgraph(replace(answer, staleness=stale)).splitlines()[-1]
    assert last == ("map: cccccccccc + 1 uncommitted file, NOT FRESH: head moved; changed on disk: shop/auth.py, b.py")


def test_hostile_names_are_shown_as_escapes(answer: Subgraph, nodes: dict[str, Node]) -> None:
    hostile = replace(nodes["login"], signature="def \x1b[2Jlogin()", doc="\u202edoc\nmore", body=None)
    shown = text.subgraph(replace(answer, nodes=(hostile,), edges=(), seeds=()))
    assert "def \\x1b[2Jlogin() # \\u202edoc\\nmore\n" in shown
