"""Answers as text and as JSON. No logic: what is shown was decided by the query."""
