"""What did not come about: money, addresses, documents, models, and what is away."""

from app.errors.base import TabwrightError


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


class Starting(Unavailable):
    """The start is not done: something it waits for takes long."""

    code = "STARTING"
    title = "The server is starting"


class StorageFull(Unavailable):
    """The disk of the data folder is nearly full: nothing new is begun, what is stored can be read."""

    code = "STORAGE_FULL"
    title = "The disk is nearly full"
    retry_after = 60


class ServerStopping(Unavailable):
    """This process is about to end; the same request goes on after it, or in another one."""

    code = "SERVER_STOPPING"
    title = "The server is stopping; send the same request again"


class SearchUnavailable(Unavailable):
    """The web search did not answer."""

    code = "SEARCH_UNAVAILABLE"
    title = "The web search is away"
