"""Formats a task's timeline for a terminal, from `GET /api/task/{taskId}`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

_MARKS = {"success": "ok", "failure": "failed", "unknown": "unknown", "pending": "…"}
_WIDTHS = (4, 48, 24, 30, 9)  # step, thought, action, verification, server time
HEADER = ("step", "thought", "action", "verification", "server")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One action. `server_ms` is the server time to decide on it."""

    action_id: str
    index: int
    thought: str
    action: str
    status: str
    verification: str
    server_ms: float | None

    @property
    def is_settled(self) -> bool:
        return self.status != "pending"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """A task so far. Tokens and cost are sums over all model calls."""

    task_id: str
    status: str
    result: str
    steps: tuple[Step, ...]
    round_trips: int
    tokens: int
    model_calls: int
    cost_usd: float
    server_ms: float


def read_timeline(task: Mapping[str, Any]) -> Timeline:
    """Parse the server's response."""
    usage, steps = task["usage"], tuple(_step(action) for action in task["actions"])
    return Timeline(
        task_id=task["taskId"],
        status=task["status"],
        result=task.get("result") or "",
        steps=steps,
        # The server's count, or else one per step and one for the end.
        round_trips=int(task["metrics"].get("roundTrips") or len({one.index for one in steps}) + 1),
        tokens=usage["inputTokens"] + usage["outputTokens"],
        model_calls=usage["modelCalls"],
        cost_usd=usage["costUsd"],
        server_ms=sum(step.server_ms or 0.0 for step in steps),
    )


def format_header() -> str:
    return _align(HEADER, "tokens")


def format_step(step: Step, tokens: int) -> str:
    """One aligned line; long cells are cut with an ellipsis."""
    server_time = "" if step.server_ms is None else f"{step.server_ms:.1f} ms"
    cells = (str(step.index), step.thought, step.action, step.verification, server_time)
    return _align(cells, str(tokens))


def format_summary(timeline: Timeline, seconds: float) -> str:
    model = f"{timeline.model_calls} calls, ${timeline.cost_usd:.4f}"
    return (
        f"{timeline.round_trips} round trips, {seconds:.1f} s, {timeline.tokens} tokens "
        f"({model if timeline.model_calls else 'no model'})"
    )


def _step(action: Mapping[str, Any]) -> Step:
    return Step(
        action_id=action["actionId"],
        index=action["stepIndex"],
        thought=action["thought"] or action["description"],
        action=action["action"],
        status=action["status"],
        verification=_describe_verification(action["status"], action.get("verification") or {}),
        server_ms=action["metrics"].get("serverMs"),
    )


def _describe_verification(status: str, verdict: Mapping[str, Any]) -> str:
    words = [_MARKS.get(status, status)]
    if "confidence" in verdict:
        words.append(f"{float(verdict['confidence']):.2f}")
    if verdict.get("reason"):
        words.append(str(verdict["reason"]))
    return " ".join(words)


def _align(cells: Iterable[str], last: str) -> str:
    padded = [_cut(cell, width) for cell, width in zip(cells, _WIDTHS, strict=True)]
    padded[-1] = padded[-1].strip().rjust(_WIDTHS[-1])
    return "  ".join([*padded, last.rjust(6)])


def _cut(text: str, width: int) -> str:
    flat = " ".join(text.split())
    return (flat if len(flat) <= width else f"{flat[: width - 1]}…").ljust(width)
