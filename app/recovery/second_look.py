"""When a failure is believed: after a submit, only on a second look.

A save over a slow network looks like a failed one: the form is unchanged, a spinner turns, an error
page flashes by. So a submit is looked at again before it counts as failed, unless the page plainly
refuses it; repeating it could do it twice.
"""

from app.domain.action import ActionRecord, Chain, ClientReport
from app.domain.page import Observation
from app.domain.verdict import Verdict
from app.page import ENTRIES, new_messages
from app.plans import dialog_question, may_submit
from app.recovery.chain_outcome import last_begun_index
from app.text.lexicon import is_risky, words

SECOND_LOOK = "second look"  # the strategy of the wait before it; it is no try of the step
UNCERTAIN = 0.5  # of a verdict that waits for it
LOOKED_AGAIN = "; one more look before that is believed"


def withhold_early_failure(
    found: Verdict,
    chain: Chain,
    before: Observation,
    page: Observation,
    report: ClientReport,
    deeds: tuple[ActionRecord, ...],
    *,
    waited: bool,
) -> Verdict:
    """The verdict, left open if failure is too early to tell; on the second look, a page that now says
    nothing counts as it did at first. An action that nobody saw done is never known to have failed.
    """
    if not chain.actions:
        return found
    if waited and report.status != "unknown":
        return _at_first(found, chain, deeds) or found
    if not _is_premature(found, chain, before, page, report):
        return found
    reason = found.reason if waited else f"{found.reason.rstrip('. ')}{LOOKED_AGAIN}"
    return as_undecided(found, reason)


def as_undecided(found: Verdict, reason: str) -> Verdict:
    """The verdict as something that cannot be told."""
    told = {"succeeded": None, "task_completed": False, "tokens_saved": 0, "reason": reason}
    return found.model_copy(update=told | {"confidence": min(found.confidence, UNCERTAIN)})


def needs_second_look(found: Verdict) -> bool:
    """Whether to look again before anything else."""
    return found.succeeded is None and found.reason.endswith(LOOKED_AGAIN)


def _is_premature(
    found: Verdict, chain: Chain, before: Observation, page: Observation, report: ClientReport
) -> bool:
    """Whether a submit is called failed though the page marks and names no field and asks nothing."""
    if (
        found.succeeded is not False
        or report.status == "failure"
        or dialog_question(page) is not None
    ):
        return False
    if last_begun_index(chain, report, before, page, worked=False) < len(chain.actions) - 1:
        return False
    last = chain.actions[-1].action
    node = before.tree.get(last.target or "")
    risky = last.name == "click" and node is not None and is_risky(node.name)
    if not (risky or may_submit(last, before)) or _marked(page) - _marked(before):
        return False
    said = [f" {words(m.text)} " for m in new_messages(before, page) if m.kind == "error"]
    names = [words(n.name) for n in page.tree if n.role in ENTRIES]
    return not any(name and f" {name} " in text for text in said for name in names)


def _marked(page: Observation) -> set[tuple[str, str, str]]:
    return {n.signature for n in page.tree if n.role in ENTRIES and "invalid" in n.states}


def _at_first(found: Verdict, chain: Chain, deeds: tuple[ActionRecord, ...]) -> Verdict | None:
    last = chain.actions[-1].action_id
    notes = (d.note for d in deeds if d.action_id == last and LOOKED_AGAIN in d.note)
    if found.succeeded is not None or (first := next(notes, None)) is None:
        return None
    update = {"succeeded": False, "reason": first.removesuffix(LOOKED_AGAIN)}
    return found.model_copy(update=update)
