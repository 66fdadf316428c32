"""The root of the errors a caller may see."""


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
