"""Operators' decisions on similar tasks, as advice for the next one."""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

import structlog

from app.domain.access import site_of
from app.domain.memory import Advice
from app.domain.redaction import QUOTED, secrets_in
from app.domain.review import OUTCOMES, ReviewedRecord
from app.errors import TabwrightError
from app.grounding import STOP_WORDS, label, opposites
from app.skills import strip_values
from app.store.reviews.port import Reviews
from app.text import patterns

log = structlog.get_logger(__name__)
MOST = 3
READ = 200  # newest decisions per outcome; older ones may be outdated
KEPT_S = 60.0  # seconds a read is cached, unless the number of decisions changes
MOST_TENANTS = 64


async def find_advice(
    reviews: Reviews, tenant: str, about: str, *, site: str = ""
) -> tuple[Advice, ...]:
    """At most 3 decisions on similar subjects, most similar first, of `site` if given or of no site. Of the
    same subject the newer one counts. Never raises: an unreadable queue gives no advice.
    """
    if not about.strip():
        return ()
    try:
        return await _advice(reviews, tenant, about, site)
    except TabwrightError as error:
        log.warning("advice not read", tenantId=tenant, error=error.detail)
    except Exception:
        log.exception("advice not read", tenantId=tenant)
    return ()


async def _advice(reviews: Reviews, tenant: str, about: str, site: str) -> tuple[Advice, ...]:
    scored = []
    for one in await _decided(reviews, tenant):
        if not site or one.advice.site == site or one.anywhere:
            score = round(likeness(one.subject, about), 3)
            if score >= LIKE_ENOUGH:
                scored.append((score, one))
    newest: list[tuple[float, _Known]] = []
    for score, one in scored:  # newest first
        if not any(one.is_same_as(known) for _, known in newest):
            newest.append((score, one))
    newest.sort(key=lambda found: found[0], reverse=True)  # stable: newer ones stay first
    return tuple(one.advice for _, one in newest[:MOST])


async def _decided(reviews: Reviews, tenant: str) -> tuple["_Known", ...]:
    """The newest decisions, newest first. Decisions never change: they are read again only if their number
    changes or the cache expires.
    """
    depths = await reviews.depths(tenant)
    mark, now = (depths.approved, depths.rejected), time.monotonic()
    if not any(mark):
        return ()
    of_tenants = _READ.setdefault(reviews, {})
    kept = of_tenants.pop(tenant, None)
    if kept is None or kept[0] != mark or now - kept[1] > KEPT_S:
        pages = await asyncio.gather(
            *(reviews.listed(tenant, outcome, limit=READ) for outcome in OUTCOMES)
        )
        found = [_known(one) for page in pages for one in page if isinstance(one, ReviewedRecord)]
        found.sort(key=lambda one: (one.advice.decided_at_ms, one.advice.record_id), reverse=True)
        kept = (mark, now, tuple(found))
    of_tenants[tenant] = kept
    while len(of_tenants) > MOST_TENANTS:
        del of_tenants[next(iter(of_tenants))]
    return kept[2]


@dataclass(frozen=True, slots=True)
class _Known:
    """A decision prepared for comparison; `anywhere`: it was submitted without a site."""

    subject: str
    anywhere: bool
    advice: Advice

    def is_same_as(self, other: "_Known") -> bool:
        return self.advice.site == other.advice.site and is_same(self.subject, other.subject)


_Kept = tuple[tuple[int, int], float, tuple[_Known, ...]]
_READ: WeakKeyDictionary[Reviews, dict[str, _Kept]] = WeakKeyDictionary()


def _known(record: ReviewedRecord) -> _Known:
    """The decision as other members of the tenant may read it, without personal values."""
    review, site = record.review, (record.issue.site or "").strip()
    subject = record.issue.goal or record.issue.reported_symptom
    advice = Advice(
        record_id=record.id,
        decision=review.decision,
        about=shareable_text(subject),
        notes=review.notes,
        operator=review.operator.name,
        decided_at_ms=review.reviewed_at_ms,
        site=site_of(site) if "://" in site else site.lower(),
    )
    return _Known(subject, not record.issue.site and record.origin.kind == "mcp", advice)


LIKE_ENOUGH = 0.66  # share of significant words in common: two of three if one of them is the verb
LONGEST = 120  # characters of a subject shown to others
_HIDDEN = "…"
_STEM = 5  # minimum letters of a word that an inflected form may extend ...
_PROLONGED = 3  # ... by this many: "Patient", "Patienten"
_QUOTED = patterns.compile(QUOTED)
_VALUES = patterns.compile(r"\S*@\S+|\bhttps?://\S+|\bwww\.\S+|(?=\S*\d)\S+(?:\s[A-Z]{3}\b)?")
_MARKS = patterns.compile(r"[\u0591-\u05c7]")  # Hebrew vowel points
_HEBREW = patterns.compile(r"[\u05d0-\u05ea]")
_HEBREW_AFTER = ("ים", "ות", "ה", "ת", "י")  # noqa: RUF001  a letter of Hebrew
_HEBREW_BEFORE = "הובלכמש"  # Hebrew prefixes written together with the word
_ASIDE_SAID = (
    "me us we i you he she they them there then now just also only want wants would like could can"
    " shall should will do does did done how what whats which who whom whose when where why is are was were"
    " has have had any some all new named called about say says said tell explain s"
    " der die das den dem des ein eine einen einem einer eines und oder mit im in am an auf zu zum zur von"
    " vom für fur bitte namens mir ich wie was wer wo wann welche welcher welches ist sind hat haben wird"
    " werden neuen neue neuer neues alle"
    " את של על עם בשם שם נא בבקשה מה מהי מהו מהם מי איך כמה האם יש זה זו הוא היא לי חדש חדשה כל"
)
_ASIDE = frozenset(_ASIDE_SAID.split())
_MONTHS_SAID = (
    "january february march april may june july august september october november december"
    " monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday"
    " januar februar marz märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag"
    " samstag sonntag heute morgen gestern"
)
_MONTHS = frozenset(_MONTHS_SAID.split())
_NEGATIONS_SAID = (
    "not no never without except unless dont doesnt cannot cant wont isnt"
    " nicht kein keine keinen keiner ohne nie außer ausser ausser"
    " לא אל בלי ללא אין אסור"
)
_NEGATIONS = frozenset(_NEGATIONS_SAID.split())
_GERMAN = patterns.compile(
    r"(?<!\w)(?:der|die|das|den|dem|ein|eine|einen|einem|einer|und|im|mit|für|zum|zur|von|nicht)(?!\w)",
    patterns.IGNORECASE,
)
_NOT_PLAIN = frozenset({"un", "in", "dis", "de", "non", "ab"})  # prefixes that negate the word


@dataclass(frozen=True, slots=True)
class TextFeatures:
    """Features of a text: its words, the number of negations, and its words without possible names."""

    words: frozenset[str]
    plain: frozenset[str]
    deed: str
    negated: bool


def likeness(one: str, other: str) -> float:
    """The similarity of two requests in 0..1; 0 if the verbs differ or are opposites."""
    left, right = text_features(one), text_features(other)
    if not left.words or not right.words or left.negated != right.negated:
        return 0.0
    if not (_holds(right.words, left.deed) and _holds(left.words, right.deed)):
        return 0.0
    if _turned(left.words, right.words):
        return 0.0
    found = _shared(left.words, right.words)
    if min(len(left.plain), len(right.plain)) > 1:  # two words, or a verb alone
        found = max(found, _shared(left.plain, right.plain))
    return found


def is_same(one: str, other: str) -> bool:
    """Whether both are the same request apart from values: the newer decision counts."""
    return text_features(one) == text_features(other)


def shareable_text(text: str) -> str:
    """The text without values, for other members of the tenant."""
    kept = strip_values(text) if not _is_german(text) else _without_values(text)
    return kept if len(kept) <= LONGEST else f"{kept[: LONGEST - 1].rstrip()}…"


def _without_values(text: str) -> str:
    told = " ".join(text.split())
    for secret in secrets_in(told):
        told = told.replace(secret, _HIDDEN)
    return _VALUES.sub(_HIDDEN, _QUOTED.sub(_HIDDEN, told))


@lru_cache(maxsize=4_096)
def text_features(text: str) -> TextFeatures:
    bare = _MARKS.sub("", _without_values(text)).replace(_HIDDEN, " ")
    in_order = _words(bare)
    named = _words(strip_values(bare).replace(_HIDDEN, " ")) if not _is_german(bare) else in_order
    words = frozenset(in_order) - _NEGATIONS
    return TextFeatures(
        words=words,
        plain=frozenset(named) - _NEGATIONS,
        deed=next((word for word in in_order if word not in _NEGATIONS), ""),
        negated=bool(_NEGATIONS.intersection(_spelled(bare))),
    )


def _words(text: str) -> tuple[str, ...]:
    aside = STOP_WORDS | _ASIDE | _MONTHS
    spelled = " ".join(word for word in _spelled(text) if word not in _ASIDE | _MONTHS)
    return tuple(word for word in label(spelled).meanings if word not in aside and spelled)


def _spelled(text: str) -> list[str]:
    return patterns.findall(r"[^\W_]+", text.casefold().replace("\u2019", "").replace("'", ""))


def _is_german(text: str) -> bool:
    """German capitalizes every noun, so capitals do not indicate names."""
    return _GERMAN.search(text) is not None


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    both = sum(_holds(other, word) for word in one) + sum(_holds(one, word) for word in other)
    return both / (len(one) + len(other))


def _holds(words: Iterable[str], word: str) -> bool:
    return word in words or any(_is_form(word, other) for other in words)


@lru_cache(maxsize=16_384)
def _is_form(one: str, other: str) -> bool:
    """Whether one is an inflected form of the other: by its ending, or by a Hebrew prefix."""
    short, long = sorted((one, other), key=len)
    more = len(long) - len(short)
    if _HEBREW.search(short):
        return _is_hebrew_form(short, long, more)
    return len(short) >= _STEM and more <= _PROLONGED and long.startswith(short)


def _is_hebrew_form(short: str, long: str, more: int) -> bool:
    if len(short) < 3 or more > 2:
        return False
    before, after = long[:more], long[len(short) :]
    if long.endswith(short):
        return all(letter in _HEBREW_BEFORE for letter in before)
    return long.startswith(short) and after in _HEBREW_AFTER


def _turned(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether the words are opposites: "enable", "disable"; "lock", "unlock"."""
    apart, against = one - other, other - one
    if any((word, its) in opposites() for word in apart for its in against):
        return True
    return any(
        long.removesuffix(short) in _NOT_PLAIN
        for word in apart
        for its in against
        for short, long in (sorted((word, its), key=len),)
        if long.endswith(short) and short != long
    )
