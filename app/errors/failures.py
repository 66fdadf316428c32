"""Failures of budgets, documents, models and dependencies."""

from app.errors.base import TabwrightError


class BudgetReached(TabwrightError):
    """The budget is exhausted; a person decides whether to continue."""

    code = "BUDGET_REACHED"
    title = "The budget is exhausted"


class AddressRefused(TabwrightError):
    """An address outside the public web."""

    code = "ADDRESS_REFUSED"
    title = "This address may not be fetched"


class PricesUnusable(TabwrightError):
    """The operator's price file cannot be read, or a price in it is invalid."""

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
    """An address that returned nothing readable."""

    code = "FETCH_FAILED"
    title = "The address returned nothing readable"


class ModelFailed(TabwrightError):
    """The model gave no usable reply."""

    code = "MODEL_FAILED"
    title = "The model gave no usable reply"
    retry_after = 5


class ModelUnavailable(ModelFailed):
    """The model did not respond, was too slow or overloaded."""

    code = "MODEL_UNAVAILABLE"
    title = "The model is unavailable"


class ModelMisconfigured(ModelFailed):
    """The provider rejected the API key, the model name or the schema."""

    code = "MODEL_MISCONFIGURED"
    title = "The model provider rejected the configuration"


class ModelRefused(ModelFailed):
    """A safety block or a refusal."""

    code = "MODEL_REFUSED"
    title = "The model refused to answer"


class ModelReplyInvalid(ModelFailed):
    """The reply did not match the schema, even after a retry."""

    code = "MODEL_REPLY_INVALID"
    title = "The model's reply was invalid"


class InstructionsLeaked(ModelReplyInvalid):
    """The reply repeated the instructions, a sign of prompt injection."""

    code = "INSTRUCTIONS_LEAKED"
    title = "The model's reply was discarded"


class Unavailable(TabwrightError):
    """A dependency did not respond; retrying may help."""

    code = "UNAVAILABLE"
    title = "A required service is unavailable"
    retry_after = 2


class StoreUnavailable(Unavailable):
    """The store did not respond."""

    code = "STORE_UNAVAILABLE"
    title = "The store is unavailable"


class Starting(Unavailable):
    """Start-up is still in progress."""

    code = "STARTING"
    title = "The server is starting"


class StorageFull(Unavailable):
    """The disk of the data folder is nearly full: no new work, reads still succeed."""

    code = "STORAGE_FULL"
    title = "The disk is nearly full"
    retry_after = 60


class ServerStopping(Unavailable):
    """This process is stopping; the same request succeeds after the restart, or in another process."""

    code = "SERVER_STOPPING"
    title = "The server is stopping; send the same request again"


class SearchUnavailable(Unavailable):
    """The web search did not respond."""

    code = "SEARCH_UNAVAILABLE"
    title = "The web search is unavailable"
