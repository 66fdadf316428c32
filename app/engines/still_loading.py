"""A look at a page that is not whole yet, by what the client says of it."""

from app.domain.page import Observation


def is_still_loading(page: Observation) -> bool:
    """Whether what is not on the page may yet come."""
    return page.client.still_loading
