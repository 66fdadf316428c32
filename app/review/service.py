"""The review queue for people and programs: permissions, validation, consequences."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import structlog
from pydantic import ValidationError

from app.domain.access import Principal
from app.domain.review import (
    LOCATIONS,
    OUTCOMES,
    Identity,
    Record,
    Review,
    ReviewedRecord,
    Submission,
    is_record_id,
    new_record_id,
)
from app.errors import Invalid, NotFound, TabwrightError
from app.store.reviews.port import Reviews

log = structlog.get_logger(__name__)

MOST_RECORDS = 100  # records per response
NOT_FOUND = "There is no such record"


def _now_ms() -> int:
    return int(datetime.now(UTC).timestamp() * 1000)


@dataclass(frozen=True, slots=True)
class ReviewService:
    """Submits, shows and decides records. `follow` carries out the effects of a decision and may be called
    again for the same one. Invalid writes are counted.
    """

    reviews: Reviews
    follow: Callable[[ReviewedRecord], Awaitable[None]]

    async def submit(self, who: Principal, given: Mapping[str, Any]) -> Record:
        """Store a submitted record; `given` are the fields of a `Submission` without id, tenant, date and
        origin user. Raises `Invalid` with the first error.
        """
        fields = dict(given) | {
            "id": new_record_id(),
            "tenant_id": who.tenant,
            "submitted_at_ms": _now_ms(),
        }
        fields["origin"] = {"kind": "mcp", **dict(given.get("origin") or {}), "user": who.user}
        try:
            record = Submission.model_validate(fields)
        except ValidationError as error:
            await self.refused(who.tenant)
            raise Invalid(first_error(error)) from error
        return await self.reviews.submit(record)

    async def file(self, record: Submission) -> Record:
        """Store a record that the system files; an existing record with the same id is returned instead."""
        return await self.reviews.submit(record)

    async def get(self, who: Principal, record_id: str) -> Record:
        """One record; `NotFound` for another user's, unless the caller is an operator of the tenant."""
        found = await self.reviews.find(who.tenant, record_id) if is_record_id(record_id) else None
        if found is None or not who.can_see(found.origin.user):
            raise NotFound(NOT_FOUND)
        return found

    async def listed(
        self,
        who: Principal,
        location: str,
        *,
        limit: int = 10,
        after: tuple[int, str] | None = None,
    ) -> Sequence[Record]:
        """Records, newest first: the caller's own, or all of the tenant for an operator. Raises `Invalid`."""
        place = next((one for one in LOCATIONS if one == location), None)
        if place is None:
            raise Invalid(f"Invalid location: it is one of {', '.join(LOCATIONS)}")
        if not 1 <= limit <= MOST_RECORDS:
            raise Invalid(f"limit must be from 1 to {MOST_RECORDS}")
        user = None if who.has_scope("operator") else who.user
        return await self.reviews.listed(who.tenant, place, limit=limit, user=user, after=after)

    async def decide(
        self,
        who: Principal,
        record_id: str,
        *,
        outcome: str,
        notes: str,
        operator: Mapping[str, Any],
        reviewed_by: str = "",
    ) -> ReviewedRecord:
        """Store an operator's decision and carry out its effects. Raises `Forbidden` for another key,
        `Invalid`, `NotFound` or `AlreadyReviewed`.
        """
        who.require("operator")
        try:
            review = _review(outcome, notes, operator, reviewed_by)
        except Invalid:
            await self.refused(who.tenant)
            raise
        if not is_record_id(record_id):
            raise NotFound(NOT_FOUND)
        try:
            reviewed = await self.reviews.decide(who.tenant, record_id, review)
        except TabwrightError as error:
            if error.code == "ALREADY_REVIEWED":
                await self.refused(who.tenant)
            raise
        try:
            await self.follow(reviewed)
        except TabwrightError as error:  # does not affect the decision; the follower retries it
            log.warning("review not followed up", record=reviewed.id, error=error.detail)
        return reviewed

    async def refused(self, tenant: str) -> None:
        try:
            await self.reviews.refused(tenant, _now_ms())
        except TabwrightError as error:
            log.warning("refusal not counted", error=error.detail)


def _review(outcome: str, notes: str, operator: Mapping[str, Any], reviewed_by: str) -> Review:
    if outcome not in OUTCOMES:
        raise Invalid(f"Invalid outcome: it is one of {', '.join(OUTCOMES)}")
    try:
        person = Identity.model_validate(dict(operator))
        return Review.model_validate(
            {
                "decision": outcome,
                "reviewed_at_ms": _now_ms(),
                "notes": notes,
                "operator": person,
                "reviewed_by": reviewed_by or person.name,
            }
        )
    except ValidationError as error:
        raise Invalid(first_error(error)) from error


def first_error(error: ValidationError) -> str:
    """The first validation error with its location, without the submitted value."""
    first = error.errors(include_input=False, include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else first["msg"]
