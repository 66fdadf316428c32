"""A failed action, the current page, earlier attempts in its step, and the page's own confirmation
dialog: "Are you sure? [Yes, go on] [Cancel]".
"""

from dataclasses import dataclass

from app.domain.action import MAY_PRESS, POINT_ACTIONS, PRESSES, Action, ActionRecord, action
from app.domain.page import Node, Observation, ObservedDialog
from app.domain.plan import Correction, Decision, Plan, Proposal
from app.domain.reasoner import Situation
from app.errors import LimitReached, MaxConsecutiveFailures, MaxRetriesExceeded
from app.page import ENTRIES, drop_volatile, enclosing_form, is_dismiss_button, is_opener, is_submit
from app.plans import asks_for_more, decide_dialog
from app.recovery.chain_outcome import NO_TRACE, NOTHING_ANSWERED, SECOND_LOOK
from app.text.lexicon import is_risky, pattern, speaks_of, words
from app.text.vocabulary import stems

MAX_RETRIES = 3  # interact_flow.md, step 3.4: corrections of one step
_COUNT = {2: "Two", 3: "Three", 4: "Four"}.get(MAX_RETRIES, str(MAX_RETRIES))
MAX_FAILURES = 5  # failures in a row, over steps
PREPARES = frozenset({"wait", "scroll"})
"""Actions that are no try of their own: they belong to the one after them."""


def count_attempts(records: tuple[ActionRecord, ...], step: int) -> int:
    return sum(
        record.step == step and record.purpose == "correct" and record.action.name not in PREPARES
        for record in records
    )


def count_failures_in_a_row(records: tuple[ActionRecord, ...]) -> int:
    """Failed actions since the last success, without waits and scrolls."""
    count = 0
    for record in reversed(records):
        if record.step < 0:  # of a plan that is no more
            break
        if record.status == "failure":
            count += 1
        elif record.status == "success" and record.action.name not in PREPARES:
            break
    return count


def find_limit_error(records: tuple[ActionRecord, ...], step: int) -> LimitReached | None:
    """The error that ends the task, listing the attempts; None within the limits."""
    if count_failures_in_a_row(records) >= MAX_FAILURES:
        return MaxConsecutiveFailures(
            f"{MAX_FAILURES} actions failed in a row. {describe_attempts(records)}"
        )
    if count_attempts(records, step) >= MAX_RETRIES:
        step_records = tuple(record for record in records if record.step == step)
        return MaxRetriesExceeded(
            f"{_COUNT} other ways were tried, and none worked. {describe_attempts(step_records)}"
        )
    return None


def describe_attempts(records: tuple[ActionRecord, ...]) -> str:
    """The attempts and their results in one sentence; empty if there were none."""
    attempts = dict.fromkeys(
        _describe_attempt(record) for record in records if record.status != "pending"
    )
    return f"Tried: {'; '.join(attempts)}." if attempts else ""


def _describe_attempt(record: ActionRecord) -> str:
    description = record.description or record.action.text
    outcome = {"success": "done", "failure": "failed", "unknown": "outcome not known"}[
        record.status
    ]
    if record.note and record.status != "success":
        outcome = f"{outcome}: {record.note}"
    return f"{description} ({outcome})"


def make_correction(refinement: Decision, situation: Situation) -> Correction | None:
    """The decision's correction; None for a second look, or if nothing is left to try."""
    if refinement.strategy == SECOND_LOOK or refinement.outcome == "missing":
        return None
    return Correction(
        strategy=refinement.strategy or refinement.thought or refinement.outcome,
        attempt=count_attempts(situation.records, situation.plan.current) + 1,
        source=refinement.source or ("model" if refinement.maker == "model" else "strategy"),
    )


WAITS = (1_000, 3_000, 8_000)
"""Milliseconds: the page script has waited for quiet already; a save over a slow network; and together
longer than a slow server's usual limit of 10 s.
"""
ANSWER = "answer the dialog"  # of the browser: asked and answered in words that code can read
AGREE = "answer the page"
_CHOICES = frozenset({"chk", "rad", "tab", "menu", "opt"})
_PRESS_KEYS = ("enter", "space", " ")


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedCase:
    """A failed action, the current page, and the step's attempts, oldest first."""

    record: ActionRecord
    page: Observation
    attempts: tuple[ActionRecord, ...]
    reason: str = ""

    @property
    def node(self) -> Node | None:
        """The target, by id, or by signature if the id is gone or reused."""
        target = (
            self.page.tree.get(self.record.action.target) if self.record.action.target else None
        )
        return target if target is not None and self._is_still(target) else self.same()

    def _is_still(self, node: Node) -> bool:
        """Whether it may be the target: of the same role, and not renamed to something risky."""
        if self.record.signature is None:
            return True
        role, name, _ = self.record.signature
        return node.role == role and (node.name == name or not is_risky(node.name))

    def same(self) -> Node | None:
        """The only control with the same signature; by role and name if it moved."""
        if self.record.signature is None:
            return None
        role, name, group = self.record.signature
        alike = [
            n
            for n in self.page.tree
            if n.role == role and drop_volatile(n.name) == drop_volatile(name)
        ]
        matching = [n for n in alike if n.group == group] or alike
        return matching[0] if len(matching) == 1 else None

    @property
    def is_submit(self) -> bool:
        """Whether the action may have submitted something or is irreversible.

        Answering the page's question does what the question is about; a point may have hit any control.
        """
        act, node = self.record.action, self.page.tree.get(self.record.action.target or "")
        if self.record.strategy in (ANSWER, AGREE) or act.name in POINT_ACTIONS:
            return True
        if act.name not in PRESSES:
            return act.name == "pressKey" and str(act.args["key"]).lower() in _PRESS_KEYS
        _, name, group = self.record.signature or ("", "", "")
        if is_risky(name):
            return True
        if node is not None and (is_opener(node) or node.role in _CHOICES):
            return False
        in_form = "form" in group or "dialog" in group
        return (node is not None and is_submit(node, self.page)) or (
            in_form and speaks_of("submit", name)
        )

    @property
    def may_have_worked(self) -> bool:
        """Whether a click was made that the page does not show yet."""
        return self.record.status == "unknown" and self.record.action.name == "click"

    @property
    def left_no_trace(self) -> bool:
        """Whether there was no reaction, no request and no change."""
        return self.record.error in (NOTHING_ANSWERED, NO_TRACE)

    def was_tried(self, candidate: Action) -> bool:
        return any(d.action.text == candidate.text for d in self.attempts)

    @property
    def waits(self) -> int:
        at = max((i for i, record in enumerate(self.attempts) if record == self.record), default=-1)
        return sum(d.action.name == "wait" for d in self.attempts[at + 1 :])

    def did(self, name: str) -> int:
        return sum(d.action.name == name and d.purpose == "correct" for d in self.attempts)


Step = tuple[Action, str]


def retry_on(case: FailedCase, node: Node) -> Step:
    retried = case.record.action.model_copy(
        update={"args": {**case.record.action.args, "id": node.id}}
    )
    return retried, case.record.description or f"{retried.name} {node.name}"


def pause_action(ms: int) -> Step:
    return action("wait", ms), "Wait for the page"


def begin_changed_plan(decision: Decision, plan: Plan, strategy: str, thought: str) -> Decision:
    tries = tuple(one.model_copy(update={"purpose": "correct"}) for one in decision.proposals)
    update = {"plan": decision.plan or plan, "strategy": strategy, "source": "strategy"}
    return decision.model_copy(update=update | {"proposals": tries, "thought": thought})


def corrective_decision(
    strategy: str, thought: str, *steps: Step, completes: bool, sure: float = 0.6
) -> Decision:
    """A decision with corrective actions; `strategy` is its recorded name."""
    return Decision(
        outcome="act",
        thought=thought,
        proposals=tuple(Proposal(action=a, description=d, purpose="correct") for a, d in steps),
        completes_step=completes,
        confidence=sure,
        strategy=strategy,
        source="strategy",
    )


_PRESSING = MAY_PRESS | {"dragTo"}


def find_unknown_repeat(refinement: Decision, situation: Situation) -> ActionRecord | None:
    page = situation.page
    step_records = tuple(
        record for record in situation.records if record.step == situation.plan.current
    )
    for record in step_records:
        is_open = (
            record.status == "unknown"
            and FailedCase(record=record, page=page, attempts=step_records).is_submit
        )
        if is_open and any(
            _is_repeat(proposal.action, record, page) for proposal in refinement.proposals
        ):
            return record
    return None


def _is_repeat(action: Action, record: ActionRecord, page: Observation) -> bool:
    """Whether the action has the same target, or presses the same key or point."""
    if action.name not in _PRESSING:
        return False
    target = page.tree.get(action.target or "")
    if target is not None and record.signature is not None:
        return target.signature[:2] == record.signature[:2]
    return action == record.action


_AGREES = pattern(stems("dialogs.agrees"))
_PRESSED = frozenset({"btn", "link", "el"})


def find_page_question(
    page: Observation, pressed: tuple[str, str, str] | None
) -> tuple[str, Node] | None:
    """The question in front of the page after the control of this signature was pressed, and the control
    that agrees.

    A dialog with a question mark (or "Confirm"), no field, one control that agrees and one that
    refuses, and that the press was not inside of. None if there is no such dialog.
    """
    _, name, own = pressed or ("", "", "")
    for place in dict.fromkeys(enclosing_form(n) for n in page.tree if n.role in _PRESSED):
        kind, _, title = (place or "").rpartition(" > ")[2].partition(":")
        if place is None or kind.strip() != "dialog" or f"{own} > ".startswith(f"{place} > "):
            continue
        question = _dialog_question(
            title.strip(), [n for n in page.tree if enclosing_form(n) == place], name
        )
        if question is not None:
            return question
    return None


def _dialog_question(title: str, inside: list[Node], pressed: str) -> tuple[str, Node] | None:
    controls = [n for n in inside if n.role in _PRESSED and n.enabled and not n.occluded]
    refusing = [n for n in controls if is_dismiss_button(n)]
    agreeing = [n for n in controls if n not in refusing]
    if any(n.role in ENTRIES for n in inside) or len(agreeing) != 1 or not refusing:
        return None
    texts = [title, *(n.name for n in inside if n.role not in _PRESSED)]
    asks = [text for text in texts if "?" in text or "؟" in text]
    name = words(agreeing[0].name)  # it says yes, or repeats the control: "Save" after "Save"
    agrees = _AGREES.match(name) or (name and name == words(pressed))
    if not agrees or not (asks or _AGREES.match(words(title))):
        return None
    text = " ".join(" ".join(dict.fromkeys(asks or [title])).split())
    return text, agreeing[0]


def find_new_page_question(
    page: Observation, old_page: Observation, pressed: Node | None
) -> str | None:
    """The page's new question before it does what was pressed; None if there is none."""
    question = find_page_question(page, pressed.signature if pressed is not None else None)
    if question is None or asks_for_more(question[0]):
        return None
    place = enclosing_form(question[1])
    return None if any(enclosing_form(n) == place for n in old_page.tree) else question[0]


def agree_to_page(situation: Situation, failed: ActionRecord) -> Decision | None:
    """A yes to the page's question if it is about exactly what the person asked for."""
    question = find_page_question(situation.page, failed.signature)
    if question is None or failed.action.name not in MAY_PRESS:
        return None
    text, yes = question
    on = failed.signature[1] if failed.signature else ""
    if decide_dialog(ObservedDialog(kind="confirm", message=text), situation.plan, on=on) is None:
        return None
    if is_risky(yes.name) and not speaks_of("risky", f"{on} {situation.stated_text}"):
        return None
    press = action("click", yes.id)
    if any(
        record.action.text == press.text and record.strategy == AGREE
        for record in situation.records
    ):
        return None
    thought = f"The page asks “{text}”, which is what was asked for"
    return corrective_decision(
        AGREE, thought, (press, f"Agree with '{yes.name}'"), completes=True, sure=0.8
    )
