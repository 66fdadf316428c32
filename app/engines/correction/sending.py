"""Whether what was to be handed in may be handed in once more: nothing was sent, or the page asks for it.

Nothing is sent twice on a guess. It was not sent where the browser told of no answer to the click, of no
request and of no change, and the page still stands there as it was when it was waited for. A page
that refuses and asks to try again has said that it took nothing.
"""

from collections.abc import Iterator

from app.domain.action import action
from app.domain.page import Observation
from app.domain.plan import Refinement
from app.engines.correction.case import LONG_WAIT, WAITS, Case, act, again
from app.engines.correction.strategies import other_ways
from app.engines.recovery.chains import NO_TRACE, NOTHING_ANSWERED
from app.engines.risk.lexicon import pattern, words
from app.engines.verification.messages import is_message, kind_of
from app.engines.verification.snapshot import split_url

RETRY = "retry"
_INVITES = pattern(
    """
    try_again retry save_again submit_again send_again resubmit resend once_more please_repeat
    erneut noch_einmal nochmal wiederholen reessay nouveau reintent intente_de_nuevo
    tente_novamente de_novo נסה_שוב
    """
)


def resent(case: Case) -> Refinement | None:
    """The submit once more, or by another way; None where that could do it twice."""
    if case.node is None or not case.node.enabled:
        return None
    if _never_sent(case):
        return next(other_ways(case), None)
    return _invited(case)


def _never_sent(case: Case) -> bool:
    """Where nothing answered a button that submits its form, the browser did not submit it. Of any
    other a request may be on its way unseen: it gets as long as a slow server may take.
    """
    node, client = case.node, case.page.client
    if (
        case.deed.error not in (NOTHING_ANSWERED, NO_TRACE)
        or node is None
        or client.network
        or client.url_changed
    ):
        return False
    if split_url(case.page.url)[:3] != split_url(case.deed.url)[:3]:
        return False
    native = node.input_type == "submit" and any(kind == "form" for kind, _ in node.groups)
    sure = native and case.deed.error == NOTHING_ANSWERED
    return case.waits >= (1 if sure else len(WAITS))


def _invited(case: Case) -> Refinement | None:
    """Once, where the page says that it failed and asks for another try.

    By the page's own messages: the reason may be a model's, who has read all that stands on it.
    """
    node = case.node
    asks = any(_INVITES.search(words(text)) for text in _complaints(case.page))
    if node is None or case.deed.status != "failure" or not asks or case.did(case.deed.action.name):
        return None
    pause = (action("wait", LONG_WAIT), "Wait a moment")
    step = (again(case, node), case.deed.description)
    return act(RETRY, "The page asks to try once more", pause, step, completes=True)


def _complaints(page: Observation) -> Iterator[str]:
    yield from page.errors
    yield from (dialog.message for dialog in page.dialogs if dialog.kind == "alert")
    for node in page.tree:
        if is_message(node) and ("alert" in node.states or kind_of(node.name) == "error"):
            yield node.name
