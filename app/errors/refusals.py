"""What the caller must change."""

from typing import Any

from app.errors.base import TabwrightError


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


class ConsentNeedsBrowser(Forbidden):
    """A person's consent, from a key that is not their browser's."""

    code = "CONSENT_NEEDS_BROWSER"
    title = "Only the person's own browser may do that: pair it with the code of 'tabwright pair'"


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


class TextTooSlow(Refused):
    """Working on a text took longer than it may."""

    code = "TEXT_TOO_SLOW"
    title = "This text takes too long to work on"


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
