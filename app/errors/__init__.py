"""Every error this product raises on purpose.

TabwrightError
├── Refused                     the caller must change the request
│   ├── Unauthenticated         no key, or a wrong one
│   ├── Forbidden               the key may not do this
│   │   └── ConsentNeedsBrowser only a key of a person's browser may
│   ├── NotFound                the named thing does not exist, or belongs to another tenant
│   ├── InvalidAction           a proposed action breaks the grammar or names no element
│   ├── HitlNotPending          an answer came to no question
│   ├── Invalid                 the body says something that cannot be so
│   │   └── InvalidBody         it does not validate; `found` names each place
│   ├── CannotBeRecipe          a task that cannot be done again by rule; the detail says why
│   ├── TooLarge                the body is over its limit
│   ├── TextTooSlow             working on a text took longer than it may
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
│   ├── AlreadyReviewed         the record was decided already; the first decision stands
│   ├── DelegationTaken         another browser took the delegated task, or it is over
│   ├── TaskPaused              the person has taken the task over, and has not handed it back
│   ├── TaskNotPaused           there is no pause to end
│   ├── TaskBusy                another request is working on the task; retrying helps
│   │   └── RunLost             the run lost its lease to another, and nothing that it did counts
│   ├── RequestIdReused         the same requestId came with another body
│   ├── WorkAbandoned           the process that worked on it ended in the middle, again and again
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
    ├── ServerStopping          this process is about to end; the same request goes on after it
    ├── StoreUnavailable
    ├── Starting                the start is not done: something it waits for takes long
    ├── StorageFull             the disk of the data folder is nearly full: nothing new is begun
    └── SearchUnavailable
"""

from app.errors.base import TabwrightError
from app.errors.failures import (
    AddressRefused,
    BudgetReached,
    FetchFailed,
    InstructionsLeaked,
    ModelFailed,
    ModelMisconfigured,
    ModelRefused,
    ModelReplyInvalid,
    ModelUnavailable,
    PricesUnusable,
    SearchUnavailable,
    ServerStopping,
    Starting,
    StorageFull,
    StoreUnavailable,
    Unavailable,
    Unreadable,
)
from app.errors.refusals import (
    CannotBeRecipe,
    ConsentNeedsBrowser,
    Forbidden,
    HitlNotPending,
    HostRefused,
    Invalid,
    InvalidAction,
    InvalidBody,
    NotFound,
    RateLimited,
    Refused,
    SlowBody,
    TextTooSlow,
    TooLarge,
    TooManyJobs,
    TooManyTasks,
    TreeTooLarge,
    Unauthenticated,
    UnsupportedEncoding,
)
from app.errors.states import (
    AlreadyReviewed,
    Conflict,
    DelegationTaken,
    HitlExpired,
    KeyEnded,
    LastAdmin,
    LimitReached,
    MaxConsecutiveFailures,
    MaxRetriesExceeded,
    MaxStepsExceeded,
    RequestIdReused,
    RunLost,
    TaskBusy,
    TaskEnded,
    TaskNotCompleted,
    TaskNotPaused,
    TaskPaused,
    WorkAbandoned,
)

__all__ = [
    "AddressRefused",
    "AlreadyReviewed",
    "BudgetReached",
    "CannotBeRecipe",
    "Conflict",
    "ConsentNeedsBrowser",
    "DelegationTaken",
    "FetchFailed",
    "Forbidden",
    "HitlExpired",
    "HitlNotPending",
    "HostRefused",
    "InstructionsLeaked",
    "Invalid",
    "InvalidAction",
    "InvalidBody",
    "KeyEnded",
    "LastAdmin",
    "LimitReached",
    "MaxConsecutiveFailures",
    "MaxRetriesExceeded",
    "MaxStepsExceeded",
    "ModelFailed",
    "ModelMisconfigured",
    "ModelRefused",
    "ModelReplyInvalid",
    "ModelUnavailable",
    "NotFound",
    "PricesUnusable",
    "RateLimited",
    "Refused",
    "RequestIdReused",
    "RunLost",
    "SearchUnavailable",
    "ServerStopping",
    "SlowBody",
    "Starting",
    "StorageFull",
    "StoreUnavailable",
    "TabwrightError",
    "TaskBusy",
    "TaskEnded",
    "TaskNotCompleted",
    "TaskNotPaused",
    "TaskPaused",
    "TextTooSlow",
    "TooLarge",
    "TooManyJobs",
    "TooManyTasks",
    "TreeTooLarge",
    "Unauthenticated",
    "Unavailable",
    "Unreadable",
    "UnsupportedEncoding",
    "WorkAbandoned",
    "error_of",
]


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
