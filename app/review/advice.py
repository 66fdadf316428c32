"""Operators' decisions on similar tasks, as advice for the next one."""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
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

MOST = 3  # decisions given as advice
DECISIONS_READ = 200  # newest ones per outcome; older ones may be outdated
CACHE_S = 60.0  # lifetime of a read, unless the number of decisions changes
MOST_TENANTS = 64  # in the cache
LIKE_ENOUGH = 0.66  # share of significant words in common: two of three if one of them is the verb
LONGEST = 120  # characters of a subject shown to others

_HIDDEN = "…"
_STEM = 5  # minimum letters of a word that an inflected form may extend ...
_LONGEST_ENDING = 3  # ... by this many: "Patient", "Patienten"
_QUOTED = patterns.compile(QUOTED)
_VALUES = patterns.compile(r"\S*@\S+|\bhttps?://\S+|\bwww\.\S+|\S*\d\S*(?:\s[A-Z]{3}\b)?")
_VOWEL_POINTS = patterns.compile(r"[\u0591-\u05c7]")  # of Hebrew
_HEBREW = patterns.compile(r"[\u05d0-\u05ea]")
_HEBREW_ENDINGS = ("ים", "ות", "ה", "ת", "י")  # noqa: RUF001  a letter of Hebrew
_HEBREW_PREFIXES = "הובלכמש"  # written together with the word


def _word_set(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


_FILLERS = _word_set(
    "me us we i you he she they them there then now just also only want wants would like could can",
    "shall should will do does did done how what whats which who whom whose when where why is are was were",
    "has have had any some all new named called about say says said tell explain s",
    "der die das den dem des ein eine einen einem einer eines und oder mit im in am an auf zu zum zur von",
    "vom für fur bitte namens mir ich wie was wer wo wann welche welcher welches ist sind hat haben wird",
    "werden neuen neue neuer neues alle",
    "את של על עם בשם שם נא בבקשה מה מהי מהו מהם מי איך כמה האם יש זה זו הוא היא לי חדש חדשה כל",
)
_DATE_WORDS = _word_set(
    "january february march april may june july august september october november december",
    "monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday",
    "januar februar marz märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag",
    "samstag sonntag heute morgen gestern",
)
_NEGATIONS = _word_set(
    "not no never without except unless dont doesnt cannot cant wont isnt",
    "nicht kein keine keinen keiner ohne nie außer ausser ausser",
    "לא אל בלי ללא אין אסור",
)
_GERMAN = patterns.compile(
    r"(?<!\w)(?:der|die|das|den|dem|ein|eine|einen|einem|einer|und|im|mit|für|zum|zur|von|nicht)(?!\w)",
    patterns.IGNORECASE,
)
_NEGATING_PREFIXES = frozenset({"un", "in", "dis", "de", "non", "ab"})


@dataclass(frozen=True, slots=True)
class _Decision:
    """A decision prepared for comparison; `anywhere`: it was submitted without a site."""

    subject: str
    anywhere: bool
    advice: Advice


_Cached = tuple[tuple[int, int], float, tuple[_Decision, ...]]  # counts, time of reading, decisions
_cache: WeakKeyDictionary[Reviews, dict[str, _Cached]] = WeakKeyDictionary()


async def find_advice(
    reviews: Reviews, tenant: str, about: str, *, site: str = ""
) -> tuple[Advice, ...]:
    """At most 3 decisions on similar subjects, most similar first, of `site` if given or of no site. Of the
    same subject the newer one counts. Never raises: an unreadable queue gives no advice.
    """
    if not about.strip():
        return ()
    try:
        return _select_similar(await _load_decisions(reviews, tenant), about, site)
    except TabwrightError as error:
        log.warning("advice not read", tenantId=tenant, error=error.detail)
    except Exception:
        log.exception("advice not read", tenantId=tenant)
    return ()


def _select_similar(decisions: Iterable[_Decision], about: str, site: str) -> tuple[Advice, ...]:
    """The advice of the most similar decisions; `decisions` are newest first."""
    found: list[tuple[float, _Decision]] = []
    for one in decisions:
        if site and one.advice.site != site and not one.anywhere:
            continue
        score = round(likeness(one.subject, about), 3)
        if score >= LIKE_ENOUGH and not any(
            one.advice.site == newer.advice.site
            and text_features(one.subject) == text_features(newer.subject)  # apart from values
            for _, newer in found
        ):
            found.append((score, one))
    found.sort(key=lambda scored: scored[0], reverse=True)  # stable: newer ones stay first
    return tuple(one.advice for _, one in found[:MOST])


async def _load_decisions(reviews: Reviews, tenant: str) -> tuple[_Decision, ...]:
    """The newest decisions, newest first. Decisions never change: they are read again only if their number
    changes or the cache expires.
    """
    depths = await reviews.depths(tenant)
    counts, now = (depths.approved, depths.rejected), time.monotonic()
    if not any(counts):
        return ()
    by_tenant = _cache.setdefault(reviews, {})
    cached = by_tenant.pop(tenant, None)
    if cached is None or cached[0] != counts or now - cached[1] > CACHE_S:
        pages = await asyncio.gather(
            *(reviews.listed(tenant, outcome, limit=DECISIONS_READ) for outcome in OUTCOMES)
        )
        found = [
            _to_decision(one) for page in pages for one in page if isinstance(one, ReviewedRecord)
        ]
        found.sort(key=lambda one: (one.advice.decided_at_ms, one.advice.record_id), reverse=True)
        cached = (counts, now, tuple(found))
    by_tenant[tenant] = cached
    while len(by_tenant) > MOST_TENANTS:
        del by_tenant[next(iter(by_tenant))]
    return cached[2]


def _to_decision(record: ReviewedRecord) -> _Decision:
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
    return _Decision(subject, not record.issue.site and record.origin.kind == "mcp", advice)


@dataclass(frozen=True, slots=True)
class TextFeatures:
    """Features of a text: its words, the same without possible names, the verb, and whether it is negated."""

    words: frozenset[str]
    plain: frozenset[str]
    verb: str
    negated: bool


def likeness(one: str, other: str) -> float:
    """The similarity of two requests in 0..1; 0 if the verbs differ or are opposites."""
    left, right = text_features(one), text_features(other)
    if not left.words or not right.words or left.negated != right.negated:
        return 0.0
    if not (_contains(right.words, left.verb) and _contains(left.words, right.verb)):
        return 0.0
    if _are_opposite(left.words, right.words):
        return 0.0
    found = _overlap(left.words, right.words)
    if min(len(left.plain), len(right.plain)) > 1:  # two words, or a verb alone
        found = max(found, _overlap(left.plain, right.plain))
    return found


def shareable_text(text: str) -> str:
    """The text without values, for other members of the tenant."""
    shared = strip_values(text) if not _is_german(text) else _without_values(text)
    return shared if len(shared) <= LONGEST else f"{shared[: LONGEST - 1].rstrip()}…"


def _without_values(text: str) -> str:
    line = " ".join(text.split())
    for secret in secrets_in(line):
        line = line.replace(secret, _HIDDEN)
    return _VALUES.sub(_HIDDEN, _QUOTED.sub(_HIDDEN, line))


@lru_cache(maxsize=4_096)
def text_features(text: str) -> TextFeatures:
    bare = _VOWEL_POINTS.sub("", _without_values(text)).replace(_HIDDEN, " ")
    words = _significant_words(bare)
    plain = words
    if not _is_german(bare):
        plain = _significant_words(strip_values(bare).replace(_HIDDEN, " "))
    return TextFeatures(
        words=frozenset(words) - _NEGATIONS,
        plain=frozenset(plain) - _NEGATIONS,
        verb=next((word for word in words if word not in _NEGATIONS), ""),
        negated=bool(_NEGATIONS.intersection(_split_words(bare))),
    )


def _significant_words(text: str) -> tuple[str, ...]:
    ignored = _FILLERS | _DATE_WORDS
    rest = " ".join(word for word in _split_words(text) if word not in ignored)
    meanings = label(rest).meanings if rest else ()
    return tuple(word for word in meanings if word not in STOP_WORDS | ignored)


def _split_words(text: str) -> list[str]:
    return patterns.findall(r"[^\W_]+", text.casefold().replace("\u2019", "").replace("'", ""))


def _is_german(text: str) -> bool:
    """German capitalizes every noun, so capitals do not indicate names."""
    return _GERMAN.search(text) is not None


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    both = sum(_contains(other, word) for word in one)
    both += sum(_contains(one, word) for word in other)
    return both / (len(one) + len(other))


def _contains(words: Iterable[str], word: str) -> bool:
    return word in words or any(_is_form(word, other) for other in words)


@lru_cache(maxsize=16_384)
def _is_form(one: str, other: str) -> bool:
    """Whether one is an inflected form of the other: by its ending, or by a Hebrew prefix."""
    short, long = sorted((one, other), key=len)
    added = len(long) - len(short)
    if not _HEBREW.search(short):
        return len(short) >= _STEM and added <= _LONGEST_ENDING and long.startswith(short)
    if len(short) < 3 or added > 2:
        return False
    if long.endswith(short):
        return all(letter in _HEBREW_PREFIXES for letter in long[:added])
    return long.startswith(short) and long[len(short) :] in _HEBREW_ENDINGS


def _are_opposite(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether the words are opposites: "enable", "disable"; "lock", "unlock"."""
    for pair in product(one - other, other - one):
        short, long = sorted(pair, key=len)
        prefix = long.removesuffix(short) if long.endswith(short) else ""
        if pair in opposites() or prefix in _NEGATING_PREFIXES:
            return True
    return False
