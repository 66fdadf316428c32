"""The body of every error."""

from app.api.models import Reply


class Place(Reply):
    """Where a request does not validate."""

    loc: str
    msg: str


class HandOverView(Reply):
    """The step that a person may do; the task then goes on with `continueFrom`."""

    step: str
    message: str


class Problem(Reply):
    """RFC 9457. `code` is stable; `detail` is for people; `traceId` finds the request in the logs.
    `handOver` is there where a task was stopped at a step that a person may do.
    """

    type: str
    title: str
    status: int
    code: str
    detail: str
    trace_id: str
    errors: list[Place] | None = None
    hand_over: HandOverView | None = None
