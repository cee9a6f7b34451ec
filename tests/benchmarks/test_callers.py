"""The count that `callers` is held against is itself checked on lines counted by hand."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.callers import Result, Site, call_sites

SOURCE = '''\
from django.utils import encoding as enc
from django.utils.encoding import force_str as text

top = text("module")  # force_str("in a comment")


@decorate(text("decorator"))
def outer(default=text("default")):
    """force_str("in a string")"""
    def inner():
        return enc.force_str(b"")
    return [text(each) for each in ()], (lambda: text(0)), force_str(1)


class Model:
    label = text("class body")
    make = lambda self: text(self)

    async def save(self):
        self.force_str(1)
        return text(
            self,
        )
'''


def test_call_sites_are_those_whose_name_leads_to_the_function(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app/models.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "app/other.py").write_text("def force_str(x): ...\nforce_str(1)\n", encoding="utf-8")
    found = {(site.qualname, site.line) for site in call_sites(tmp_path)}
    assert found == {
        ("<module>", 4),
        ("<module>", 7),  # a decorator and a default run in the scope around
        ("<module>", 8),
        ("outer.inner", 11),
        ("outer", 12),
        ("outer.<lambda1>", 12),
        ("<module>", 16),  # code of a class body belongs to the scope around the class
        ("<lambda1>", 17),
        ("Model.save", 21),
    }


def test_the_module_itself_calls_it_by_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "django/utils").mkdir(parents=True)
    source = "def force_str(s): ...\n\ndef force_bytes(s):\n    return force_str(s).encode()\n"
    (tmp_path / "django/utils/encoding.py").write_text(source, encoding="utf-8")
    assert list(call_sites(tmp_path)) == [Site("django/utils/encoding.py", "force_bytes", 4)]


def test_a_site_in_the_wrong_function_is_not_found() -> None:
    here, there = Site("a.py", "f", 1), Site("a.py", "g", 1)
    result = Result(frozenset({here, Site("a.py", "f", 2)}), frozenset({there, Site("a.py", "f", 2)}))
    assert result.share == 0.5
    assert result.found - result.sites == {there}
