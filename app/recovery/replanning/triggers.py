"""When a plan is held against the page: the address or the look is another than before."""

from collections.abc import Sequence

from app.domain.page import Observation
from app.domain.verdict import RePlan
from app.page.similarity import REPLAN_BELOW
from app.page.snapshot import fingerprint, split_url

MOST_PAGES = 50  # fingerprints that are remembered: as many as one task may take steps


def noticed(before: Observation, after: Observation, likeness: float) -> RePlan | None:
    """Why the plan is to be held against the page, to be decided on; None where it is not.

    The reason holds no word of the page: a model reads it outside of the fence.
    """
    if _path(before) != _path(after):
        why = "The address is another"
    elif likeness < REPLAN_BELOW:
        why = "Much of the page is another"
    else:
        return None
    return RePlan(decision="continue", reason=why, similarity=likeness)


def _path(page: Observation) -> tuple[str, str, str]:
    """Origin and path; with a fragment that routes, that too."""
    origin, path, _, fragment = split_url(page.url)
    routes = fragment[:1] in ("/", "!")
    return origin, path, fragment.partition("?")[0] if routes else ""


def reconsidering(page: Observation, known: Sequence[str]) -> list[str] | None:
    """The pages the plan was held against with this one; None where it was one of them."""
    seen = fingerprint(page)
    return None if seen in known else [*known, seen][-MOST_PAGES:]
