from __future__ import annotations

import pytest

from indexer.codec import decode, decode_described, decode_documents, decode_uses, encode
from indexer.model import (
    Attribute,
    Binding,
    BindingKind,
    Class,
    Export,
    FileFacts,
    Function,
    Import,
    Role,
    Scope,
    Symbol,
)

FACTS = FileFacts(
    language="python",
    symbols=(Symbol("<module>", "<module>", 0, "module", -1, 0, 0, 9, 1, 1, 1, 0, "", "é 漢", 32),),
    scopes=(Scope("module", -1, 0),),
    bindings=(Binding(0, "x", BindingKind.VALUE, 0, -1, 0, None, 0, 9, 0),),
    attributes=(Attribute(0, "y", 4, 0, "a.b", None, 0),),
    functions=(Function(0, 0, None, ("x", 0), (), ("d",)),),
    classes=(Class(0, 0, ("B",), (("metaclass", "M"),), (), ()),),
    imports=(Import("a.b", 1, "c", "d", False, "from", 0, 3, 1, True),),
    exports=None,
    expressions=(("call", "f", (("=", "k", 0), ("literal", "int", 3))),),
    references=((0, "f", Role.CALL, (1, 5)), (0, 0, Role.READ, (7,))),
    documents=("x words",),
    header="header",
    line_lengths=(4, 5),
    error_lines=((1, 2),),
    notes=("generated",),
)


def test_what_the_map_keeps_is_there_without_the_rest() -> None:
    symbols, documents, *rest = decode_described(encode(FACTS).described)
    assert symbols == list(map(tuple, FACTS.symbols))
    assert documents == FACTS.documents
    assert rest == [FACTS.header, len(FACTS.line_lengths), FACTS.error_lines, FACTS.notes]


def test_there_and_back() -> None:
    facts = decode(*encode(FACTS)[:3])
    assert facts == FACTS
    assert repr(facts) == repr(plain_numbers(FACTS))  # tuples at every depth, not lists, and rows with their names
    assert isinstance(facts.functions[0], Function)


def plain_numbers(facts: FileFacts) -> FileFacts:
    """Kinds and roles as the numbers they are."""
    bindings = tuple(row._replace(kind=int(row.kind)) for row in facts.bindings)
    references = tuple((scope, used, int(role), places) for scope, used, role, places in facts.references)
    return facts._replace(bindings=bindings, references=references)


def test_parts_are_decoded_apart() -> None:
    encoded = encode(FACTS._replace(exports=(Export("*", None, 0, 2),)))
    facts = decode(encoded.definitions)
    assert (facts.references, facts.documents) == ((), ())
    assert facts.exports == (Export("*", None, 0, 2),)
    assert decode_uses(encoded.uses) == ((0, "f", 1, (1, 5)), (0, 0, 0, (7,)))
    assert decode_documents(encoded.documents) == ("x words",)


def test_equal_facts_give_equal_bytes() -> None:
    plain = FACTS._replace(symbols=tuple(map(tuple, FACTS.symbols)))  # type: ignore[arg-type]
    assert encode(plain) == encode(FACTS)


def test_what_the_bytes_cannot_hold() -> None:
    with pytest.raises(OverflowError):
        encode(FACTS._replace(expressions=(("literal", "int", 1 << 70),)))
    with pytest.raises(UnicodeEncodeError):
        encode(FACTS._replace(header="\ud800"))
