"""How far a chain came: what was done, what stopped it, what was never begun, and when a failure is
believed.

Finished actions are never sent again; actions never begun leave no record, so that they are
proposed again.

A save over a slow network looks like a failed one: the form is unchanged, a spinner turns, an error
page flashes by. So a submit is looked at again before it counts as failed, unless the page plainly
refuses it; repeating it could do it twice.
"""

from collections import Counter
from collections.abc import Container

from app.domain.action import Action, ActionRecord, ActionStatus, Chain, ClientReport
from app.domain.page import Observation
from app.domain.plan import Decision
from app.domain.reasoner import Situation
from app.domain.verdict import Verdict
from app.page import ENTRIES, new_messages
from app.plans import dialog_question, may_submit
from app.text.lexicon import is_risky, words
from app.verification import (
    NEVER_BEGAN,
    explain_not_reached,
    is_on,
    is_same_formatted,
    is_same_value,
)

VERIFICATION_FAILED = "VERIFICATION_FAILED"  # of an action that the client reports as done
NOTHING_ANSWERED = "NOTHING_ANSWERED"  # the client's code of a click that the page did not answer

ALLOWED_TO_FAIL = "failed, as it may"  # the note of a failure that did not end its chain
NO_TRACE = "NO_TRACE"  # of an action that caused no request, change or answer


def normalize_report(report: ClientReport, chain: Chain) -> ClientReport:
    """The report in terms of this chain: `executed_index` is the last action before the stop.

    The browser continues past an action that may fail, so it never stopped the chain unless its
    result is unknown. A report of success with an earlier index contradicts itself; then the page
    decides.
    """
    executed_index = report.executed_index
    if executed_index is None:
        return report
    last = len(chain.actions) - 1
    if executed_index >= last and report.status != "success":
        return report.model_copy(update={"executed_index": last - 1 if last else None})
    stop = next(
        (i for i in range(executed_index + 1, last + 1) if not chain.actions[i].can_fail), None
    )
    if report.status == "success":
        if stop is None:
            return report
        return report.model_copy(update={"status": "unknown", "executed_index": None})
    if stop is None or report.status == "unknown":
        return report
    return report.model_copy(update={"executed_index": stop - 1})


def last_begun_index(
    chain: Chain, report: ClientReport, before: Observation, after: Observation, *, worked: bool
) -> int:
    """The index of the last begun action by a normalized report; `worked` is the verdict.

    If unknown, the page decides: if a form shows an earlier entry but not a later one, the later
    one and everything after it was never made.
    """
    last, executed_index = len(chain.actions) - 1, report.executed_index
    if report.status == "success" or (worked and report.status == "unknown"):
        return last
    if report.status == "failure":  # it went on past what may fail, to the end if all else may
        begun = range(_first_after(report), last + 1)
        return next((i for i in begun if not chain.actions[i].can_fail), last)
    if executed_index is not None:
        return min(executed_index + 1, last)
    keeps_values = not any(may_submit(planned.action, before) for planned in chain.actions)
    for index, planned in enumerate(chain.actions):
        has_value = field_has_value(planned.action, after)
        if has_value is False and keeps_values:
            return index
        empty = planned.action.args.get("text") == "" or planned.action.args.get("checked") is False
        keeps_values = keeps_values or (has_value is True and not empty)
    return last


def is_whole(chain: Chain, report: ClientReport) -> bool:
    """Whether every action of the chain was begun, as far as the client knows."""
    if report.status != "failure":
        return True
    return all(planned.can_fail for planned in chain.actions[_first_after(report) : -1])


def _first_after(report: ClientReport) -> int:
    """The index after the actions that the client reports as done."""
    return 0 if report.executed_index is None else report.executed_index + 1


def records_after(
    records: tuple[ActionRecord, ...],
    chain: Chain,
    verdict: Verdict,
    report: ClientReport,
    *,
    reached: int,
    silent: bool = False,
) -> tuple[ActionRecord, ...]:
    """The chain's records with results, without those after `reached`; `silent`: no answer."""
    ids = [planned.action_id for planned in chain.actions]
    dropped = set(ids[reached + 1 :])
    settled = tuple(record for record in records if record.action_id not in dropped)
    settled = _marked(settled, chain, report)
    # What the browser reports as failed and the page shows as done is not repeated: a switch would
    # turn back.
    unreached = chain.actions[reached + 1 :]
    was_cut = any(verdict.reason == explain_not_reached(planned) for planned in unreached)
    if verdict.succeeded or reached < 0 or was_cut:
        return set_status(settled, chain, "success", upto=reached + 1)
    first = min(reached, _first_after(report)) if report.status == "failure" else reached
    settled = set_status(settled, chain, "success", upto=first)
    if report.status == "unknown":
        executed_index = -1 if report.executed_index is None else report.executed_index
        unsure = {i for at, i in enumerate(ids[:reached]) if at > executed_index}
        settled = _updated(settled, unsure, status="unknown")
    status: ActionStatus = "unknown" if verdict.succeeded is None else "failure"
    error = _error(verdict, report, silent=silent)
    failed = ids[first : reached + 1]
    return _updated(settled, failed, status=status, note=verdict.reason, error=error)


def _marked(
    records: tuple[ActionRecord, ...], chain: Chain, report: ClientReport
) -> tuple[ActionRecord, ...]:
    if report.executed is None:
        return records
    executed = Counter(report.executed)
    missed = set()
    for planned in chain.actions:
        if executed[planned.action.text]:
            executed[planned.action.text] -= 1
        elif planned.can_fail:
            missed.add(planned.action_id)
    return _updated(records, missed, note=ALLOWED_TO_FAIL)


def was_silent(
    chain: Chain, records: tuple[ActionRecord, ...], page: Observation, *, waited: bool
) -> bool:
    """Whether nothing ever answered the chain's last click, by the browser's account."""
    client = page.client
    if not chain.actions or client.network is not False or client.mutated is not False:
        return False
    if client.pending is not False or client.url_changed:
        return False
    last = next((d for d in records if d.action_id == chain.actions[-1].action_id), None)
    return not waited or (last is not None and last.error in (NOTHING_ANSWERED, NO_TRACE))


def _error(verdict: Verdict, report: ClientReport, *, silent: bool) -> str:
    if report.status == "failure" and report.error_code in NEVER_BEGAN:
        return report.error_code or VERIFICATION_FAILED
    if silent:
        return NOTHING_ANSWERED if report.unanswered else NO_TRACE
    if verdict.succeeded is None:
        return ""
    error_code = report.error_code if report.status != "success" else None
    return error_code or VERIFICATION_FAILED


def set_status(
    records: tuple[ActionRecord, ...], chain: Chain, status: ActionStatus, *, upto: int
) -> tuple[ActionRecord, ...]:
    ids = {planned.action_id for planned in chain.actions[:upto]}
    return _updated(records, ids, status=status)


def _updated(
    records: tuple[ActionRecord, ...], ids: Container[str], **update: object
) -> tuple[ActionRecord, ...]:
    """The records with those of these ids changed."""
    return tuple(d.model_copy(update=update) if d.action_id in ids else d for d in records)


def explain_failure(
    verdict: Verdict, chain: Chain | None, records: tuple[ActionRecord, ...]
) -> str:
    """The verdict's reason and the actions never begun, for the correction."""
    begun = {record.action_id for record in records}
    sent = chain.actions if chain is not None else ()
    not_begun = [one.description for one in sent if one.action_id not in begun]
    if not not_begun:
        return verdict.reason
    return f"{verdict.reason.rstrip('. ')}. Not begun after that: {'; '.join(not_begun)}"


def field_has_value(action: Action, page: Observation) -> bool | None:
    """Whether the page has the value that the action enters; None for other actions or without the field."""
    node = page.tree.get(action.target or "")
    if node is None:
        return None
    value = node.value or ""
    match action.name:
        case "setValue" if node.input_type == "password":
            return bool(value) == bool(action.args["text"])
        case "setValue":
            text = str(action.args["text"])
            return is_same_value(value, text) or is_same_formatted(value, text)
        case "selectOption" if node.role == "sel":
            return any(is_same_value(x, str(action.args["label"])) for x in value.split(", "))
        case "setChecked":
            return is_on(node) is bool(action.args["checked"])
    return None


RE_PLAN = "re-plan"


def drop_done(decision: Decision, situation: Situation) -> Decision:
    """The decision without entries in place; a chain cut before a press is often chosen again."""
    entered = [record.action for record in situation.records if record.status == "success"]
    remaining = tuple(
        one
        for one in decision.proposals
        if not (one.action in entered and field_has_value(one.action, situation.page))
    )
    return decision.model_copy(update={"proposals": remaining}) if remaining else decision


def as_recovery(decision: Decision, situation: Situation) -> Decision:
    """The correction as a model's recovery, with a new plan once per step."""
    step_records = tuple(d for d in situation.records if d.step == situation.plan.current)
    update: dict[str, object] = {"source": "model"}
    if decision.plan is not None and any(record.strategy == RE_PLAN for record in step_records):
        update["plan"] = None
    elif decision.plan is not None:
        update["strategy"] = RE_PLAN
    return decision.model_copy(update=update)


SECOND_LOOK = "second look"  # the strategy of the wait before it; it is no try of the step
UNCERTAIN = 0.5  # of a verdict that waits for it
LOOKED_AGAIN = "; one more look before that is believed"


def withhold_early_failure(
    verdict: Verdict,
    chain: Chain,
    before: Observation,
    page: Observation,
    report: ClientReport,
    records: tuple[ActionRecord, ...],
    *,
    waited: bool,
) -> Verdict:
    """The verdict, left open if failure is too early to tell; on the second look, a page that now says
    nothing counts as it did at first. An action that nobody saw done is never known to have failed.
    """
    if not chain.actions:
        return verdict
    if waited and report.status != "unknown":
        return _at_first(verdict, chain, records) or verdict
    if not _is_premature(verdict, chain, before, page, report):
        return verdict
    reason = verdict.reason if waited else f"{verdict.reason.rstrip('. ')}{LOOKED_AGAIN}"
    return as_undecided(verdict, reason)


def as_undecided(verdict: Verdict, reason: str) -> Verdict:
    update = {"succeeded": None, "task_completed": False, "tokens_saved": 0, "reason": reason}
    return verdict.model_copy(update=update | {"confidence": min(verdict.confidence, UNCERTAIN)})


def needs_second_look(verdict: Verdict) -> bool:
    return verdict.succeeded is None and verdict.reason.endswith(LOOKED_AGAIN)


def _is_premature(
    verdict: Verdict, chain: Chain, before: Observation, page: Observation, report: ClientReport
) -> bool:
    """Whether a submit is called failed though the page marks and names no field and asks nothing."""
    if verdict.succeeded is not False or report.status == "failure":
        return False
    if dialog_question(page) is not None:
        return False
    if last_begun_index(chain, report, before, page, worked=False) < len(chain.actions) - 1:
        return False
    last = chain.actions[-1].action
    node = before.tree.get(last.target or "")
    risky = last.name == "click" and node is not None and is_risky(node.name)
    if not (risky or may_submit(last, before)) or _invalid_fields(page) - _invalid_fields(before):
        return False
    errors = [f" {words(m.text)} " for m in new_messages(before, page) if m.kind == "error"]
    names = [words(n.name) for n in page.tree if n.role in ENTRIES]
    return not any(name and f" {name} " in text for text in errors for name in names)


def _invalid_fields(page: Observation) -> set[tuple[str, str, str]]:
    return {n.signature for n in page.tree if n.role in ENTRIES and "invalid" in n.states}


def _at_first(verdict: Verdict, chain: Chain, records: tuple[ActionRecord, ...]) -> Verdict | None:
    last = chain.actions[-1].action_id
    notes = (d.note for d in records if d.action_id == last and LOOKED_AGAIN in d.note)
    if verdict.succeeded is not None or (first := next(notes, None)) is None:
        return None
    update = {"succeeded": False, "reason": first.removesuffix(LOOKED_AGAIN)}
    return verdict.model_copy(update=update)
