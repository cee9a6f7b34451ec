"""How a line that begins a definition is written, for versions of files that are never parsed."""

from __future__ import annotations

_NAME = rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*"
_NO_METHODS = rb"(?:if|for|while|switch|catch|function|return|with|else|do|new|await|typeof|super|throw)\b"
_DECLARED = (
    rb"(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:abstract[ \t]+)?(?:async[ \t]+)?(?:const[ \t]+(?=enum))?"
    rb"(?:function[ \t]*\*?|class|interface|enum|namespace|type)[ \t]+(NAME)"
)
_ASSIGNED = (
    rb"(?:export[ \t]+)?(?:const|let|var)[ \t]+(NAME)[ \t]*(?::[^=\n]{1,200})?=[ \t]*"
    rb"(?:async\b|function\b|class\b|\(|<|NAME[ \t]*=>)"
)
_METHOD = (
    rb"(?:(?:public|private|protected|static|async|get|set|override|abstract)[ \t]+){0,4}\*?[ \t]*"
    rb"(?!NOT)(#?NAME)(?:"
    rb"\??(?:<[^>\n]{1,200}>)?\([^\n]{0,300}\)[ \t]*(?::[^{\n]{1,200})?\{[ \t\r]*$"
    rb"|[ \t]*[:=][ \t]*(?:async[ \t]*)?(?:function\b|\([^\n]{0,200}\)[ \t]*=>|NAME[ \t]*=>))"
)

DEFINITION_LINES = (
    (rb"([ \t]*)(?:" + rb"|".join((_DECLARED, _ASSIGNED, _METHOD)) + rb")")
    .replace(b"NAME", _NAME)
    .replace(b"NOT", _NO_METHODS)
)
