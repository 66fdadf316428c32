"""What going to an address does, as far as it says so."""

from urllib.parse import parse_qsl, unquote, urlsplit

from app.engines.risk.commands import said
from app.engines.risk.effects import DEEDS
from app.engines.risk.governing import Said
from app.text import patterns
from app.text.languages import vocabulary

_CAMEL = patterns.compile(r"(?<=[a-z])(?=[A-Z])")
_FILE = patterns.compile(r"\.\w{2,5}$")
_ACTION_WORDS = """
action act do cmd command op operation task mode method _method event func function a verb
"""

_ACTION = frozenset(_ACTION_WORDS.split())
_TOLD = vocabulary("addresses.told")  # under these it is told how to do things
_LONG = 3  # words; a longer part of an address is a title
_BY_GOING = frozenset({"destroys", "leaves"})
_SET = frozenset({"", "1", "true", "yes", "on"})


def deed_of(url: str) -> tuple[str, str]:
    """The deed that going there does, and the part of the address that says so; both empty for none.

    A path that names what destroys or signs out does it ("/users/4/delete"); anything else that is
    hard to undo has a record before it ("/requests/4/approve") or is named as what to do.
    """
    try:
        parts = urlsplit(url)
        query = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:
        return "", ""
    for key, value in query:
        named = _said(value) if key.casefold() in _ACTION else _said(key)
        if named.sure and (key.casefold() in _ACTION or value.casefold() in _SET):
            return named.deed, f"{key}={value}" if value else key
    path = f"{parts.path}/{parts.fragment.lstrip('!')}" if "/" in parts.fragment else parts.path
    return _of_path([one for one in unquote(path).split("/") if one])


def _of_path(segments: list[str]) -> tuple[str, str]:
    if any(one.casefold() in _TOLD for one in segments):
        return "", ""
    for at, segment in enumerate(segments):
        found = _said(segment)
        if not found.sure:
            continue
        after_record = (
            at == len(segments) - 1 and at > 0 and any(c.isdigit() for c in segments[at - 1])
        )
        if after_record or _BY_GOING & {*DEEDS[found.deed].effects}:
            return found.deed, segment
    return "", ""


def _said(segment: str) -> Said:
    plain = patterns.sub(r"[-_.+]+", " ", _CAMEL.sub(" ", _FILE.sub("", segment))).strip()
    if plain.casefold() in ("cancel", "trash"):
        return Said("deed", "cancel" if plain.casefold() == "cancel" else "delete", sure=True)
    if len(plain.split()) > _LONG:
        return Said("none")
    found = said(plain)
    return found if found.manner == "deed" else Said("none")
