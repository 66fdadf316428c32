"""Every error this product raises on purpose.

TabwrightError
├── Refused                     the caller must change the request
│   ├── Unauthenticated         no key, or a wrong one
│   ├── Forbidden               the key may not do this
│   ├── NotFound                the named thing does not exist, or belongs to another tenant
│   ├── InvalidAction           a proposed action breaks the grammar or names no element
│   ├── HitlNotPending          an answer came to no question
│   ├── Invalid                 the body says something that cannot be so
│   │   └── InvalidBody         it does not validate; `found` names each place
│   ├── CannotBeRecipe          a task that cannot be done again by rule; the detail says why
│   ├── TooLarge                the body is over its limit
│   ├── SlowBody                the body did not come in time
│   ├── UnsupportedEncoding     the body is packed
│   ├── HostRefused             the request is for a name that is not this server's
│   ├── TreeTooLarge            the tree holds more nodes than are read
│   └── RateLimited             too many requests; wait `retry_after` seconds
│       ├── TooManyTasks        the tenant has as many tasks under way as it may
│       └── TooManyJobs         as many documents wait to be read as may
├── Conflict                    the thing exists in a state that forbids the request
│   ├── TaskEnded               the task is completed or failed
│   ├── KeyEnded                the key opens no more, or was rotated already
│   ├── LastAdmin               the only key that may make others is not ended by accident
│   ├── TaskNotCompleted        only a completed task can be a recipe
│   ├── TaskPaused              the person has taken the task over, and has not handed it back
│   ├── TaskNotPaused           there is no pause to end
│   ├── TaskBusy                another request is working on the task; retrying helps
│   ├── RequestIdReused         the same requestId came with another body
│   └── HitlExpired             the question was answered too late; asking again may help
├── LimitReached                the agent stopped itself; `detail` says what was tried
│   ├── MaxStepsExceeded
│   ├── MaxRetriesExceeded
│   └── MaxConsecutiveFailures
├── BudgetReached               what may be spent is spent; a person says whether to go on
├── AddressRefused              an address that must not be fetched: not of the public web
├── PricesUnusable              the operator's own file of prices, for a person
├── Unreadable                  a document that nothing can be made of; its code says why
├── FetchFailed                 an address that gave nothing that could be read
├── ModelFailed                 no reply of a model that could be used; rules go on without it
│   ├── ModelUnavailable        it did not answer, was too slow or too busy
│   ├── ModelMisconfigured      the key, the model's name or the schema was refused: for a person
│   ├── ModelRefused            it would not answer: a safety block, a refusal
│   └── ModelReplyInvalid       not of the asked shape, also when asked a second time
│       └── InstructionsLeaked  it repeated what only its instructions say
└── Unavailable                 a dependency did not answer; retrying may help
    ├── StoreUnavailable
    └── SearchUnavailable
"""

from typing import Any


class TabwrightError(Exception):
    """Root of the errors a caller may see; `code` is stable wire vocabulary. `hand_over` is the step
    of the stopped task that a person may do.
    """

    code = "INTERNAL"
    title = "Something went wrong here"
    retry_after: int | None = None
    hand_over: str | None = None

    def __init__(self, detail: str = "", *, retry_after: int | None = None) -> None:
        super().__init__(detail or self.title)
        self.detail = detail or self.title
        if retry_after is not None:
            self.retry_after = retry_after


class Refused(TabwrightError):
    """The caller must change the request."""

    code = "REFUSED"
    title = "The request was refused"


class Unauthenticated(Refused):
    """No key, or a wrong one."""

    code = "UNAUTHENTICATED"
    title = "A valid API key is needed"


class Forbidden(Refused):
    """The key may not do this."""

    code = "FORBIDDEN"
    title = "This key may not do that"


class NotFound(Refused):
    """The named thing does not exist, or belongs to another tenant."""

    code = "NOT_FOUND"
    title = "There is no such thing"


class InvalidAction(Refused):
    """A proposed action breaks the grammar or names no element."""

    code = "INVALID_ACTION"
    title = "That is not an action"


class HitlNotPending(Refused):
    """An answer came to no question."""

    code = "HITL_NOT_PENDING"
    title = "No question is waiting for an answer"


class Invalid(Refused):
    """The body says something that cannot be so."""

    code = "INVALID_REQUEST"
    title = "The request does not validate"


class InvalidBody(Invalid):
    """The body does not validate; `found` holds {loc, msg} for each place."""

    def __init__(self, found: list[dict[str, Any]]) -> None:
        super().__init__()
        self.found = found


class CannotBeRecipe(Refused):
    """The task cannot be done again by rule; the detail says why."""

    code = "CANNOT_BE_RECIPE"
    title = "This task cannot be a recipe"


class TooLarge(Refused):
    """The body is over its limit."""

    code = "TOO_LARGE"
    title = "The request is too large"


class TreeTooLarge(Refused):
    """The tree holds more nodes than are read."""

    code = "TREE_TOO_LARGE"
    title = "The tree holds too many nodes"


class SlowBody(Refused):
    """The body did not come in time."""

    code = "REQUEST_TIMEOUT"
    title = "The request came too slowly"


class UnsupportedEncoding(Refused):
    """The body is packed."""

    code = "UNSUPPORTED_ENCODING"
    title = "Packed bodies are not read"


class HostRefused(Refused):
    """The request is for a name that is not this server's."""

    code = "HOST_REFUSED"
    title = "This server does not go by that name"


class RateLimited(Refused):
    """Too many requests; wait `retry_after` seconds."""

    code = "RATE_LIMITED"
    title = "Too many requests"
    retry_after = 1


class TooManyTasks(RateLimited):
    """The tenant has as many tasks under way as it may."""

    code = "TOO_MANY_TASKS"
    title = "Too many tasks are under way"
    retry_after = 5


class TooManyJobs(RateLimited):
    """As many of the tenant's documents wait to be read as may."""

    code = "TOO_MANY_JOBS"
    title = "Too many documents wait to be read"
    retry_after = 30


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


class RequestIdReused(Conflict):
    """The same requestId came with another body."""

    code = "REQUEST_ID_REUSED"
    title = "This requestId was used with another body"


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


class BudgetReached(TabwrightError):
    """What may be spent is spent; a person says whether to go on."""

    code = "BUDGET_REACHED"
    title = "The budget is used up"


class AddressRefused(TabwrightError):
    """An address that must not be fetched."""

    code = "ADDRESS_REFUSED"
    title = "This address is not fetched"


class PricesUnusable(TabwrightError):
    """The operator's file of prices cannot be read, or says what no price can be."""

    code = "PRICES_UNUSABLE"
    title = "The file of prices cannot be used"


class Unreadable(TabwrightError):
    """A document that nothing can be made of; `code` says why, see `knowledge.extract`."""

    code = "DOCUMENT_DAMAGED"
    title = "The document cannot be read"

    def __init__(self, detail: str = "", code: str = "DOCUMENT_DAMAGED") -> None:
        super().__init__(detail)
        self.code = code


class FetchFailed(TabwrightError):
    """An address that gave nothing that could be read."""

    code = "FETCH_FAILED"
    title = "Nothing could be read there"


class ModelFailed(TabwrightError):
    """No reply of a model that could be used."""

    code = "MODEL_FAILED"
    title = "The model gave no reply that could be used"
    retry_after = 5


class ModelUnavailable(ModelFailed):
    """It did not answer, was too slow or too busy."""

    code = "MODEL_UNAVAILABLE"
    title = "The model is away"


class ModelMisconfigured(ModelFailed):
    """The key, the model's name or the schema was refused."""

    code = "MODEL_MISCONFIGURED"
    title = "The model's settings were refused"


class ModelRefused(ModelFailed):
    """It would not answer."""

    code = "MODEL_REFUSED"
    title = "The model would not answer"


class ModelReplyInvalid(ModelFailed):
    """Not of the asked shape, also when asked a second time."""

    code = "MODEL_REPLY_INVALID"
    title = "The model's reply made no sense"


class InstructionsLeaked(ModelReplyInvalid):
    """It repeated its own instructions, which only somebody else's order makes it do."""

    code = "INSTRUCTIONS_LEAKED"
    title = "The model's reply was not used"


class Unavailable(TabwrightError):
    """A dependency did not answer; retrying may help."""

    code = "UNAVAILABLE"
    title = "Something this needs is away"
    retry_after = 2


class StoreUnavailable(Unavailable):
    """The store did not answer."""

    code = "STORE_UNAVAILABLE"
    title = "The store is away"


class SearchUnavailable(Unavailable):
    """The web search did not answer."""

    code = "SEARCH_UNAVAILABLE"
    title = "The web search is away"


def _leaves(cls: type[TabwrightError]) -> list[type[TabwrightError]]:
    below = cls.__subclasses__()
    return [cls, *(leaf for child in below for leaf in _leaves(child))]


def error_of(code: str, detail: str, *, hand_over: str | None = None) -> TabwrightError:
    """The error that a stored code stands for."""
    found = next((cls for cls in _leaves(TabwrightError) if cls.code == code), TabwrightError)(
        detail
    )
    found.hand_over = hand_over
    return found
