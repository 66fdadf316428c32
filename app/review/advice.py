"""Operators' decisions on similar tasks, as advice for the next one."""

import asyncio
import time
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import structlog

from app.domain.access import site_of
from app.domain.memory import Advice
from app.domain.review import OUTCOMES, ReviewedRecord
from app.errors import TabwrightError
from app.review.similarity import LIKE_ENOUGH, is_same, likeness, shareable_text
from app.store.reviews.port import Reviews

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
