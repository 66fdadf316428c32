"""What the state of a thing forbids, and limits that were reached."""

from app.errors.base import TabwrightError


class Conflict(TabwrightError):
    """The thing exists in a state that forbids the request."""

    code = "CONFLICT"
    title = "The request conflicts with what is stored"


class TaskEnded(Conflict):
    """The task is completed or failed."""

    code = "TASK_ENDED"
    title = "This task has ended"


class KeyEnded(Conflict):
    """The key opens no more, or was rotated already."""

    code = "KEY_ENDED"
    title = "This key is not the one to rotate"


class LastAdmin(Conflict):
    """The only key that may make others is not ended by accident."""

    code = "LAST_ADMIN"
    title = "This is the last admin key"


class TaskNotCompleted(Conflict):
    """Only a completed task can be a recipe."""

    code = "TASK_NOT_COMPLETED"
    title = "This task is not completed"


class AlreadyReviewed(Conflict):
    """The record was decided already; the first decision stands."""

    code = "ALREADY_REVIEWED"
    title = "This was decided already"


class DelegationTaken(Conflict):
    """Another browser took the delegated task, or it is over."""

    code = "DELEGATION_TAKEN"
    title = "This task is not to be taken any more"


class TaskPaused(Conflict):
    """The person has taken the task over, and has not handed it back."""

    code = "TASK_PAUSED"
    title = "This task is paused"


class TaskNotPaused(Conflict):
    """There is no pause to end."""

    code = "TASK_NOT_PAUSED"
    title = "This task is not paused"


class TaskBusy(Conflict):
    """Another request is working on the task; retrying helps."""

    code = "TASK_BUSY"
    title = "This task is being worked on"
    retry_after = 1


class RunLost(TaskBusy):
    """The run lost its lease to another, and nothing that it did counts."""

    title = "Another run works on this task"


class RequestIdReused(Conflict):
    """The same requestId came with another body."""

    code = "REQUEST_ID_REUSED"
    title = "This requestId was used with another body"


class WorkAbandoned(Conflict):
    """The process that worked on it ended in the middle, again and again."""

    code = "WORK_ABANDONED"
    title = "This is not tried again"


class HitlExpired(Conflict):
    """The question was answered too late."""

    code = "HITL_EXPIRED"
    title = "This question has expired"


class LimitReached(TabwrightError):
    """The agent stopped itself; the detail says what was tried."""

    code = "LIMIT_REACHED"
    title = "The task was stopped"


class MaxStepsExceeded(LimitReached):
    """More steps than one task may take."""

    code = "MAX_STEPS_EXCEEDED"
    title = "The task took too many steps"


class MaxRetriesExceeded(LimitReached):
    """One step failed too often."""

    code = "MAX_RETRIES_EXCEEDED"
    title = "A step failed too often"


class MaxConsecutiveFailures(LimitReached):
    """Too many failures in a row."""

    code = "MAX_CONSECUTIVE_FAILURES"
    title = "Too many actions failed in a row"
