"""Characters that show nothing: with them a text says things to models that people do not see. Joiners are
none of them: some scripts cannot be written without.
"""

from app.text import patterns

INVISIBLE = patterns.compile(
    r"[\u200b\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069\U000e0000-\U000e0fff]"
)
