"""The rows of usage as a table."""

from app.domain.money import nano
from app.domain.usage import UsageRecord
from app.usage.csv_rows import Cell, amount

COLUMNS = (
    "createdAt", "usageId", "userId", "sessionId", "messageId", "taskId", "traceId", "requestId",
    "stepIndex", "kind", "actionType", "purpose", "provider", "model", "inputTokens",
    "cachedTokens", "thinkingTokens", "outputTokens", "totalTokens", "credits", "costUsd", "priced",
    "durationMs", "ok", "outcome",
)  # fmt: skip


def cells(row: UsageRecord) -> tuple[Cell, ...]:
    """One call, by `COLUMNS`."""
    return (
        row.created_at, row.usage_id, row.user, row.session_id, row.message_id, row.task_id,
        row.trace_id, row.request_id, row.step_index, row.kind, row.action_type, row.purpose,
        row.provider, row.model, row.input_tokens, row.cached_tokens, row.thinking_tokens,
        row.output_tokens, row.total_tokens, row.credits, amount(nano(row.cost_usd)), row.priced,
        round(row.duration_ms, 1), row.ok, row.outcome,
    )  # fmt: skip
