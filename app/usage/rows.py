"""The rows that a meter leaves in the store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import structlog

from app.domain.usage import UsageRecord
from app.errors import TabwrightError
from app.store.port import Usage
from app.usage.meter import Call

log = structlog.get_logger(__name__)

# Our calls do several things at once; each goes under the name a bill has for its main one.
ACTION_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "opening": "PLANNING",
        "acting": "REFINEMENT",
        "correcting": "SELF_CORRECTION",
        "criticising": "VERIFICATION",
        "judging": "VERIFICATION",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spender:
    """For whom and for what the calls were made."""

    tenant: str
    user: str
    session_id: str
    task_id: str
    trace_id: str
    request_id: str


def usage_rows(calls: Sequence[Call], by: Spender) -> list[UsageRecord]:
    """One row a call."""
    return [_row(call, by) for call in calls]


async def keep(usage: Usage, rows: Sequence[UsageRecord]) -> None:
    """Write the rows, in one insert. A failure is told to the operator, never to the person."""
    if not rows:
        return
    try:
        await usage.add(rows)
    except TabwrightError as error:
        log.warning("usage not kept", error=error.detail, rows=[r.model_dump_json() for r in rows])


def _row(call: Call, by: Spender) -> UsageRecord:
    usage = call.usage
    output = usage.output_tokens + usage.thinking_tokens
    return UsageRecord(
        usage_id=call.call_id,
        tenant=by.tenant,
        user=by.user,
        session_id=by.session_id,
        task_id=by.task_id,
        trace_id=by.trace_id,
        request_id=by.request_id,
        purpose=usage.purpose,
        action_type=ACTION_TYPES.get(usage.purpose, usage.purpose.upper()),
        provider=usage.provider,
        model=usage.model,
        input_tokens=usage.input_tokens,
        cached_tokens=usage.cached_tokens,
        output_tokens=output,
        thinking_tokens=usage.thinking_tokens,
        total_tokens=usage.input_tokens + output,
        cost_usd=call.cost_usd or 0.0,
        priced=call.cost_usd is not None,
        duration_ms=usage.duration_ms,
        ok=usage.ok,
        created_at=call.at,
    )
