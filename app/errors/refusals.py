"""Errors that the caller must fix in the request."""

from typing import Any

from app.errors.base import TabwrightError


class Refused(TabwrightError):
    """The caller must change the request."""

    code = "REFUSED"
    title = "The request was rejected"


class Unauthenticated(Refused):
    """The API key is missing or invalid."""

    code = "UNAUTHENTICATED"
    title = "A valid API key is required"


class Forbidden(Refused):
    """The key lacks the required scope."""

    code = "FORBIDDEN"
    title = "This API key lacks the required scope"


class ConsentNeedsBrowser(Forbidden):
    """Consent requires the key of a person's own browser."""

    code = "CONSENT_NEEDS_BROWSER"
    title = "This requires the user's own browser. Pair it with the code from `tabwright pair`."


class NotFound(Refused):
    """The named thing does not exist, or belongs to another tenant."""

    code = "NOT_FOUND"
    title = "Not found"


class InvalidAction(Refused):
    """A proposed action is malformed or names no element."""

    code = "INVALID_ACTION"
    title = "Invalid action"


class HitlNotPending(Refused):
    """There is no pending question to answer."""

    code = "HITL_NOT_PENDING"
    title = "No question is pending"


class Invalid(Refused):
    """The request is inconsistent."""

    code = "INVALID_REQUEST"
    title = "The request does not validate"


class InvalidBody(Invalid):
    """The body does not validate; `found` holds {loc, msg} for each invalid field."""

    def __init__(self, found: list[dict[str, Any]]) -> None:
        super().__init__()
        self.found = found


class CannotBeRecipe(Refused):
    """The task cannot be replayed; the detail says why."""

    code = "CANNOT_BE_RECIPE"
    title = "This task cannot be saved as a recipe"


class TooLarge(Refused):
    """The body exceeds its limit."""

    code = "TOO_LARGE"
    title = "The request is too large"


class TreeTooLarge(Refused):
    """The tree has too many nodes."""

    code = "TREE_TOO_LARGE"
    title = "The tree has too many nodes"


class TextTooSlow(Refused):
    """Processing a text exceeded the time limit."""

    code = "TEXT_TOO_SLOW"
    title = "The text takes too long to process"


class SlowBody(Refused):
    """The body did not arrive in time."""

    code = "REQUEST_TIMEOUT"
    title = "The request arrived too slowly"


class UnsupportedEncoding(Refused):
    """The body is compressed."""

    code = "UNSUPPORTED_ENCODING"
    title = "Compressed request bodies are not supported"


class HostRefused(Refused):
    """The Host header names another server."""

    code = "HOST_REFUSED"
    title = "Unknown host name"


class ProtocolUnsupported(Refused):
    """The client and the server are too far apart in version; the detail says which to update."""

    code = "PROTOCOL_UNSUPPORTED"
    title = "The extension and the server do not match"


class RateLimited(Refused):
    """Too many requests; wait `retry_after` seconds."""

    code = "RATE_LIMITED"
    title = "Too many requests"
    retry_after = 1


class TooManyTasks(RateLimited):
    """The tenant has reached its limit of running tasks."""

    code = "TOO_MANY_TASKS"
    title = "Too many tasks are running"
    retry_after = 5


class TooManyJobs(RateLimited):
    """The tenant has reached its limit of waiting documents."""

    code = "TOO_MANY_JOBS"
    title = "Too many documents are waiting"
    retry_after = 30
