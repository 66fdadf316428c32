"""Turns proposed actions into the chain that is sent to the browser, with the answers to browser dialogs,
which are decided before the action by what the person asked for.
"""

from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5

from app.domain.action import ActionRecord, Chain, PlannedAction
from app.domain.directive import Directive, FieldValue
from app.domain.page import DialogDecision, Node, Observation, ObservedDialog
from app.domain.plan import Decision, Plan, Proposal
from app.domain.reasoner import Situation
from app.domain.redaction import secrets_in, secrets_told
from app.domain.verdict import ExpectedOutcome
from app.grounding import is_secret_field, label
from app.page import fingerprint
from app.plans.prediction import merge_expectations
from app.plans.validation import LONGEST, may_submit, safe_prefix, validate_action
from app.text import patterns
from app.text.lexicon import is_risky, pattern, speaks_of, words
from app.text.vocabulary import stems, vocabulary

_EMPTY = frozenset({"are", "you", "sure", "want", "really", "this", "that", "please", "enter", "what",
                    "do", "to", "the", "a", "an", "new", "it", "is", "ok", "yes", "all"})  # fmt: skip
# Words of questions that name nothing: "Are you sure you want to continue?"
_BARE = vocabulary("dialogs.bare")
# Words that add nothing to the subject of a question.
SAYS_NOTHING = tuple(sorted(_BARE | vocabulary("dialogs.final")))
_RECORDS = frozenset({"row", "item"})
# "Do you want to add another contact?" asks for more than the person requested.
_MORE = pattern(stems("dialogs.more"))
_WORD = patterns.compile(r"[^\W_]+")
_PUNCTUATION = patterns.compile(r"[^\w\s]+")


def plan_dialog_answer(proposal: Proposal, node: Node | None, plan: Plan) -> DialogDecision | None:
    """Decide the dialog answer to send with an action; None for no answer.

    Irreversible actions often ask for confirmation ("Delete Jas?"). The answer is yes if the
    person's own words request the action and its purpose is not exploration.
    """
    if proposal.dialog is not None:
        return proposal.dialog
    if proposal.purpose == "explore" or node is None or not is_risky(node.name):
        return None
    return DialogDecision(accept=True) if speaks_of("risky", _stated_text(plan)) else None


def expect_dialog(
    decided: DialogDecision | None, node: Node | None, situation: Situation
) -> DialogDecision | None:
    """Restrict a yes to the control, its record and the person's words, not other records."""
    if decided is None or not decided.accept or decided.about is not None:
        return decided
    control_words = _message_words(f"{node.name} {node.group}" if node is not None else "")
    record_groups = {
        n.group for n in situation.page.tree if n.groups and n.groups[-1][0] in _RECORDS
    }
    stated_words = _message_words(_stated_text(situation.plan)) - _message_words(
        " ".join(record_groups)
    )
    secrets = secrets_told(situation.plan.instruction, situation.background)
    hidden = secrets | secrets_in(situation.goal)
    allowed_words = (control_words | stated_words) - _message_words(" ".join(hidden))
    return decided.model_copy(update={"about": tuple(sorted(allowed_words))})


def _message_words(text: str) -> frozenset[str]:
    """Split the text as the page script splits dialog messages."""
    return frozenset(_WORD.findall(text.lower()))


def dialog_question(page: Observation) -> ObservedDialog | None:
    """Return the dialog that stopped the last action because no answer was decided."""
    return next((d for d in reversed(page.dialogs) if d.declined and not d.foreseen), None)


def decide_dialog(dialog: ObservedDialog, plan: Plan, *, on: str = "") -> DialogDecision | None:
    """Return yes to a question about exactly what the person asked for; None otherwise.

    A question that names nothing ("Are you sure?") is about the pressed control `on`, and gets a
    yes if that control serves the request. A prompt needs a text given by the person. A question
    about something irreversible ("Delete all records?") must also match the person's own words.
    """
    if dialog.kind == "prompt":
        text = _value_for(dialog.message, plan)
        if plan.maker == "model" and (text or "") not in _stated_text(plan):
            return None
        return None if text is None else _yes_to(dialog, text)
    stated = _stated_text(plan)
    if speaks_of("risky", dialog.message) and not speaks_of("risky", stated):
        return None
    if asks_for_more(dialog.message) and not asks_for_more(stated):
        return None
    if on and is_bare(dialog.message):
        return (
            None if speaks_of("risky", on) and not speaks_of("risky", stated) else _yes_to(dialog)
        )
    common = _content(dialog.message) & _content(stated)
    return _yes_to(dialog) if common else None


def _yes_to(dialog: ObservedDialog, text: str | None = None) -> DialogDecision:
    """Return a yes for a repetition of the same question."""
    return DialogDecision(
        accept=True, text=text, about=tuple(sorted(_message_words(dialog.message)))
    )


def asks_for_more(text: str) -> bool:
    """Whether the question offers to continue with something else or to leave the page."""
    return _MORE.search(words(text)) is not None


def is_bare(message: str) -> bool:
    message_words = _PUNCTUATION.sub(" ", message.casefold().replace("'", " ")).split()
    return bool(message_words) and _BARE.issuperset(message_words)


def _stated_text(plan: Plan) -> str:
    """Return the person's words for the current step; a model's words authorize nothing."""
    step = plan.step
    if step is None:
        return ""
    if plan.maker == "model":
        return plan.instruction.text if plan.instruction else ""
    return (step.directive.source if step.directive else "") or step.description


def _content(text: str) -> frozenset[str]:
    return frozenset(label(text).meaning_set) - _EMPTY


def _value_for(message: str, plan: Plan) -> str | None:
    """Return the value for a prompt: that of the field it names, or the step's only value."""
    step = plan.step
    fields = _pairs(step.directive) if step and step.directive else ()
    matching = [pair for pair in fields if _content(pair.field) & _content(message)] or fields
    return matching[0].value if len(matching) == 1 else None


def _pairs(directive: Directive) -> tuple[FieldValue, ...]:
    if directive.fields or directive.value is None:
        return directive.fields
    target = directive.target.phrase if directive.target else ""
    return (FieldValue(field=target, value=directive.value),)


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A chain, its action records, whether it only waits, and the omitted proposals."""

    chain: Chain
    records: tuple[ActionRecord, ...]
    waits_only: bool
    unsent: tuple[str, ...] = ()


def prepare_dispatch(
    refinement: Decision,
    situation: Situation,
    expected: ExpectedOutcome,
    *,
    seed: str,
    turn: int = 0,
    most: int = LONGEST,
) -> Dispatch:
    """Validate the proposals, cut them to a safe chain of at most `most`, and number them.

    The decision's own expectation covers all its proposals, so it is used only if none is held
    back. Action ids are derived from `seed`, so that a repeated run sends the same ones; `turn` is
    the 1-based index of the chain in the task. Raises `InvalidAction` if a proposal does not fit
    the page.
    """
    page = situation.page
    for index, proposal in enumerate(refinement.proposals):
        validate_action(proposal.action, page.tree, first=index == 0)
    safe = safe_prefix(refinement.proposals, page)
    proposals = safe[:most]
    whole = len(proposals) == len(refinement.proposals)
    if whole and refinement.expected is not None:
        expected = merge_expectations(expected, refinement.expected, proposals[-1].action, page)
    planned = tuple(
        _planned(proposal, situation, f"{seed}/{index}") for index, proposal in enumerate(proposals)
    )
    ends = refinement.completes_step and whole
    purpose = proposals[-1].purpose
    chain = Chain(actions=planned, expected=expected, completes_step=ends, purpose=purpose)
    alike = {
        "fingerprint": fingerprint(page),
        "strategy": refinement.strategy or "",
        "chain_number": turn,
    }
    records = tuple(
        _make_record(proposal, sent, situation).model_copy(
            update=alike | {"ends_step": ends and sent is planned[-1]}
        )
        for proposal, sent in zip(proposals, planned, strict=True)
    )
    waits = all(p.action.name == "wait" and p.purpose == "correct" for p in proposals)
    why = (
        "it may have to be asked about, on the page as it is then: choose it again"
        if len(proposals) < len(safe)
        else f"the page may be another after {proposals[-1].description}"
    )
    unsent = tuple(f"{one.description}: {why}" for one in refinement.proposals[len(proposals) :])
    return Dispatch(chain=chain, records=records, waits_only=waits, unsent=unsent)


def _planned(proposal: Proposal, situation: Situation, seed: str) -> PlannedAction:
    node = situation.page.tree.get(proposal.action.target or "")
    decided = expect_dialog(plan_dialog_answer(proposal, node, situation.plan), node, situation)
    return PlannedAction(
        action_id=str(uuid5(NAMESPACE_URL, seed)),
        action=proposal.action,
        description=proposal.description,
        element=f"{node.role} {node.name}".strip() if node else "",
        # An action that may submit is never optional: an unsubmitted form is a failure.
        can_fail=proposal.can_fail and not may_submit(proposal.action, situation.page),
        dialog=decided,
        secret=_is_secret(proposal, node, decided, situation),
        provenance=proposal.provenance,
    )


def _is_secret(
    proposal: Proposal, node: Node | None, decided: DialogDecision | None, situation: Situation
) -> bool:
    """Whether the text typed into the field or prompt is a secret."""
    if node is not None and node.input_type == "password":
        return True
    secrets = secrets_told(situation.plan.instruction, situation.background)
    typed = (proposal.action.args.get("text"), decided.text if decided is not None else None)
    return not secrets.isdisjoint(text for text in typed if isinstance(text, str))


def _make_record(proposal: Proposal, planned: PlannedAction, situation: Situation) -> ActionRecord:
    node = situation.page.tree.get(proposal.action.target or "")
    return ActionRecord(
        action=proposal.action,
        action_id=planned.action_id,
        description=proposal.description,
        step=situation.plan.current,
        signature=node.signature if node else None,
        previous_value="" if node is None or is_secret_field(node) else node.value or "",
        purpose=proposal.purpose,
        url=situation.page.url,
        skill=proposal.skill,
    )
