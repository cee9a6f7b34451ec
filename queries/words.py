"""Understand a question: words, names, paths and stack frames in whatever text a person or a program hands over."""

from __future__ import annotations

import builtins
import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

SOURCE_SUFFIXES = "py|pyi|js|jsx|mjs|cjs|ts|tsx|mts|cts|vue|svelte|go|java|rs|c|h|cc|cpp|hpp|rb|php|cs|kt|swift|scala"

_PYTHON_FRAME = re.compile(r'File "([^"\n]+)", line (\d+)')
_SCRIPT_FRAME = re.compile(
    rf"^\s*at (?:async )?(?:.*?\()?(?:file://)?([^\s():]+\.(?:{SOURCE_SUFFIXES}))(?:\?[^\s:)]*)?:(\d+)(?::\d+)?\)?",
    re.MULTILINE,
)
_PLACE = re.compile(rf"(?<![\w/.-])((?:[A-Za-z]:)?[\w./\\@+-]*\w\.(?:{SOURCE_SUFFIXES})):(\d+)\b")
_PATH = re.compile(rf"(?<![\w/.-])((?:[\w.@+-]+[/\\])*[\w@+-][\w.@+-]*\.(?:{SOURCE_SUFFIXES}))\b(?![\w(])")
_NOISE = re.compile(r"https?://\S+|\b0x[0-9a-fA-F]+\b|\b[0-9a-f]{12,40}\b|\bv?\d+(?:\.\d+)+\w*")
# What a form of an issue or a trace says whatever it is about. Of a frame, the function stays.
_TRACE = re.compile(r'^Traceback \(most recent call last\):|File "[^"\n]+", line \d+(?:, in)?', re.MULTILINE)
_FORM = re.compile(
    r"<!--[\s\S]*?-->|^ *[-*] \[[ xX]\].*$"
    r"|^#+ *(?:(?:steps|how) to reproduce|to reproduce|(?:expected|actual|current) (?:behaviou?r|results?)|environment"
    r"|additional (?:context|information)|(?:bug )?description|describe the bug|versions?|system info\w*)\W*$"
    r"|^[-* ]*(?:os|operating system|platform|browser|(?:python|node|npm|pip|package|library) versions?|python|version)"
    r"[* ]*[:=].*$",
    re.MULTILINE | re.IGNORECASE,
)
_DOTTED = re.compile(r"[^\W\d]\w*(?:(?:\.|::|#)[^\W\d]\w*)*")
_HYPHENATED = re.compile(r"(?<![\w.-])-{0,2}([A-Za-z]\w*(?:-[A-Za-z]\w*)+)(?![\w-])")
_SAID = re.compile(
    r"(?<![\w`])`([^`\n]{12,200})`|(?<![\w\"])\"([^\"\n]{12,200})\"|(?<![\w'])'([^'\n]{12,200})'(?!\w)"
    r"|^[^\w\n]*(?:[A-Z]+>\s+)?(?:[\w.]*(?:Error|Exception|Warning)|error|warning|\[[\w ]+\]):\s+(.{12,300})$",
    re.MULTILINE,
)
_BUILTIN_MESSAGE = re.compile(  # of Python and JavaScript themselves: in no literal of the repository
    r"has no (?:attribute|len)|is not (?:defined|iterable|callable|subscriptable|a function|serializable)|out of range"
    r"|positional argument|keyword argument|referenced before|annot read propert|o module named|cannot import name"
)
_LABEL = re.compile(r"\[([\w.-]+)\]|([A-Za-z][\w.-]*):\s")
_QUOTED = re.compile(r"`([^`\n]{1,200})`|\"([^\"\n]{2,80})\"|'([^'\n]{2,80})'")
_FENCE = re.compile(r"^ *```.*?(?:^ *```|\Z)", re.MULTILINE | re.DOTALL)  # one that is cut off ends with the text
_PART = re.compile(r"\d+|[A-Z]+(?![a-z])|[A-Z]?[^\W\dA-Z_]+|[^\W\d_]")
_IDEOGRAPHS = (
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]{3,}"  # dear to compile, rarely needed
)

_GRAMMAR = """
a about above after again all also always am an and any are aren as at be became because been before being below
between both but by can cannot could did do does doesn doing don done down during each either else etc even ever every
few for from further get gets getting give given gives go going got had has hasn have haven having he hence her here
his how however i if in instead into is isn it its itself just know let lets like ll made make makes making many may
me might more most much must my need needed needs neither never no nor not now of off often ok on once one only onto
or other otherwise our out over own perhaps please possible rather re really same say says see seem seems she should
shouldn since so some something still such sure take than that the their them then there therefore these they thing
things this those though through thus to together too try trying under unless until up upon us use used useful uses
using ve very via want wants was wasn way we well were what when where whether which while who whom whose why will
with within without won work working works would wouldn yes yet you your
"""
_TASK = """
add added adding adds allow allowed allows bug change changed changes changing code current currently correct
correctly ensure ensures error errors example expected fail failed fails failing feature file files fix fixed fixes
fixing function handle handled handles handling happen happens implement improve improved incorrect incorrectly issue
issues line method missing new problem proper properly raise raised raises remove removed removes return returned
returns show shows support supported supports update updated wrong
"""
STOPWORDS = frozenset(_GRAMMAR.split())
"""Words of prose that name nothing. They count only in questions that hold nothing else."""
TASK_WORDS = frozenset(_TASK.split())
"""What people want done to code, more often than what the code is about."""
TASK_WEIGHT = 0.3
SAYING = 3  # different words at least
MOST_SAYINGS = 6
REPEAT = 4.0
"""Times that a word is said for half of its weight: a long text says much once that it is not about."""


_SCRIPT_ERRORS = {"Error", "RangeError", "ReferenceError", "EvalError", "URIError", "AggregateError", "DOMException"}
BUILTIN_ERRORS = _SCRIPT_ERRORS | {
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
}
"""What languages raise by themselves: that a text has such a name says nothing of a class that bears it, too."""


class Place(NamedTuple):
    """A line of a file that the text points at, or a file alone (line 0)."""

    path: str
    line: int


class Question(NamedTuple):
    """What a text asks for.

    words    word → weight, in order of appearance: lower case, one token each
    names    identifiers as written, dotted or with several parts; the surest ones first
    frames   lines of stack traces, innermost first
    paths    files named
    whole    the text, where all of it may be one name
    tests    whether test code is asked for
    topics   names that folders and files may bear, lower case
    sayings  words of each phrase that is quoted or that a program has printed, each once: a literal may hold them
    """

    text: str
    words: dict[str, float]
    names: tuple[str, ...]
    frames: tuple[Place, ...]
    paths: tuple[Place, ...]
    whole: str | None
    tests: bool
    topics: frozenset[str] = frozenset()
    sayings: tuple[tuple[str, ...], ...] = ()


def understand(text: str) -> Question:
    """Read a question. Any text is one; an empty one has no words."""
    frames = _frames(text)
    places = tuple(dict.fromkeys(Place(_slashes(path), int(line)) for path, line in _PLACE.findall(text)))
    frames = tuple(dict.fromkeys(frames + places))
    bare = _NOISE.sub(" ", _FORM.sub(" ", _TRACE.sub(" ", text)) if "\n" in text else text)
    paths = tuple(dict.fromkeys(Place(_slashes(path), 0) for path in _PATH.findall(bare)))
    words = _words(bare, traced=bool(_TRACE.match(text.strip())))
    prose = _FENCE.sub(" ", bare)  # how to see a fault, and its log, name much that is not where it is
    whole = text.strip()
    return Question(
        text=text,
        words=words,
        names=_names(prose if prose.strip() else bare),
        frames=frames,
        paths=paths,
        whole=whole if whole and not re.search(r"\s", whole) else None,
        topics=_topics(bare),
        sayings=_sayings(bare),
        tests="\n" not in whole and bool({"test", "tests", "testing", "fixture", "fixtures"} & words.keys()),
    )


def parts(name: str) -> list[str]:
    """Words of an identifier or a path: `getUserName` → get user name. Lower case, without diacritics."""
    if name.islower() and name.isascii() and name.replace("_", "").isalpha():
        return [part for part in name.split("_") if part]
    found = _PART.findall(name)
    return [part.lower() for part in found] if name.isascii() else [plain(part) for part in found]


def plain(word: str) -> str:
    """A word as the text index keeps it: lower case, without diacritics."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFD", word.lower())
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not unicodedata.combining(c)))


def variants(word: str) -> list[str]:
    """Other forms of an English word that code may use: plural, past, -ing. Not all are words."""
    if len(word) < 3 or not word.isascii():
        return []
    forms = {word + "s", word + "es", word + "ed", word + "d", word + "ing", word + "er"}
    stems = set()
    if word.endswith(("ies", "ied")):
        stems.add(word[:-3] + "y")
    for ending in ("s", "es", "ed", "d", "ing", "er", "ion"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            stems.add(word[: -len(ending)])
    if word.endswith(("ing", "ion")):
        stems.add(word[:-3] + "e")
    if word.endswith("y"):
        forms |= {word[:-1] + "ies", word[:-1] + "ied"}
    if word.endswith("e"):
        forms |= {word[:-1] + "ing", word[:-1] + "ion"}
    for stem in stems:
        forms |= {stem, stem + "s", stem + "ed", stem + "ing"}
    forms.discard(word)
    return sorted(form for form in forms if len(form) >= 3)


def _frames(text: str) -> tuple[Place, ...]:
    """Frames of every stack trace, innermost first: Python prints it last, JavaScript first."""
    python = [Place(_slashes(path), int(line)) for path, line in _PYTHON_FRAME.findall(text)]
    script = [Place(_slashes(path), int(line)) for path, line in _SCRIPT_FRAME.findall(text)]
    return tuple(dict.fromkeys(python[::-1] + script))


def _words(text: str, traced: bool) -> dict[str, float]:
    """Words by weight. A title outweighs what follows it, what is said once says less than what is said again and
    again, code blocks count half. traced: it begins with a trace, which has no title."""
    title = "" if traced else text.strip().partition("\n")[0]
    fenced = "\n".join(_FENCE.findall(text))
    prose = _FENCE.sub(" ", text)
    counts: dict[str, float] = {}
    for source, weight in ((title, 1.0), (prose, 1.0), (fenced, 0.5)):
        for identifier in _DOTTED.findall(source):
            for word in _spelled(identifier):
                counts[word] = counts.get(word, 0.0) + weight
    long_text = len(counts) > 3
    kept = {word: count for word, count in counts.items() if not (word in STOPWORDS or (long_text and len(word) < 2))}
    if not kept:
        kept = counts
    in_title = {word for identifier in _DOTTED.findall(title) for word in _spelled(identifier)}
    return {
        word: (1.0 if word in in_title else 0.5)
        * (TASK_WEIGHT if word in TASK_WORDS else 1.0)
        * count
        / (count + REPEAT)
        for word, count in kept.items()
    }


def _spelled(identifier: str) -> Iterable[str]:
    """Words of an identifier; scripts without blanks also by pairs of characters, as the index has them."""
    if identifier.isascii():
        return parts(identifier)
    pairs = [run[i : i + 2] for run in re.findall(_IDEOGRAPHS, identifier) for i in range(len(run) - 1)]
    return parts(identifier) + pairs


def _sayings(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of phrases of several words, each phrase once."""
    found = ["".join(match.groups(default="")) for match in _SAID.finditer(text)]
    phrases = [phrase for phrase in found if len(phrase.split()) >= SAYING and not _BUILTIN_MESSAGE.search(phrase)]
    spelled = [tuple(dict.fromkeys(word for word in parts(phrase) if len(word) > 1)) for phrase in phrases]
    return tuple(dict.fromkeys(words for words in spelled if len(words) >= SAYING))[:MOST_SAYINGS]


def _topics(text: str) -> frozenset[str]:
    """What a title puts itself under (`parser: …`, `[parser] …`), and what is spelt with hyphens: folders and files may
    bear such names."""
    label = _LABEL.match(text.strip())
    found = _HYPHENATED.findall(text) + ([label[1] or label[2]] if label else [])
    return frozenset(name.lower() for name in found)


def _names(text: str) -> tuple[str, ...]:
    """Identifiers: quoted ones first, then dotted or compound ones in the text."""
    quoted = [group for match in _QUOTED.finditer(text) for group in match.groups() if group]
    surest = [name for phrase in quoted if len(names := _DOTTED.findall(phrase)) == 1 for name in names]
    compound = [name for name in _DOTTED.findall(text) if _compound(name)] + _HYPHENATED.findall(text)
    kept = (name.replace("::", ".").replace("#", ".") for name in surest + compound)
    told = (name for name in kept if plain(name) not in STOPWORDS and name not in BUILTIN_ERRORS)
    return tuple(dict.fromkeys(name for name in told if not _PATH.fullmatch(name)))[:40]


def _compound(name: str) -> bool:
    """Whether a word is spelt as only identifiers are."""
    return "_" in name.strip("_") or "." in name or "::" in name or bool(re.search(r"[a-z][A-Z]|[A-Z]{2}[a-z]", name))


def _slashes(path: str) -> str:
    return re.sub(r"^/{2,}", "/", path.replace("\\", "/"))
