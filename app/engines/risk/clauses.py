"""A name as the clauses that it is made of."""

from app.engines.risk.tagging import Reading, read
from app.text import patterns

# What is quoted is somebody's, what follows a colon or stands in brackets is a clause of its own.
_QUOTED = patterns.compile(r"(?:(?<=\s)|^)[\"“„«'](?:[^\"”“»']+)[\"”“»'](?=[\s?.!,]|$)")
_GENDERED = patterns.compile(
    r"(?<=[\u05d0-\u05ea])[/\\.][\u05d9\u05d5\u05ea\u05d4]+(?![\u05d0-\u05ea])"
)  # "delete" to him or her
_BIN = "\N{WASTEBASKET}"  # what an icon-only button often shows
_CLAUSES = patterns.compile(r"[,;.!?:|/–—·•()\[\]&+→»]+|\s-\s|\s(?:and|und|et|y|e|then)\s")  # noqa: RUF001


def parts_of(name: str) -> list[Reading]:
    """The clauses that have words: "Preview and publish" are two, what is quoted is none."""
    spoken = _QUOTED.sub(" ", _GENDERED.sub("", name.replace(_BIN, " trash ")))
    if not read(spoken).words:
        spoken = name
    whole = read(spoken)
    if whole.at(0, "plain", "plain_english") and _covers(whole, 0):
        return [whole]
    return [one for part in _CLAUSES.split(spoken.casefold()) if (one := read(part)).words]


def _covers(clause: Reading, start: int) -> bool:
    """Whether one tag is all there is."""
    return any(tag.end == len(clause.words) for tag in clause.tags[start])
