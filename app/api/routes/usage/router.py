"""Usage of models and searches: sums, and single calls."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import Field, StringConstraints

from app.api.deps import AppState, AppStateDep, CurrentUser
from app.api.models import ResponseModel, Timestamp
from app.api.problems import problem_doc, problem_docs
from app.api.query_params import PAGE, Since, Until, parse_cursor, resolve_period, split_page
from app.api.responses import attachment_headers, preferred_media_type
from app.api.routes.usage.schemas import CallView, CostView
from app.domain.access import Principal
from app.domain.metrics.usage import (
    GroupBy,
    UsageFilter,
    UsageRecord,
    UsageSum,
    nano_to_usd,
    sum_usage,
)
from app.errors import Forbidden
from app.usage import USAGE_COLUMNS, csv_line, usage_cells


class TallyView(CostView):
    """Sums over calls. `inputTokens` include `cachedTokens`, `outputTokens` include `thinkingTokens`.
    `costUsd` is exact; calls without a known price count as `unpricedCalls` and cost 0.
    """

    calls: int
    total_tokens: int
    unpriced_calls: int
    failed_calls: int

    @classmethod
    def of(cls, tally: UsageSum) -> Self:
        return cls.from_fields(tally, cost_usd=nano_to_usd(tally.cost_nano))


class GroupView(TallyView):
    """The sum over the calls that share `key`."""

    key: str


class SummaryView(ResponseModel):
    """Sums by group over the calls from `from` until before `to`; days and months are in UTC."""

    group_by: GroupBy
    since: Timestamp = Field(alias="from")
    until: Timestamp = Field(alias="to")
    currency: Literal["USD"] = "USD"
    rows: list[GroupView]
    total: TallyView


class UsageRowView(CallView):
    """One call. `priced` false: the price is not fully known, and `costUsd` is its known part.
    `stepIndex` is the step of the task, `outcome` is `ok` or how the call failed.
    """

    created_at: Timestamp
    user_id: str
    session_id: str
    message_id: str
    task_id: str
    trace_id: str
    request_id: str
    purpose: str
    total_tokens: int


class UsageLogsPage(ResponseModel):
    """Calls, newest first; `nextCursor` is set if there are more."""

    logs: list[UsageRowView]
    next_cursor: str | None = None


FORBIDDEN = problem_doc("Another user's usage requires scope `operator`")
router = APIRouter(
    tags=["usage"],
    responses={403: FORBIDDEN, **problem_docs(401, 422)},
)

MAX_PAGE = 500
BATCH = 1_000  # rows per read for a CSV
LONGEST_ID = 128
CSV, JSON = "text/csv", "application/json"
AS_CSV: dict[str, Any] = {"content": {CSV: {}, JSON: {}}, "model": UsageLogsPage}

Id = Annotated[str, StringConstraints(max_length=LONGEST_ID, pattern=r"^[^\x00]*$")]


@router.get("/api/usage/summary")
async def summary(
    principal: CurrentUser,
    state: AppStateDep,
    group_by: Annotated[GroupBy, Query(alias="groupBy")] = "day",
    since: Since = None,
    until: Until = None,
) -> SummaryView:
    """Sums of usage: the tenant's for operators, the user's own for others."""
    span = requested_span(principal, since, until)
    await state["usage"].flush()
    groups = await state["store"].usage.sum_by(principal.tenant, span, group_by)
    return SummaryView.from_fields(
        span,
        group_by=group_by,
        rows=[GroupView.of(group) for group in groups],
        total=TallyView.of(sum_usage(groups)),
    )


@router.get("/api/usage/logs", response_model=UsageLogsPage, responses={200: AS_CSV})
async def logs(
    request: Request,
    principal: CurrentUser,
    state: AppStateDep,
    since: Since = None,
    until: Until = None,
    task_id: Annotated[Id | None, Query(alias="taskId")] = None,
    user_id: Annotated[Id | None, Query(alias="userId")] = None,
    cursor: Annotated[str | None, Query(description="`nextCursor` of the previous page")] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = PAGE,
    format_: Annotated[
        Literal["json", "csv"] | None, Query(alias="format", description="Overrides `Accept`")
    ] = None,
) -> Response | UsageLogsPage:
    """Single calls, newest first: the tenant's for operators, the user's own for others.

    As CSV all of them in one file, starting at `cursor`; text that a spreadsheet would evaluate as a
    formula is prefixed with an apostrophe.
    """
    span = requested_span(principal, since, until, user=user_id, task_id=task_id)
    place = parse_cursor(cursor)
    await state["usage"].flush()
    if format_ == "csv" if format_ else preferred_media_type(request, (JSON, CSV)) == CSV:
        first = await _load_rows(state, principal, span, place, BATCH)
        return StreamingResponse(
            _csv_lines(state, principal, span, first),
            media_type=f"{CSV}; charset=utf-8; header=present",
            headers=attachment_headers("usage.csv"),
        )
    found = await _load_rows(state, principal, span, place, limit + 1)
    page, next_cursor = split_page(found, limit, lambda one: (one.created_at, one.usage_id))
    return UsageLogsPage(
        logs=[UsageRowView.from_fields(one, user_id=one.user) for one in page],
        next_cursor=next_cursor,
    )


def requested_span(
    principal: Principal,
    since: datetime | None,
    until: datetime | None,
    *,
    user: str | None = None,
    task_id: str | None = None,
) -> UsageFilter:
    """The rows that the principal may see. Raises `Invalid`, or `Forbidden` for another user."""
    begin, end = resolve_period(since, until)
    if user is not None and not principal.can_see(user):
        raise Forbidden("Only operators can see the usage of other users.")
    own = user if principal.has_scope("operator") else principal.user
    return UsageFilter(since=begin, until=end, user=own, task_id=task_id)


async def _load_rows(
    state: AppState,
    principal: Principal,
    span: UsageFilter,
    place: tuple[datetime, str] | None,
    limit: int,
) -> list[UsageRecord]:
    return await state["store"].usage.page(principal.tenant, span, limit=limit, after=place)


async def _csv_lines(
    state: AppState, principal: Principal, span: UsageFilter, first: list[UsageRecord]
) -> AsyncIterator[str]:
    yield csv_line(USAGE_COLUMNS)
    page = first
    while page:
        yield "".join(csv_line(usage_cells(row)) for row in page)
        if len(page) < BATCH:
            return
        last = page[-1]
        page = await _load_rows(state, principal, span, (last.created_at, last.usage_id), BATCH)
