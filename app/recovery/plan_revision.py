"""What happens to a plan on a changed page: contingencies, replanning, and the end at an unrequested
sign-in page.

Rules change no plan: if the next step is impossible, its decision says so. A model is told of the
change in its next call, and the steps it keeps are its decision.

A contingency's trigger is in words ("a cookie banner appears"). All its distinctive words must be in
one thing in front of the page: a dialog, a message, a heading, a button that agrees or dismisses.
Anything unclear is left to the correction.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from app.domain.action import ActionRecord
from app.domain.page import Node, Observation
from app.domain.plan import Contingency, Decision, Outcome, Plan, PlanStep
from app.domain.reasoner import Reasoner, Situation
from app.domain.verdict import RePlan
from app.grounding import STOP_WORDS, label
from app.page import (
    REPLAN_BELOW,
    enclosing_form,
    fields_in,
    fingerprint,
    is_dismiss_button,
    is_message,
    routing_fragment,
    split_url,
)
from app.plans import SURE, replace_remaining
from app.recovery.chain_outcome import RE_PLAN
from app.recovery.failed_case import FailedCase, begin_changed_plan
from app.text.lexicon import speaks_of
from app.text.vocabulary import vocabulary


def replan_rest(situation: Situation, fresh_plan: Plan) -> Plan | None:
    """The remaining steps according to `fresh_plan`, once per step; None after a submit or if the same."""
    plan, instruction = situation.plan, fresh_plan.instruction
    if instruction is None or instruction.kind != "operation" or instruction.confidence < SURE:
        return None
    for record in situation.records:
        if record.strategy == RE_PLAN and record.step == plan.current:
            return None
        case = FailedCase(record=record, page=situation.page, attempts=())
        if record.status != "failure" and case.is_submit:
            return None
    done_directives = [
        step.directive for step in plan.steps[: plan.current] if step.directive is not None
    ]
    remaining = [step for step in fresh_plan.steps if step.directive not in done_directives]
    lines = [step.description for step in plan.steps[plan.current :]]
    if not remaining or [step.description for step in remaining] == lines:
        return None
    steps = tuple(
        step.model_copy(update={"status": "pending" if at else "current"})
        for at, step in enumerate(remaining)
    )
    return fresh_plan.model_copy(update={"steps": steps, "current": 0})


def begin_replanned(decision: Decision, plan: Plan) -> Decision | None:
    if decision.outcome != "act":
        return None
    thought = "That way does not lead on; from here it goes another way"
    return begin_changed_plan(decision, plan, RE_PLAN, thought)


MOST_PAGES = 50  # fingerprints that are remembered: as many as one task may take steps


def detect_page_change(before: Observation, after: Observation, likeness: float) -> RePlan | None:
    """Why to reconsider the plan, or None; without page words, as it is read outside the fence."""
    if _path(before) != _path(after):
        why = "The address is another"
    elif likeness < REPLAN_BELOW:
        why = "Much of the page is another"
    else:
        return None
    return RePlan(decision="continue", reason=why, similarity=likeness)


def _path(page: Observation) -> tuple[str, str, str]:
    origin, path, _, _ = split_url(page.url)
    return origin, path, routing_fragment(page.url).partition("?")[0]


def remember_page(page: Observation, fingerprints: Sequence[str]) -> list[str] | None:
    """The pages for which the plan was reconsidered, with this one added; None if it is one of them."""
    current = fingerprint(page)
    return None if current in fingerprints else [*fingerprints, current][-MOST_PAGES:]


MOST_ENTRIES = 4  # name, password, "remember me", organisation; more is a form of another kind


async def sign_out_outcome(
    situation: Situation, before: Observation, reasoner: Reasoner
) -> Outcome | None:
    """The outcome at an unrequested sign-in form, unless the plan can continue beside it."""
    if asks_to_sign_in(before) or not is_signed_out(situation):
        return None
    decision = await reasoner.refine(replace(situation, rules_only=True))
    explores = any(proposal.purpose == "explore" for proposal in decision.proposals)
    goes_on = decision.outcome == "act" and decision.confidence >= SURE and not explores
    return None if goes_on else signed_out_outcome(situation)


def is_signed_out(situation: Situation) -> bool:
    """Whether the page asks to sign in though that was not requested."""
    if situation.plan.step is None or not asks_to_sign_in(situation.page):
        return False
    steps = situation.plan.steps[situation.plan.current :]
    if any(step.directive is not None and step.directive.verb == "login" for step in steps):
        return False
    return not speaks_of("sign_in", f"{situation.stated_text} {situation.plan.step.description}")


def asks_to_sign_in(page: Observation) -> bool:
    """Whether it has an empty password field in a small sign-in form."""
    return any(_is_sign_in(node, page) for node in page.tree if node.input_type == "password")


def _is_sign_in(field: Node, page: Observation) -> bool:
    place = enclosing_form(field)
    form_fields = fields_in(page, place)
    if field.value or not field.enabled or len(form_fields) > MOST_ENTRIES:
        return False
    if sum(node.input_type == "password" for node in form_fields) != 1:
        return False  # two are a new password, and its repetition
    texts = [
        node.name for node in page.tree if node.role == "btn" and enclosing_form(node) == place
    ]
    return any(speaks_of("sign_in", text) for text in (*texts, place or "", page.title))


def signed_out_outcome(situation: Situation) -> Outcome:
    """The outcome at a sign-in page: only the person can continue."""
    step = situation.plan.step
    name = situation.page.title.strip() or situation.page.url
    remainder = f" with: {step.description}" if step else ""
    message = (
        f"You are signed out: the page asks to sign in ({name}). Sign in, then go on{remainder}."
    )
    return Outcome(status="failed", message=message, hand_over="Sign in on this page")


def apply_model_plan(replanning: RePlan, plan: Plan, refinement: Decision) -> RePlan:
    """The page change with what a model made of the plan after it.

    Some kept steps are a change, none a new plan; without new steps, or with the same, the plan
    continues.
    """
    if refinement.maker != "model" or refinement.plan is None:
        return replanning
    old_lines, new_lines = _lines(plan), _lines(replace_remaining(plan, refinement.plan))
    if old_lines == new_lines:
        return replanning
    kept_lines = set(old_lines) & set(new_lines)
    change = "some of the steps were kept" if kept_lines else "all that is left was planned anew"
    decision = "modify" if kept_lines else "regenerate"
    return replanning.model_copy(
        update={"decision": decision, "reason": f"{replanning.reason}: {change}"}
    )


def _lines(plan: Plan) -> list[str]:
    remaining: list[PlanStep] = [step for step in plan.steps[plan.current :] if not is_aside(step)]
    return [" ".join(step.description.casefold().split()).rstrip(".") for step in remaining]


ASIDE = "aside-"  # how the id of a step begins that only clears the way
LONGEST_LINE = 200  # characters; a sentence of the page, and not its whole text
_PREFIX = 5  # letters that "expires" and "expire" must at least share
# Words of a trigger that say that something comes up, and not what.
_COMING = vocabulary("contingencies.coming") | vocabulary("contingencies.kinds")
_ERRORS = frozenset({"error", "warning", "message", "alert"})


def find_contingency(situation: Situation, *, failed: bool) -> Contingency | None:
    """The first contingency of the plan that the page shows; each counts once.

    Unless the last action `failed`, only obstacles count: a dialog without work in it, or something
    that covers controls.
    """
    step = situation.plan.step
    if step is not None and is_aside(step):
        return None
    for contingency in situation.plan.contingencies:
        if not contingency.used and _is_met(contingency.trigger, situation, failed=failed):
            return contingency
    return None


def _is_met(trigger: str, situation: Situation, *, failed: bool) -> bool:
    page = situation.page
    words = {word.strip(".,;:!?'\"()") for word in trigger.lower().split()}
    stems = label(" ".join(sorted(words - _COMING))).stems - STOP_WORDS
    dialogs = _dialogs(page, situation.records)
    if not stems:  # "a dialog appears": any that came up, once it is known to disturb
        return failed and bool(dialogs or (page.errors and words & _ERRORS))
    if any(_says(text, stems) for text in dialogs):
        return True
    if any(_says(text, stems) for text in _named(page)):
        return failed or any(node.occluded for node in page.tree)
    lines = [line for line in page.summary.splitlines() if len(line) <= LONGEST_LINE]
    return failed and len(stems) > 1 and any(_says(line, stems) for line in lines)


def _says(text: str, stems: frozenset[str]) -> bool:
    text_label = label(text)
    text_words = text_label.stems | text_label.meaning_set
    return all(
        word in text_words
        or label(word).meaning_set <= text_words
        or (len(word) >= _PREFIX and any(one.startswith(word) for one in text_label.stems))
        for word in stems
    )


def _dialogs(page: Observation, records: tuple[ActionRecord, ...]) -> list[str]:
    texts: dict[str, list[str]] = {}
    for node in page.tree:
        if (name := _dialog_of(node)) is not None:
            texts.setdefault(name, [name]).append(f"{node.name} {node.hint}")
    worked = {d.signature[2] for d in records if d.signature and d.status == "success"}
    return [
        " ".join(words)
        for name, words in texts.items()
        if not any(f"dialog: {name}" in group for group in worked)
    ]


def _dialog_of(node: Node) -> str | None:
    """The name of the control's innermost dialog, "" if unnamed; None outside dialogs."""
    dialog_names = [text for kind, text in node.groups if kind == "dialog"]
    if dialog_names:
        return dialog_names[-1]
    return "" if "modal" in node.states else None


def _named(page: Observation) -> Iterable[str]:
    yield from (*page.errors, *page.successes, page.title)
    yield from (line for line in page.summary.splitlines() if line.startswith("#"))
    for node in page.tree:
        answers = label(node.name).meaning_set & {"accept", "reject", "ok"}
        settles = node.role == "btn" and (bool(answers) or is_dismiss_button(node))
        if settles or is_message(node):
            yield node.name


def insert_contingency(
    situation: Situation, contingency: Contingency
) -> tuple[Plan, tuple[ActionRecord, ...]]:
    """The plan with the contingency's steps before the current one, and the records renumbered."""
    plan, at = situation.plan, situation.plan.current
    number = sum(other.used for other in plan.contingencies) + 1
    aside = tuple(
        PlanStep(
            id=f"{ASIDE}{number}.{index + 1}",
            description=words,
            status="pending" if index else "current",
        )
        for index, words in enumerate(contingency.steps)
    )
    later_steps = [
        step.model_copy(update={"status": "pending"}) if step.status == "current" else step
        for step in plan.steps[at:]
    ]
    used = [
        other.model_copy(update={"used": True}) if other == contingency else other
        for other in plan.contingencies
    ]
    steps = (*plan.steps[:at], *aside, *later_steps)
    records = tuple(
        record.model_copy(update={"step": record.step + len(aside)})
        if record.step >= at
        else record
        for record in situation.records
    )
    return plan.model_copy(update={"steps": steps, "contingencies": tuple(used)}), records


def is_aside(step: PlanStep) -> bool:
    """Whether the step only removes an obstacle, so that the goal does not depend on it."""
    return step.id.startswith(ASIDE)
