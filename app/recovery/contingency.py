"""Contingencies of a plan: whether one is on the page, and the steps against it.

A trigger is in words ("a cookie banner appears"). All its distinctive words must be in one thing in
front of the page: a dialog, a message, a heading, a button that agrees or dismisses. Anything
unclear is left to the correction.
"""

from collections.abc import Iterable

from app.domain.action import ActionRecord
from app.domain.page import Node, Observation
from app.domain.plan import Contingency, Plan, PlanStep
from app.domain.reasoner import Situation
from app.grounding import STOP_WORDS
from app.grounding.label import label
from app.page import is_dismiss_button, is_message
from app.text.vocabulary import vocabulary

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
    for one in situation.plan.contingencies:
        if not one.used and _is_met(one.trigger, situation, failed=failed):
            return one
    return None


def _is_met(trigger: str, situation: Situation, *, failed: bool) -> bool:
    page = situation.page
    words = {word.strip(".,;:!?'\"()") for word in trigger.lower().split()}
    wanted = label(" ".join(sorted(words - _COMING))).stems - STOP_WORDS
    dialogs = _dialogs(page, situation.deeds)
    if not wanted:  # "a dialog appears": any that came up, once it is known to disturb
        return failed and bool(dialogs or (page.errors and words & _ERRORS))
    if any(_says(text, wanted) for text in dialogs):
        return True
    if any(_says(text, wanted) for text in _named(page)):
        return failed or any(node.occluded for node in page.tree)
    lines = [line for line in page.summary.splitlines() if len(line) <= LONGEST_LINE]
    return failed and len(wanted) > 1 and any(_says(line, wanted) for line in lines)


def _says(text: str, wanted: frozenset[str]) -> bool:
    said = label(text)
    same = said.stems | said.meaning_set
    return all(
        word in same
        or label(word).meaning_set <= same
        or (len(word) >= _PREFIX and any(one.startswith(word) for one in said.stems))
        for word in wanted
    )


def _dialogs(page: Observation, deeds: tuple[ActionRecord, ...]) -> list[str]:
    """The words of each dialog in which nothing was done."""
    texts: dict[str, list[str]] = {}
    for node in page.tree:
        if (name := _dialog_of(node)) is not None:
            texts.setdefault(name, [name]).append(f"{node.name} {node.hint}")
    worked = {d.signature[2] for d in deeds if d.signature and d.status == "success"}
    return [
        " ".join(words)
        for name, words in texts.items()
        if not any(f"dialog: {name}" in group for group in worked)
    ]


def _dialog_of(node: Node) -> str | None:
    """The name of the control's innermost dialog, "" if unnamed; None outside dialogs."""
    named = [text for kind, text in node.groups if kind == "dialog"]
    if named:
        return named[-1]
    return "" if "modal" in node.states else None


def _named(page: Observation) -> Iterable[str]:
    """Messages, headings, and buttons that agree or dismiss."""
    yield from (*page.errors, *page.successes, page.title)
    yield from (line for line in page.summary.splitlines() if line.startswith("#"))
    yield from (node.name for node in page.tree if is_message(node) or _settles(node))


def _settles(node: Node) -> bool:
    """Whether the button agrees or refuses."""
    answers = label(node.name).meaning_set & {"accept", "reject", "ok"}
    return node.role == "btn" and (bool(answers) or is_dismiss_button(node))


def insert_contingency(
    situation: Situation, one: Contingency
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
        for index, words in enumerate(one.steps)
    )
    rest = [
        step.model_copy(update={"status": "pending"}) if step.status == "current" else step
        for step in plan.steps[at:]
    ]
    used = [
        other.model_copy(update={"used": True}) if other == one else other
        for other in plan.contingencies
    ]
    steps = (*plan.steps[:at], *aside, *rest)
    deeds = tuple(
        deed.model_copy(update={"step": deed.step + len(aside)}) if deed.step >= at else deed
        for deed in situation.deeds
    )
    return plan.model_copy(update={"steps": steps, "contingencies": tuple(used)}), deeds


def is_aside(step: PlanStep) -> bool:
    """Whether the step only removes an obstacle, so that the goal does not depend on it."""
    return step.id.startswith(ASIDE)
