"""Looks that cannot be taken at their word: of another tab, or at odds with what the client saw."""

from app.domain.page import Observation
from app.domain.plan import Chain
from app.engines.verification.difference import Difference
from app.engines.verification.evidence import Evidence, unclear
from app.engines.verification.explain import quote

_LEADS = frozenset(
    {
        "click", "clickAt", "pressKey", "navigate", "goBack", "openTab", "switchTab", "closeTab",
        "googleSearch",
    }
)  # fmt: skip
_ENOUGH = 3  # controls; a page of fewer may well be drawn anew


def doubted(
    found: Evidence,
    before: Observation,
    after: Observation,
    diff: Difference,
    chain: Chain,
    *,
    waited: bool = False,
) -> Evidence:
    """The evidence, unless the look is not one at the page that was acted on.

    Another site though nothing that was done leads there, or though the client saw the address stay
    (since the chain, so not where it `waited`); or another title and not one control of before,
    though the client saw the page neither change nor go elsewhere.
    """
    if found.happened is False:
        return found
    leads = any(planned.action.name in _LEADS for planned in chain.actions)
    stayed = after.client.url_changed is False and not waited and not _ways_of_tabs(chain)
    if diff.address.origin and (stayed or not leads):
        return unclear(0.5, f"This is another site: {quote(after.url)}", against=True)
    if not _ways_of_tabs(chain) and is_another(before, after, diff):
        why = f"This looks like another tab: {quote(after.title or after.url)}"
        return unclear(0.5, why, against=True)
    return found


def is_another(before: Observation, after: Observation, diff: Difference) -> bool:
    """Whether nothing of the page is left, though the client saw nothing change."""
    client = after.client
    if client.mutated is not False or client.url_changed is True or diff.partner:
        return False
    return diff.title is not None and min(len(before.tree), len(after.tree)) >= _ENOUGH


def at_odds(after: Observation, diff: Difference) -> tuple[str, ...]:
    """In what the look and the client contradict each other, in words."""
    client = after.client
    told = []
    grown = diff.added or diff.removed or diff.opened or diff.closed
    if (
        client.mutated is False
        and client.url_changed is not True
        and not diff.address.any
        and grown
    ):
        told.append("The browser saw nothing change but what changes all the time")
    if client.url_changed is False and diff.address.page:
        told.append("The browser saw the address stay, but it is another")
    if diff.errors and diff.successes:
        told.append("The page tells both of a failure and of a success")
    return tuple(told)


def _ways_of_tabs(chain: Chain) -> bool:
    return any(
        planned.action.name in ("navigate", "goBack", "openTab", "switchTab", "closeTab")
        for planned in chain.actions
    )
