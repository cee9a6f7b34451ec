"""After any edit, what calls of the library make comes out as from nothing: named tuples, getters, registrations."""

from __future__ import annotations

import random

import pytest

from tests.benchmarks.mutations import mutated
from tests.indexer.link.test_equality import check

LIB = """\
from functools import singledispatch, singledispatchmethod
from collections import namedtuple
from typing import NamedTuple
import operator
from operator import attrgetter, itemgetter, methodcaller
class Foo:
    def run(self): return self
    @property
    def size(self): return Foo()
    def __radd__(self, o): return Bar()
    def __getitem__(self, k): return Bar()
class Bar:
    def __init__(self, x=None): self.x = x
    def run(self): return Foo()
    def __add__(self, o): return o
class Bare: pass
P = NamedTuple('P', [('a', Foo), ('b', 'Bar')])
Q = namedtuple('Q', ['a', 'b'])
get = attrgetter('a.size')
call = methodcaller('run')
first = itemgetter(0)
@singledispatch
def show(x): return Foo()
class S:
    @singledispatchmethod
    def fit(self, x): return Bar()
def deco(f=None, *, n=1):
    if f is None:
        return lambda f: deco(f, n=n)
    def wrapper(*args): return f(*args)
    return wrapper
"""
MID = """\
from lib import *
from lib import P, Q, get, call, first, show, S, deco
@show.register
def show_int(x: int): return Bar()
@show.register(str)
def show_str(x): return Foo()
show.register(Foo, lambda x: x.run())
class T(S):
    @S.fit.register
    def fit_int(self, x: int): return x
class R(P):
    def go(self): return self.a.run()
class U(Q):
    def go(self): return self._replace(a=1)
@deco
def one(): return P(Foo(), Bar())
@deco(n=2)
def two(): return Q(Foo(), Bar())
def pairs(): return [one(), two()]
"""
USE = """\
from mid import *
from lib import get, call, first, show, P, Q, Foo, Bar, Bare
def main(p: P):
    get(p).run()
    call(p.b).run()
    first([Foo(), Bar()]).run()
    x, y = two()
    y.run()
    two()._replace(a=Bar()).a.run()
    show(1).run()
    (Bare() + Foo()).run()
    (1 + p.a).run()
    (p.b + p.a).run()
    sorted(pairs(), key=get)
    items = [Foo(), Foo()]
    items.sort(key=call)
    R(1, 2).go()
    R(1, 2).b.run()
    U(1, 2).go()
    return one().b
main(one()).run()
"""


@pytest.mark.parametrize("seed", range(12))
def test_any_edit(seed: int) -> None:
    chance = random.Random(seed)
    before = {"lib.py": LIB, "mid.py": MID, "use.py": USE}
    for _ in range(4):
        path = chance.choice(sorted(before))
        after = {**before, path: mutated(before[path], chance)}
        if after != before:
            check(before, after)
            before = after
