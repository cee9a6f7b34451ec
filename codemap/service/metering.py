"""Answers in the person's ledger, where CODEMAP_METER asks for it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from indexer.errors import CodemapError

if TYPE_CHECKING:
    from codemap.api import CodeMap
    from codemap.service.questions import Answered, Question


def wanted() -> bool:
    """Whether answers are to be noted."""
    if not os.environ.get("CODEMAP_METER"):
        return False
    from codemap.tokens.meter import answers

    return answers.wanted()


def note(code_map: CodeMap, question: Question, answered: Answered) -> None:
    """Note what an answer cost, against the files it stands for."""
    from codemap.tokens.meter import answers

    try:
        answers.note(question.name, answered.text, answered.paths, code_map.root, code_map.measure)
    except CodemapError:  # the answer is good, whatever becomes of its cost
        return
