"""What a free answer says for the fields that were asked for; pure, in six languages."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from app.engines.gates.kinds import PATTERNS, Wanted
from app.engines.gates.sayings import folded, is_cancel, is_empty, is_turn, is_unknown
from app.text import patterns

Says = Literal["values", "nothing", "unknown", "turned", "cancelled"]
LONGEST_VALUE = 4_000  # characters

_ARTICLE = (
    r"(?:(?:the|my|his|her|their|its|der|die|das|sein|ihr|le|la|les|son|sa|el|los|las|su|o|a|os|as|seu|sua)"
    r"\s+|l'|ה)?"
)
_IS = r"(?:\s*[:=]\s*|\s+(?:is|was|are|ist|lautet|est|es|é|e|sera|הוא|היא|זה)\s+|\s+[-\u2013]\s+)"
# Hebrew joins with a letter in front of the word, \u05d5.
_AND = r"(?:and|und|et|y|e)\s+|\u05d5-?"
_JOINT = rf"(?:\s*[,;|\n]\s*(?:{_AND})?|\s+(?:{_AND}))"
_ANDS = frozenset({"and", "und", "et", "y", "e"})
_TRIMMED = " \t\r\n,;|"
_QUOTES = {
    '"': '"',
    "'": "'",
    "\u201c": "\u201d",
    "\u2018": "\u2019",
    "\u201e": "\u201c",
    "\u00ab": "\u00bb",
}
_LEAD = patterns.compile(
    r"(?:it is|it's|that is|that's|(?:he|she|they) (?:is|are) called|(?:his|her|their) name is"
    r"|call (?:him|her|it)|es ist|das ist|(?:er|sie) hei(?:ß|ss)t|c'est|(?:il|elle) s'appelle"
    r"|se llama|(?:ele|ela)? ?se chama|chama-se|קוראים (?:לו|לה)|זה)\s+(?=\S)",
    patterns.IGNORECASE,
)
_HIDDEN = patterns.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


@dataclass(frozen=True, slots=True)
class Facts:
    """`given` are values by the field's name, as the person wrote them; `left` stay empty.

    `says`: `values` where at least one field has its value or stays empty; `unknown`: that nobody
    knows; `turned`: something else is wanted; `cancelled`: nothing more is; `nothing` that fits.
    """

    says: Says = "nothing"
    given: dict[str, str] = field(default_factory=dict)
    left: tuple[str, ...] = ()


NOTHING = Facts()


def read(asked: Sequence[Wanted], text: str) -> Facts:
    """The answer, read for what was asked; what cannot be told is given to no field."""
    said = _clean(text)[:LONGEST_VALUE]
    if not said:
        return Facts()
    if is_cancel(said):
        return Facts("cancelled")
    if is_unknown(said):
        return Facts("unknown")
    sentence = any(one.kind == "sentence" for one in asked)
    secret = any(one.kind == "secret" for one in asked)  # may be any text at all
    if said.endswith("?") and not sentence and not secret:
        return Facts()  # a question back
    if not secret and is_turn(said, may_be_sentence=sentence):
        return Facts("turned")
    if all(is_empty(said, required=one.required) for one in asked):
        return Facts("values", left=tuple(one.name for one in asked))
    found = _of_one(asked[0], said) if len(asked) == 1 else _of_several(asked, said)
    return _sorted_out(asked, found)


_WITHOUT = (
    r"(?:^|(?<=[\n,;|])|\s)\s*(?:(?:but|aber|mais|pero|mas)\s)?"
    r"(?:no|without|kein(?:e|en)?|ohne|pas de|sans|sin|sem|אין|בלי)\s+"
)


def _denied(asked: Sequence[Wanted], said: str) -> tuple[dict[str, str], str]:
    """Fields that it says there is nothing for: "Jas, no phone"; and the text without them."""
    found: dict[str, str] = {}
    for one in asked:
        match = patterns.search(
            rf"{_WITHOUT}(?:{_names(one)})(?=\s*(?:[.,;|\n]|$))",
            _same_length(said),
            patterns.IGNORECASE,
        )
        if match is not None:
            found[one.name] = "-"
            said = f"{said[: match.start()]}\n{said[match.end() :]}".strip()
    return found, said


def _sorted_out(asked: Sequence[Wanted], found: dict[str, str]) -> Facts:
    """Values apart from what says that there is none."""
    left, given = [], {}
    for one in asked:
        value = found.get(one.name)
        if value is None or is_unknown(value):
            continue
        if is_empty(value, required=one.required):
            left.append(one.name)
        elif one.fits(value):
            given[one.name] = value
    says: Says = "values" if given or left else "nothing"
    if found and not given and not left and all(map(is_unknown, found.values())):
        says = "unknown"
    return Facts(says, given, tuple(left))


def _of_one(one: Wanted, said: str) -> dict[str, str]:
    """All of it, without the field's own name in front."""
    labelled = patterns.match(
        rf"{_ARTICLE}(?:{_names(one)}){_IS}(?P<value>\S.*)",
        said,
        patterns.IGNORECASE | patterns.DOTALL,
    )
    if one.kind == "secret":
        return {one.name: labelled["value"] if labelled else said}
    value = _bare(labelled["value"]) if labelled else _bare(said)
    if one.kind != "sentence" and labelled is None:
        value = _bare(_LEAD.sub("", value, count=1) if _LEAD.match(value) else value)
    if not one.fits(value):
        inside = _typed(one, value)
        value = inside[0] if len(inside) == 1 else value
    return {one.name: value}


def _of_several(asked: Sequence[Wanted], said: str) -> dict[str, str]:
    """By names first, then by what the rest looks like, then in the order asked."""
    found, said = _denied(asked, said)
    named, rest = _labelled([one for one in asked if one.name not in found], said)
    found |= named
    open_ = [one for one in asked if one.name not in found]
    rest = _by_type(open_, rest, found)
    open_ = [one for one in open_ if one.name not in found]
    rest = _without_names(asked, _LEAD.sub("", rest, count=1) if _LEAD.match(rest) else rest)
    parts = _parts(rest, len(open_))
    one_each = len(rest.split()) == len(open_) > 1
    if len(parts) == 1 and one_each and all(one.kind == "text" for one in open_):
        parts = rest.split()  # a first name and a last one
    if len(parts) <= len(open_):
        texts = [one for one in open_ if one.kind not in PATTERNS]
        for one, part in zip(texts if len(parts) <= len(texts) else open_, parts, strict=False):
            if one.fits(part):
                found[one.name] = part
    return found


def _labelled(asked: Sequence[Wanted], said: str) -> tuple[dict[str, str], str]:
    """What stands after a field's name, up to the next name; and what stands before all of them."""
    shown = _same_length(said)
    marks: list[tuple[int, int, Wanted]] = []
    for one in asked:
        own = r"[\s_-]+".join(map(patterns.escape, folded(one.name).split()))
        at = (
            rf"(?:(?:^|(?<=[\n,;|])|{_JOINT})\s*{_ARTICLE}(?:{_names(one)})|\s{own})"
            rf"(?:{_IS}|\s+(?=\S))"
        )
        if (match := patterns.search(at, shown, patterns.IGNORECASE)) is not None and not any(
            start < match.end() and match.start() < end for start, end, _ in marks
        ):
            marks.append((match.start(), match.end(), one))
    marks.sort(key=lambda mark: mark[0])
    found: dict[str, str] = {}
    loose = [said[: marks[0][0]] if marks else said]
    ends = [*(start for start, _, _ in marks[1:]), len(said)]
    for (_, end, one), until in zip(marks, ends, strict=False):
        value, more = _up_to_kind(one, said[end:until])
        found[one.name] = value
        loose.append(more)
    return {name: value for name, value in found.items() if value}, "\n".join(filter(None, loose))


def _up_to_kind(one: Wanted, text: str) -> tuple[str, str]:
    """The value, and what follows a value of the field's kind: "050-123, Jas"."""
    value = _bare(text)
    pattern = PATTERNS.get(one.kind)
    if pattern is None or one.fits(value):
        return value, ""
    match = patterns.match(pattern, value)
    return (match[0].strip(), value[match.end() :]) if match else (value, "")


def _by_type(open_: Sequence[Wanted], rest: str, found: dict[str, str]) -> str:
    """Take dates, addresses and numbers out of the text where it is plain whose they are."""
    for kind in ("email", "date", "phone", "number"):
        fields = [one for one in open_ if one.kind == kind and one.name not in found]
        if not fields:
            continue
        matches = list(patterns.finditer(rf"(?<![\w.]){PATTERNS[kind]}(?![\w])", rest))
        if len(matches) != len(fields):
            continue
        for one, match in zip(fields, matches, strict=True):
            found[one.name] = match[0].strip()
        for match in reversed(matches):
            rest = f"{rest[: match.start()]}\n{rest[match.end() :]}"
    for one in open_:
        if one.kind == "choice" and one.name not in found:
            parts = [part for part in _split(rest, _JOINT) if one.fits(part)]
            if len(parts) == 1 and one.options:
                found[one.name] = parts[0]
                rest = rest.replace(parts[0], "\n", 1)
    return rest


def _parts(rest: str, count: int) -> list[str]:
    """The rest in as many parts as there are fields, by the strongest sign that parts it so."""
    whole = _split(rest, r"\n")
    if len(whole) <= 1 >= count or not whole:
        return whole[:count]
    for sign in (r"\n", r"[;\n|]", r"[,;\n|]", _JOINT, rf"{_JOINT}|\s+/\s+"):
        parts = _split(rest, sign)
        if len(parts) == count:
            return parts
    return whole if len(whole) <= count else []


def _without_names(asked: Sequence[Wanted], rest: str) -> str:
    """The rest without a field's name that is left at an end of it: "Jas, born" of a date taken out."""
    named = "|".join(map(_names, asked))
    joints = r"and|und|et|y|e|with|mit|avec|con|com"
    return patterns.sub(rf"(?im)(?:^(?:{joints})\s|\s(?:{named}|{joints})\s*$)", "", rest)


def _split(text: str, sign: str) -> list[str]:
    parts = (_bare(part) for part in patterns.split(sign, text))
    return [part for part in parts if part and part.casefold() not in _ANDS]


def _typed(one: Wanted, text: str) -> list[str]:
    pattern = PATTERNS.get(one.kind)
    return [match[0] for match in patterns.finditer(pattern, text)] if pattern else []


def _names(one: Wanted) -> str:
    """The field's names as they may be written: any sign between the words."""
    ordered = sorted(one.aliases, key=lambda name: -len(name))
    return "|".join(r"[\s_-]+".join(map(patterns.escape, name.split())) for name in ordered if name)


def _same_length(text: str) -> str:
    """The text without accents, each character still in its place."""
    plain = (unicodedata.normalize("NFKD", one)[:1] or one for one in text)
    return "".join(plain)


def _clean(text: str) -> str:
    return _HIDDEN.sub("", unicodedata.normalize("NFC", text)).strip()


def _bare(text: str) -> str:
    """Without separators around it, and without quotes that hold all of it."""
    value = text.strip(_TRIMMED)
    closing = _QUOTES.get(value[:1])
    if (
        closing is not None
        and len(value) > 2
        and value.endswith(closing)
        and closing not in value[1:-1]
    ):
        return value[1:-1].strip()
    return value


__all__ = ["Facts", "folded", "read"]
