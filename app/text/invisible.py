"""Invisible characters, which can hide instructions to models. Joiners are excluded because some
scripts need them.
"""

from app.text import patterns

INVISIBLE = patterns.compile(
    r"[\u200b\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069\U000e0000-\U000e0fff]"
)
