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
    ProtocolUnsupported,
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
    "ProtocolUnsupported",
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
    """Restore the error of a stored code."""
    found = next((cls for cls in _leaves(TabwrightError) if cls.code == code), TabwrightError)(
        detail
    )
    found.hand_over = hand_over
    return found
