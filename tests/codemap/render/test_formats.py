from __future__ import annotations

import json
from dataclasses import replace

import pytest

from codemap.render.formats import Budgeted, Form, Format, renderer
from queries.answers import Subgraph


@pytest.mark.parametrize("form", ["text", "json"])
def test_each_answer_is_written_as_itself(answer: Subgraph, form: Format) -> None:
    other = replace(answer, notes=("something else",))
    first = renderer(form).render(answer)
    assert "something else" in renderer(form).render(other)
    assert renderer(form).render(answer) == first


def test_the_forms_differ(answer: Subgraph) -> None:
    assert json.loads(renderer("json").render(answer))["query"] == "login"
    assert renderer("text").render(answer).startswith("5 symbols in 3 files")


def test_the_last_answer_is_not_written_again(answer: Subgraph) -> None:
    written = []

    class Counting(Form):
        def _write(self, answer: Budgeted) -> str:
            written.append(answer)
            return str(len(written))

    form = Counting()
    equal = replace(answer)
    assert [form.render(each) for each in (answer, answer, equal, answer)] == ["1", "1", "2", "3"]


def test_there_are_no_other_forms() -> None:
    with pytest.raises(ValueError, match="'text' and 'json'"):
        renderer("yaml")  # type: ignore[arg-type]
