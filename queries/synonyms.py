"""Words that programmers use for one thing: where a question says one, the code may say another."""

from __future__ import annotations

_GROUPS = """
timeout expiry expire expires expired expiration ttl deadline
login signin authenticate auth authentication
logout signout
delete remove destroy discard drop
create make build construct
fetch load read retrieve
save store persist write
config configuration settings options conf
directory folder dir
argument arg args parameter param params
initialize init setup initialise
error exception
callback handler hook listener
message msg
database db
environment env
function func callable
attribute attr property prop props
request req
response resp
connection conn
number num count
string str text
directory dirname
execute exec run invoke
validate check verify
parse parser parsing
render renderer rendering
serialize serialise dump dumps encode
deserialize deserialise loads decode
quote escape quoting escaping
regex regexp pattern
deprecated deprecation deprecate
asynchronous async asyncio
synchronous sync
colour color
hide hidden invisible
duplicate dedupe unique
async await coroutine
traceback stacktrace
warn warning warnings
log logger logging
documentation docs doc docstring
authorization permission permissions
redirect redirection
template templates
middleware middlewares
upload uploads
cookie cookies
password passwd credentials
"""

SYNONYMS: dict[str, tuple[str, ...]] = {}
for _line in _GROUPS.split("\n"):
    for _word in _line.split():
        _others = SYNONYMS.get(_word, ())
        SYNONYMS[_word] = _others + tuple(other for other in _line.split() if other != _word and other not in _others)
