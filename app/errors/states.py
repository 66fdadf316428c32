"""Conflicts with the stored state, and limits of a task."""

from app.errors.base import TabwrightError


class Conflict(TabwrightError):
    """The state of the resource does not allow the request."""

    code = "CONFLICT"
    title = "The request conflicts with the current state"


class TaskEnded(Conflict):
    """The task is completed or failed."""

    code = "TASK_ENDED"
    title = "This task has ended"


class KeyEnded(Conflict):
    """The key is no longer valid, or was rotated already."""

    code = "KEY_ENDED"
    title = "This key cannot be rotated"


class LastAdmin(Conflict):
    """The last key that can create others cannot be revoked."""

    code = "LAST_ADMIN"
    title = "This is the last admin key"


class TaskNotCompleted(Conflict):
    """Only completed tasks can be saved as recipes."""

    code = "TASK_NOT_COMPLETED"
    title = "This task is not completed"


class AlreadyReviewed(Conflict):
    """The first decision on a record is final."""

    code = "ALREADY_REVIEWED"
    title = "This record has already been reviewed"


class DelegationTaken(Conflict):
    """Another browser took the delegated task, or it is over."""

    code = "DELEGATION_TAKEN"
    title = "This task is no longer available"


class TaskPaused(Conflict):
    """The user has taken the task over and has not handed it back."""

    code = "TASK_PAUSED"
    title = "This task is paused"


class TaskNotPaused(Conflict):
    """The task cannot be resumed: it is not paused."""

    code = "TASK_NOT_PAUSED"
    title = "This task is not paused"


class TaskBusy(Conflict):
    """Another request holds the task's lease; retrying helps."""

    code = "TASK_BUSY"
    title = "Another request is working on this task"
    retry_after = 1


class RunLost(TaskBusy):
    """The run lost its lease to another one; its results are discarded."""

    title = "Another run has taken over this task"


class RequestIdReused(Conflict):
    """The requestId was already used with another body."""

    code = "REQUEST_ID_REUSED"
    title = "This requestId was used with another body"


class WorkAbandoned(Conflict):
    """The process crashed repeatedly while working on it."""

    code = "WORK_ABANDONED"
    title = "This request failed repeatedly and is not retried"


class HitlExpired(Conflict):
    """The answer came after the question had expired."""

    code = "HITL_EXPIRED"
    title = "This question has expired"


class LimitReached(TabwrightError):
    """The agent stopped at a limit; the detail says what was tried."""

    code = "LIMIT_REACHED"
    title = "The task was stopped"


class MaxStepsExceeded(LimitReached):
    """The task exceeded its number of steps."""

    code = "MAX_STEPS_EXCEEDED"
    title = "The task took too many steps"


class MaxRetriesExceeded(LimitReached):
    """A step exceeded its number of retries."""

    code = "MAX_RETRIES_EXCEEDED"
    title = "A step failed too often"


class MaxConsecutiveFailures(LimitReached):
    """Too many actions failed in a row."""

    code = "MAX_CONSECUTIVE_FAILURES"
    title = "Too many actions failed in a row"
