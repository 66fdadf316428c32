"""Values that a person wants taken from the documents: "the VAT number from the handbook"."""

from app.text import patterns

_BOOKS = (
    r"(?:hand-?books?|manuals?|documents?|documentation|docs|guides?|guidelines?|guidebook|knowledge\s+base"
    r"|wiki|faqs?|polic(?:y|ies)|play-?books?|run-?books?|procedures?|instructions|price\s*lists?"
    r"|handbuch|anleitung|dokumentation|richtlinien?|manuel|guide|documentation|manual|documentaci[oó]n"
    r"|מדריך|נוהל|נהלים)"
)
_WHOSE = r"(?:(?:the|our|their|this|your|company|team|dem|der|den|unserem|le|la|el|nuestro|notre)\s+){0,3}"
_FROM = patterns.compile(
    r"^(?P<what>.*?)\s*\b(?:from|in|according\s+to|as\s+per|per|as\s+(?:given\s+|stated\s+|written\s+|described\s+)?in"
    r"|(?:given|stated|written|shown|described|listed)\s+in|laut|gem[aä](?:ß|ss)|aus|selon|d'apr[eè]s|seg[uú]n|לפי)"
    rf"\s+{_WHOSE}(?:\w+\s+)?{_BOOKS}\s*[.!]?$",
    patterns.IGNORECASE,
)
_WHAT_IT_SAYS = patterns.compile(
    rf"^what(?:ever)?\s+{_WHOSE}(?:\w+\s+)?{_BOOKS}\s+(?:says?|states?|gives?|requires?|wants?|asks?\s+for)\s*[.!]?$",
    patterns.IGNORECASE,
)
_NOTHING = frozenset(
    {"", "the one", "that", "the value", "as", "it", "the", "one", "what is", "as is"}
)


def wanted(value: str, field: str) -> tuple[str, ...] | None:
    """The names to look for in the documents, the likeliest first, where `value` does not give the value of
    `field` but says that the documents do; None where it is a value.
    """
    said = value.strip()
    if _WHAT_IT_SAYS.match(said):
        return (field,)
    found = _FROM.match(said)
    if found is None:
        return None
    what = patterns.sub(
        r"^(?:the|our|its|their)\s+", "", found["what"].strip(), flags=patterns.IGNORECASE
    )
    if what.casefold() in _NOTHING or found["what"].strip().casefold() in _NOTHING:
        return (field,)
    return tuple(dict.fromkeys((what, f"{field} {what}".strip(), field)))
