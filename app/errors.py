"""Every error that the product raises on purpose.

TabwrightError
├── Refused                     the caller must change the request
│   ├── Unauthenticated         the API key is missing or invalid
│   ├── Forbidden               the key lacks the required scope
│   │   └── ConsentNeedsBrowser consent requires the key of a person's browser
│   ├── NotFound                no such resource, or it belongs to another tenant
│   ├── InvalidAction           a proposed action is malformed or names no element
│   ├── HitlNotPending          there is no pending question to answer
│   ├── Invalid                 the request is inconsistent
│   │   └── InvalidBody         the body does not validate; `found` lists the fields
│   ├── CannotBeRecipe          the task cannot be replayed
│   ├── TooLarge                the body exceeds its limit
│   ├── TextTooSlow             processing a text exceeded the time limit
│   ├── SlowBody                the body did not arrive in time
│   ├── UnsupportedEncoding     the body is compressed
│   ├── HostRefused             the Host header names another server
│   ├── ProtocolUnsupported     the extension or the server must be updated
│   ├── TreeTooLarge            the tree has too many nodes
│   └── RateLimited             too many requests; wait `retry_after` seconds
│       ├── TooManyTasks        the tenant's limit of running tasks
│       └── TooManyJobs         the tenant's limit of waiting documents
├── Conflict                    the state of the resource does not allow the request
│   ├── TaskEnded               the task is completed or failed
│   ├── KeyEnded                the key is no longer valid, or was rotated
│   ├── LastAdmin               the last admin key cannot be revoked
│   ├── TaskNotCompleted        only completed tasks can be saved as recipes
│   ├── AlreadyReviewed         the first decision on a record is final
│   ├── DelegationTaken         another browser took the delegated task, or it is over
│   ├── TaskPaused              the user has taken the task over
│   ├── TaskNotPaused           there is no pause to end
│   ├── TaskBusy                another request is working on the task; retrying helps
│   │   └── RunLost             the run lost its lease; its results are discarded
│   ├── RequestIdReused         the requestId was used with another body
│   ├── WorkAbandoned           the process crashed repeatedly while working on it
│   └── HitlExpired             the question had expired
├── LimitReached                the agent stopped at a limit; `detail` says what was tried
│   ├── MaxStepsExceeded
│   ├── MaxRetriesExceeded
│   └── MaxConsecutiveFailures
├── BudgetReached               the budget is exhausted; a person decides whether to continue
├── AddressRefused              an address outside the public web
├── PricesUnusable              the operator's price file is invalid
├── Unreadable                  a document that cannot be read; its code says why
├── FetchFailed                 an address that returned nothing readable
├── ModelFailed                 the model gave no usable reply; rules continue without it
│   ├── ModelUnavailable        no response, too slow or overloaded
│   ├── ModelMisconfigured      the provider rejected key, model name or schema
│   ├── ModelRefused            a safety block or a refusal
│   └── ModelReplyInvalid       the reply did not match the schema, even after a retry
│       └── InstructionsLeaked  the reply repeated the instructions
└── Unavailable                 a dependency did not respond; retrying may help
    ├── ServerStopping          this process is stopping; the same request succeeds later
    ├── StoreUnavailable
    ├── Starting                start-up is still in progress
    ├── StorageFull             the disk of the data folder is nearly full
    └── SearchUnavailable
"""

from typing import Any


class TabwrightError(Exception):
    """`code` is part of the API. `hand_over` is the step of a stopped task that a person may do."""

    code = "INTERNAL"
    title = "Internal error"
    retry_after: int | None = None
    hand_over: str | None = None

    def __init__(self, detail: str = "", *, retry_after: int | None = None) -> None:
        super().__init__(detail or self.title)
        self.detail = detail or self.title
        if retry_after is not None:
            self.retry_after = retry_after


class Refused(TabwrightError):
    code = "REFUSED"
    title = "The request was rejected"


class Unauthenticated(Refused):
    code = "UNAUTHENTICATED"
    title = "A valid API key is required"


class Forbidden(Refused):
    code = "FORBIDDEN"
    title = "This API key lacks the required scope"


class ConsentNeedsBrowser(Forbidden):
    code = "CONSENT_NEEDS_BROWSER"
    title = "This requires the user's own browser. Pair it with the code from `tabwright pair`."


class NotFound(Refused):
    code = "NOT_FOUND"
    title = "Not found"


class InvalidAction(Refused):
    code = "INVALID_ACTION"
    title = "Invalid action"


class HitlNotPending(Refused):
    code = "HITL_NOT_PENDING"
    title = "No question is pending"


class Invalid(Refused):
    code = "INVALID_REQUEST"
    title = "The request does not validate"


class InvalidBody(Invalid):
    """The body does not validate; `found` holds {loc, msg} for each invalid field."""

    def __init__(self, found: list[dict[str, Any]]) -> None:
        super().__init__()
        self.found = found


class CannotBeRecipe(Refused):
    code = "CANNOT_BE_RECIPE"
    title = "This task cannot be saved as a recipe"


class TooLarge(Refused):
    code = "TOO_LARGE"
    title = "The request is too large"


class TreeTooLarge(Refused):
    code = "TREE_TOO_LARGE"
    title = "The tree has too many nodes"


class TextTooSlow(Refused):
    code = "TEXT_TOO_SLOW"
    title = "The text takes too long to process"


class SlowBody(Refused):
    code = "REQUEST_TIMEOUT"
    title = "The request arrived too slowly"


class UnsupportedEncoding(Refused):
    code = "UNSUPPORTED_ENCODING"
    title = "Compressed request bodies are not supported"


class HostRefused(Refused):
    code = "HOST_REFUSED"
    title = "Unknown host name"


class ProtocolUnsupported(Refused):
    code = "PROTOCOL_UNSUPPORTED"
    title = "The extension and the server do not match"


class RateLimited(Refused):
    code = "RATE_LIMITED"
    title = "Too many requests"
    retry_after = 1


class TooManyTasks(RateLimited):
    code = "TOO_MANY_TASKS"
    title = "Too many tasks are running"
    retry_after = 5


class TooManyJobs(RateLimited):
    code = "TOO_MANY_JOBS"
    title = "Too many documents are waiting"
    retry_after = 30


class Conflict(TabwrightError):
    code = "CONFLICT"
    title = "The request conflicts with the current state"


class TaskEnded(Conflict):
    code = "TASK_ENDED"
    title = "This task has ended"


class KeyEnded(Conflict):
    code = "KEY_ENDED"
    title = "This key cannot be rotated"


class LastAdmin(Conflict):
    code = "LAST_ADMIN"
    title = "This is the last admin key"


class TaskNotCompleted(Conflict):
    code = "TASK_NOT_COMPLETED"
    title = "This task is not completed"


class AlreadyReviewed(Conflict):
    code = "ALREADY_REVIEWED"
    title = "This record has already been reviewed"


class DelegationTaken(Conflict):
    code = "DELEGATION_TAKEN"
    title = "This task is no longer available"


class TaskPaused(Conflict):
    code = "TASK_PAUSED"
    title = "This task is paused"


class TaskNotPaused(Conflict):
    code = "TASK_NOT_PAUSED"
    title = "This task is not paused"


class TaskBusy(Conflict):
    code = "TASK_BUSY"
    title = "Another request is working on this task"
    retry_after = 1


class RunLost(TaskBusy):
    title = "Another run has taken over this task"


class RequestIdReused(Conflict):
    code = "REQUEST_ID_REUSED"
    title = "This requestId was used with another body"


class WorkAbandoned(Conflict):
    code = "WORK_ABANDONED"
    title = "This request failed repeatedly and is not retried"


class HitlExpired(Conflict):
    code = "HITL_EXPIRED"
    title = "This question has expired"


class LimitReached(TabwrightError):
    code = "LIMIT_REACHED"
    title = "The task was stopped"


class MaxStepsExceeded(LimitReached):
    code = "MAX_STEPS_EXCEEDED"
    title = "The task took too many steps"


class MaxRetriesExceeded(LimitReached):
    code = "MAX_RETRIES_EXCEEDED"
    title = "A step failed too often"


class MaxConsecutiveFailures(LimitReached):
    code = "MAX_CONSECUTIVE_FAILURES"
    title = "Too many actions failed in a row"


class BudgetReached(TabwrightError):
    code = "BUDGET_REACHED"
    title = "The budget is exhausted"


class AddressRefused(TabwrightError):
    code = "ADDRESS_REFUSED"
    title = "This address may not be fetched"


class PricesUnusable(TabwrightError):
    code = "PRICES_UNUSABLE"
    title = "The price file is invalid"


class Unreadable(TabwrightError):
    """A document that cannot be read; `code` says why, see `knowledge.extract`."""

    code = "DOCUMENT_DAMAGED"
    title = "The document cannot be read"

    def __init__(self, detail: str = "", code: str = "DOCUMENT_DAMAGED") -> None:
        super().__init__(detail)
        self.code = code


class FetchFailed(TabwrightError):
    code = "FETCH_FAILED"
    title = "The address returned nothing readable"


class ModelFailed(TabwrightError):
    code = "MODEL_FAILED"
    title = "The model gave no usable reply"
    retry_after = 5


class ModelUnavailable(ModelFailed):
    code = "MODEL_UNAVAILABLE"
    title = "The model is unavailable"


class ModelMisconfigured(ModelFailed):
    code = "MODEL_MISCONFIGURED"
    title = "The model provider rejected the configuration"


class ModelRefused(ModelFailed):
    code = "MODEL_REFUSED"
    title = "The model refused to answer"


class ModelReplyInvalid(ModelFailed):
    code = "MODEL_REPLY_INVALID"
    title = "The model's reply was invalid"


class InstructionsLeaked(ModelReplyInvalid):
    code = "INSTRUCTIONS_LEAKED"
    title = "The model's reply was discarded"


class Unavailable(TabwrightError):
    code = "UNAVAILABLE"
    title = "A required service is unavailable"
    retry_after = 2


class StoreUnavailable(Unavailable):
    code = "STORE_UNAVAILABLE"
    title = "The store is unavailable"


class Starting(Unavailable):
    code = "STARTING"
    title = "The server is starting"


class StorageFull(Unavailable):
    code = "STORAGE_FULL"
    title = "The disk is nearly full"
    retry_after = 60


class ServerStopping(Unavailable):
    code = "SERVER_STOPPING"
    title = "The server is stopping; send the same request again"


class SearchUnavailable(Unavailable):
    code = "SEARCH_UNAVAILABLE"
    title = "The web search is unavailable"


def _leaves(cls: type[TabwrightError]) -> list[type[TabwrightError]]:
    below = cls.__subclasses__()
    return [cls, *(leaf for child in below for leaf in _leaves(child))]


def error_of(code: str, detail: str, *, hand_over: str | None = None) -> TabwrightError:
    found = next((cls for cls in _leaves(TabwrightError) if cls.code == code), TabwrightError)(
        detail
    )
    found.hand_over = hand_over
    return found
