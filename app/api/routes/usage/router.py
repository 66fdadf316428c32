"""What was spent: sums, and every call."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import AwareDatetime, Field, StringConstraints

from app.api.content_negotiation import wanted
from app.api.deps import AppState, AppStateDep, CurrentUser
from app.api.models import ResponseModel, Timestamp
from app.api.pagination import after, make_cursor
from app.api.routes.interact.router import PROBLEMS
from app.domain.access import Principal
from app.domain.metrics.budget import nano_to_usd
from app.domain.metrics.usage import (
    GroupBy,
    UsageFilter,
    UsageGroup,
    UsageKind,
    UsageRecord,
    UsageSum,
    sum_usage,
)
from app.errors import Forbidden, Invalid
from app.usage.csv_export import USAGE_COLUMNS, csv_line, usage_cells


class TallyView(ResponseModel):
    """Sums over calls. `inputTokens` hold `cachedTokens`, `outputTokens` hold `thinkingTokens`.

    `costUsd` is the exact sum of the rows; calls whose price is not known are in `unpricedCalls` and
    count nothing in it.
    """

    calls: int
    input_tokens: int
    cached_tokens: int
    thinking_tokens: int
    output_tokens: int
    total_tokens: int
    credits: float
    cost_usd: float
    unpriced_calls: int
    failed_calls: int
    duration_ms: float

    @staticmethod
    def of(tally: UsageSum) -> "TallyView":
        """The wire form."""
        return TallyView(**_fields(tally))


class GroupView(TallyView):
    """The calls that have `key` in common."""

    key: str


class SummaryView(ResponseModel):
    """The calls made from `from` until before `to`, by what they have in common; days and months in UTC."""

    group_by: GroupBy
    since: Timestamp = Field(alias="from")
    until: Timestamp = Field(alias="to")
    currency: Literal["USD"] = "USD"
    rows: list[GroupView]
    total: TallyView

    @staticmethod
    def state(
        by: GroupBy, since: datetime, until: datetime, groups: list[UsageGroup]
    ) -> "SummaryView":
        """The wire form."""
        return SummaryView(
            group_by=by,
            since=since,
            until=until,
            rows=[GroupView(key=group.key, **_fields(group)) for group in groups],
            total=TallyView.of(sum_usage(groups)),
        )


def _fields(tally: UsageSum) -> dict[str, int | float]:
    found: dict[str, int | float] = {
        name: getattr(tally, name) for name in UsageSum.model_fields if name != "cost_nano"
    }
    return found | {"cost_usd": nano_to_usd(tally.cost_nano)}


class UsageRowView(ResponseModel):
    """One call over the wire. `priced` false: its true cost is not known, and `costUsd` what is sure of it.
    `stepIndex` is the step that the task stood at, `outcome` `ok` or how the call failed.
    """

    usage_id: str
    created_at: Timestamp
    user_id: str
    session_id: str
    message_id: str
    task_id: str
    trace_id: str
    request_id: str
    step_index: int
    kind: UsageKind
    action_type: str
    purpose: str
    provider: str
    model: str
    input_tokens: int
    cached_tokens: int
    thinking_tokens: int
    output_tokens: int
    total_tokens: int
    credits: float
    cost_usd: float
    priced: bool
    duration_ms: float
    ok: bool
    outcome: str

    @staticmethod
    def of(row: UsageRecord) -> "UsageRowView":
        """The wire form of a row."""
        named = {
            name: getattr(row, name) for name in UsageRowView.model_fields if name != "user_id"
        }
        return UsageRowView(user_id=row.user, **named)


class UsageLogsPage(ResponseModel):
    """Calls, newest first; `nextCursor` where there are more."""

    logs: list[UsageRowView]
    next_cursor: str | None = None


STRANGER = PROBLEMS[401] | {"description": "Of another user, with a key of role user"}
router = APIRouter(
    tags=["usage"],
    responses={401: PROBLEMS[401], 403: STRANGER, 422: PROBLEMS[422]},
)

PERIOD = timedelta(days=30)
PAGE, MOST = 50, 500
EXPORTED = 1_000  # rows read at once for a CSV
LONGEST_ID = 128
CSV, JSON = "text/csv", "application/json"
_FIRST = datetime.min.replace(tzinfo=UTC)
AS_CSV: dict[str, Any] = {"content": {CSV: {}, JSON: {}}, "model": UsageLogsPage}

From = Annotated[
    AwareDatetime | None, Query(alias="from", description="30 days before `to` if not given")
]
To = Annotated[AwareDatetime | None, Query(alias="to", description="now if not given")]
Id = Annotated[str, StringConstraints(max_length=LONGEST_ID, pattern=r"^[^\x00]*$")]


@router.get("/api/usage/summary")
async def summary(
    principal: CurrentUser,
    state: AppStateDep,
    group_by: Annotated[GroupBy, Query(alias="groupBy")] = "day",
    since: From = None,
    until: To = None,
) -> SummaryView:
    """Sums of what was spent: a user's own, for operators and admins of the whole tenant."""
    span = requested_span(principal, since, until)
    await state["usage"].flush()
    groups = await state["store"].usage.summed(principal.tenant, span, group_by)
    return SummaryView.state(group_by, span.since, span.until, groups)


@router.get("/api/usage/logs", response_model=UsageLogsPage, responses={200: AS_CSV})
async def logs(
    request: Request,
    principal: CurrentUser,
    state: AppStateDep,
    since: From = None,
    until: To = None,
    task_id: Annotated[Id | None, Query(alias="taskId")] = None,
    user_id: Annotated[Id | None, Query(alias="userId")] = None,
    cursor: Annotated[str | None, Query(description="`nextCursor` of the page before")] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = PAGE,
    form: Annotated[
        Literal["json", "csv"] | None, Query(alias="format", description="before `Accept`")
    ] = None,
) -> Response | UsageLogsPage:
    """Every call, newest first: a user's own, for operators and admins those of the whole tenant.

    As CSV it is all of them in one file, from `cursor` on; text that a spreadsheet would take for a
    formula begins with an apostrophe.
    """
    span = requested_span(principal, since, until, user=user_id, task_id=task_id)
    place = after(cursor)
    await state["usage"].flush()
    as_csv = form == "csv" if form else wanted(request, (JSON, CSV)) == CSV
    if as_csv:
        first = await _rows(state, principal, span, place, EXPORTED)
        return StreamingResponse(
            _exported(state, principal, span, first),
            media_type=f"{CSV}; charset=utf-8; header=present",
            headers=attachment_headers("usage.csv"),
        )
    found = await _rows(state, principal, span, place, limit + 1)
    page, more = found[:limit], len(found) > limit
    return UsageLogsPage(
        logs=[UsageRowView.of(row) for row in page],
        next_cursor=make_cursor(page[-1].created_at, page[-1].usage_id) if more else None,
    )


def requested_span(
    principal: Principal,
    since: datetime | None,
    until: datetime | None,
    *,
    user: str | None = None,
    task_id: str | None = None,
) -> UsageFilter:
    """Which rows are asked for, of those that one may see. Raises `Invalid`, or `Forbidden` for another's."""
    end = until or datetime.now(UTC)
    begin = since or max(end, _FIRST + PERIOD) - PERIOD
    if begin > end:
        raise Invalid("from: it is later than to")
    if user is not None and not principal.can_see(user):
        raise Forbidden("A key of role user sees what its own user spent")
    own = user if principal.has_scope("operator") else principal.user
    return UsageFilter(since=begin, until=end, user=own, task_id=task_id)


def attachment_headers(name: str) -> dict[str, str]:
    """The header that has a browser keep the answer as a file."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


async def _rows(
    state: AppState,
    principal: Principal,
    span: UsageFilter,
    place: tuple[datetime, str] | None,
    limit: int,
) -> list[UsageRecord]:
    return await state["store"].usage.page(principal.tenant, span, limit=limit, after=place)


async def _exported(
    state: AppState, principal: Principal, span: UsageFilter, first: list[UsageRecord]
) -> AsyncIterator[str]:
    """The file a page at a time; no more than one page is held."""
    yield csv_line(USAGE_COLUMNS)
    page = first
    while page:
        yield "".join(csv_line(usage_cells(row)) for row in page)
        if len(page) < EXPORTED:
            return
        last = page[-1]
        page = await _rows(state, principal, span, (last.created_at, last.usage_id), EXPORTED)
