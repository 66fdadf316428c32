"""The words that tell what a sentence is about."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from app.text import patterns

_WORD = patterns.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_SHORT = patterns.compile(r"['\u2019](?:s|t|d|m|re|ll|ve)$")
_COMPOUND = patterns.compile(
    r"\be-mail|\b(?:two|multi)-?factor(?: authentication)?|\bsign-off|\b(?:annual|paid) leave|\bmoney[- ]back"
)
_COMPOUNDED = ("e-mail", "factor", "sign-off", " leave", "money")
_UN = patterns.compile(
    r"^(?:un(?!it|der|til|iq|ion|less)(?=[a-z]{3,}(?:ed|able)$)|non(?=[a-z]{6,}$))"
)
TRUNCATED = 6  # letters of a word in a language whose endings are not known here
LONGEST = 40  # characters of a word
_STOPS = """
a about above after again all also am an and any are as at be because been before being below between both
by can
could did do does done down during each either else etc ever every few for from further get gets had has
have he
her here his how however i if in into is it its itself just let like made make may me might more most much
must my
need needs no nor not never now of off on once only or other our out over own per please same shall she
should so
some such than that the their them then there these they this those through to too under until up upon us
use used
uses using very was way we were what when where whether which while who whom whose why will with within
without
would yes you your required require requires mandatory prohibited forbidden allowed permitted optional
recommended
least minimum maximum later fewer less unless except always cannot don doesn isn aren won t s ought provided
applies apply
aber als am an auch auf aus bei bis da das dass dem den der des die dies diese dieser dieses doch durch ein
eine
einem einen einer eines er es für gibt hat haben ich ihr im ist kann können man mit muss müssen nach nicht
noch nur
ob oder sehr sein sich sie sind so soll sollen sollte über um und uns unter vom von vor wenn wer werden wie
wird zu
zum zur darf dürfen mindestens höchstens spätestens keine kein nie niemals
à au aux avec ce ces cette dans de des du elle en est et être il ils je la le les leur lui ma mais me mes
mon ne nous
on ou par pas pour que qui sa se ses si son sont sur un une vos votre vous doit doivent peut peuvent jamais
moins
plus al como con cual del donde el ella entre era es esta este esto hay las lo los mi muy no nos o para
pero por
porque se sin sobre su sus tiene una uno y ya debe deben puede pueden nunca menos mínimo máximo
של את על עם אל הוא היא הם זה זאת יש אין כי כל לא או גם רק אם חייב חייבת חייבים אסור מותר צריך לפחות
"""
STOPS = frozenset(_STOPS.split())
# Words that documents of one kind use for each other; the first stands for all.
_SAME = """
refund reimburse repay moneyback
end terminate cancel termination cancellation
customer client buyer purchaser consumer shopper
employee staff worker personnel colleague
supplier vendor seller provider contractor
leave vacation holiday pto
fee charge price cost
pay payment paid payable
begin start commence commencement
send submit transmit forward
tell inform notify notification report
buy purchase order
document file paperwork
store keep retain retention save hold
delete erase remove deletion erasure destroy
change modify alter amend modification amendment rotate
approve authorise authorize approval authorisation authorization consent signoff
email mail
law legislation statute
contract agreement
delivery shipping shipment dispatch deliver ship
fix repair
password passphrase passcode
phone telephone
error fault defect defective faulty
confidential secret
encrypt encryption encrypted cipher
share disclose divulge reveal disclosure
salary wage
mfa 2fa
laptop notebook
guest visitor
answer reply respond response
trip travel journey
ill sick illness sickness
permit permission
extend extension
refuse decline reject refusal rejection
review revise revision
"""


def plain_words(text: str) -> list[str]:
    """The words in their order, in lower case and without accents of Latin letters."""
    joined = _folded(text)
    if any(part in joined for part in _COMPOUNDED):
        joined = _COMPOUND.sub(_joined, joined)
    words = _WORD.findall(joined)
    if "'" in joined or "\u2019" in joined:
        words = [_SHORT.sub("", word) for word in words]
    return (
        words
        if max(map(len, words), default=0) <= LONGEST
        else [one for one in words if len(one) <= LONGEST]
    )


def terms_of(text: str, tongue: str = "en") -> tuple[str, ...]:
    """The words that tell, without their endings, in their order; numbers are none."""
    return terms_among(plain_words(text), tongue)


def terms_among(words: Iterable[str], tongue: str = "en") -> tuple[str, ...]:
    """Of such words those that tell, without their endings."""
    return tuple(
        root(word, tongue)
        for word in words
        if word not in _FOLDED_STOPS and not word[0].isdigit() and len(word) > 1
    )


@lru_cache(maxsize=65_536)
def root(word: str, tongue: str = "en") -> str:
    """The word without its ending, or the one that stands for those of its meaning."""
    if tongue != "en":
        return word[:TRUNCATED]
    bare = _stem(_UN.sub("", word))
    return _MEANT.get(bare, bare)


def _joined(found: patterns.Match) -> str:
    said = found[0]
    return (
        "mfa"
        if "factor" in said
        else "leave"
        if "leave" in said
        else patterns.sub("[- ]", "", said)
    )


# Endings that make a word of another, and what stands there in that one: "probationary" is of probation.
_DERIVED = (
    ("ionary", "ion"), ("ional", "ion"), ("iness", "y"), ("ness", ""), ("ibility", "ible"),
    ("ability", "able"), ("ality", "al"), ("ivity", "ive"),
)  # fmt: skip
_ENDINGS = ("ations", "ation", "ings", "ing", "ments", "ment", "ed", "es", "s", "ly", "al", "e")


def _stem(word: str) -> str:
    if len(word) > 4 and word.endswith(("ies", "ied")):
        return word[:-3] + "y"
    for ending, left in _DERIVED:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return _stem(word[: -len(ending)] + left)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4 - (
            ending in ("s", "es", "ed", "e")
        ):
            if ending == "s" and word.endswith(("ss", "us", "is")):
                continue
            bare = word[: -len(ending)].rstrip("e")
            return (
                bare[:-1]
                if len(bare) > 4 and bare[-1] == bare[-2] and bare[-1] in "bdgmnprt"
                else bare
            )
    return word


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.lower().replace("ß", "ss"))
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _meant() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _SAME.split("\n"):
        words = line.split()
        found |= {_stem(word): _stem(words[0]) for word in words}
    return found


_FOLDED_STOPS = frozenset(_folded(word) for word in STOPS)
_MEANT = _meant()
