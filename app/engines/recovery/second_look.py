"""When a failure is believed: soon after a submit, only on a second look at the page.

A save over a slow network looks like one that failed: the form stands there as it was, something
turns, an error page flashes by. So what was handed in is looked at once more before it counts as a
failure, unless the page refuses it plainly. Done again it would be there twice.
"""

from app.domain.page import Observation
from app.domain.plan import Chain, Deed, Report
from app.domain.verdict import Verdict
from app.engines.chain import hands_in
from app.engines.dialogs import question
from app.engines.recovery.chains import came_to
from app.engines.risk import is_risky
from app.engines.risk.controls import ENTRIES, container, entries
from app.engines.risk.lexicon import pattern, words
from app.engines.verification.messages import new_messages
from app.text.languages import stems

SECOND_LOOK = "second look"  # the strategy of the wait before it; it is no try of the step
UNCERTAIN = 0.5  # of a verdict that waits for it
LOOKED_AGAIN = "; one more look before that is believed"

# Errors that come and go with the network: the same page may tell of a success a moment later.
_PASSING = pattern(stems("messages.passing"))


def is_premature(
    verdict: Verdict, chain: Chain, before: Observation, after: Observation, report: Report
) -> bool:
    """Whether a failure is said too soon to be believed: of something handed in, and not refused.

    A form that is empty after nobody knows what may have been emptied by its success.
    """
    if verdict.succeeded is not False or not chain.actions or report.status == "failure":
        return False
    if came_to(chain, report, before, after, worked=False) < len(chain.actions) - 1:
        return False
    refused = plainly_refused(chain, before, after, certain=report.status == "success")
    return _handed_in(chain, before) and not refused


def _handed_in(chain: Chain, before: Observation) -> bool:
    last = chain.actions[-1].action
    node = before.tree.get(last.target or "")
    risky = last.name == "click" and node is not None and is_risky(node.name)
    return hands_in(last, before) or risky


def plainly_refused(
    chain: Chain, before: Observation, after: Observation, *, certain: bool
) -> bool:
    """Whether the page says what is wrong: a field that is marked or named by the error, or a question
    of the browser; where it is `certain` that the form was handed in, a field that is missed.
    """
    if question(after) is not None:
        return True
    marked = {n.signature for n in before.tree if "invalid" in n.states}
    fields = [n for n in after.tree if n.role in ENTRIES]
    if any("invalid" in n.states and n.signature not in marked for n in fields):
        return True
    node = before.tree.get(chain.actions[-1].action.target or "")
    ours = entries(after, container(node)) if node is not None else tuple(fields)
    if certain and any(
        "required" in n.states and _is_empty(n.role, n.value, n.states) for n in ours
    ):
        return not after.client.network
    said = [words(m.text) for m in new_messages(before, after) if m.kind == "error"]
    named = [words(n.name) for n in ours if words(n.name)]
    return any(f" {name} " in f" {text} " for text in said for name in named if _is_plain(text))


def _is_plain(text: str) -> bool:
    return _PASSING.search(text) is None


def _is_empty(role: str, value: str | None, states: frozenset[str]) -> bool:
    if role in ("rad", "range"):
        return False
    return "checked" not in states if role == "chk" else not value


def doubted(verdict: Verdict) -> Verdict:
    """The failure as something that cannot be told yet."""
    return verdict.model_copy(
        update={
            "succeeded": None,
            "confidence": min(verdict.confidence, UNCERTAIN),
            "tokens_saved": 0,
            "reason": f"{verdict.reason.rstrip('. ')}{LOOKED_AGAIN}",
        }
    )


def unknown(verdict: Verdict) -> Verdict:
    """The failure as something that nobody knows, also after another look."""
    why = {"succeeded": None, "confidence": min(verdict.confidence, UNCERTAIN), "tokens_saved": 0}
    return verdict.model_copy(update=why)


def is_doubted(found: Verdict) -> bool:
    """Whether the page is to be looked at once more before anything else is made of it."""
    return found.succeeded is None and found.reason.endswith(LOOKED_AGAIN)


def believed(verdict: Verdict, chain: Chain, deeds: tuple[Deed, ...]) -> Verdict:
    """The verdict of the second look: where the page says nothing any more, what it said at first."""
    if verdict.succeeded is not None or not chain.actions:
        return verdict
    last = chain.actions[-1].action_id
    first = next((d.note for d in deeds if d.action_id == last and LOOKED_AGAIN in d.note), None)
    if first is None:
        return verdict
    reason = first.removesuffix(LOOKED_AGAIN)
    return verdict.model_copy(update={"succeeded": False, "reason": reason})
