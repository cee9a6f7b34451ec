"""Following a working tree: the map is brought up to date a moment after something has changed.

What the system tells of changes is a hint to look, no more; whether anything has changed is told by the stamps that the
last update left (`indexer.discover.seen`), as for questions. So nothing that is missed or misunderstood makes a wrong
map.
"""
