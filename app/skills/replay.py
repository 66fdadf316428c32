"""Replays a recorded step: all its controls are found again, or nothing is done."""

from app.domain.action import Action, Arg, action
from app.domain.base import Value
from app.domain.directive import Target
from app.domain.hitl import Question
from app.domain.memory import RecordedAction, RecordedStep
from app.domain.page import ElementRef, Node, Observation, Tree
from app.domain.plan import Decision, Proposal
from app.domain.reasoner import Situation
from app.domain.verdict import ExpectedOutcome, NextGoal
from app.grounding import find_field, ground_target
from app.page import RECORDS, drop_volatile
from app.skills.recipe_plan import (
    ask_for_parameter,
    fill_step,
    matches_path,
    read_parameters,
    unfilled_parameters,
)
from app.skills.recipe_values import is_secret_name, split_group
from app.text.lexicon import words

FOUND_SURE = 0.8  # minimum confidence for a control whose name has changed


class FoundElement(Value):
    """A found element. `healed` says how it was recognized if it changed, else ""."""

    id: str
    healed: str = ""


def find_element(element: ElementRef, page: Observation) -> FoundElement | None:
    """Find the element by role, name and place, or by role and name if unique.

    Otherwise by a new label that certainly means the same. An element of a record is only looked
    for in that record. None if no element, or more than one, matches.
    """
    alike = list_same_controls(element, page)
    if len(alike) == 1:
        moved = _containers(alike[0].group) != _containers(element.group)
        return FoundElement(id=alike[0].id, healed="in another place" if moved else "")
    return _find_renamed(element, page) if element.name and not alike else None


def list_same_controls(element: ElementRef, page: Observation) -> list[Node]:
    """Return elements of that role and name: preferably in the same place, then enabled ones."""
    alike = [n for n in _of_role(element, page) if _plain_name(n.name) == _plain_name(element.name)]
    placed = [node for node in alike if _containers(node.group) == _containers(element.group)]
    able = [node for node in placed if node.enabled]
    return next((few for few in (placed, able) if len(few) == 1), alike)


def _of_role(element: ElementRef, page: Observation) -> list[Node]:
    """Return the elements of its role, in its record if it had one."""
    wanted = [label for kind, label in split_group(element.group) if kind in RECORDS and label]
    return [
        node
        for node in page.tree
        if node.role == element.role and (not wanted or _in_record(node, wanted))
    ]


def _in_record(node: Node, wanted: list[str]) -> bool:
    record = f" {words(' '.join(label for kind, label in node.groups if kind in RECORDS))} "
    return all(f" {words(label)} " in record for label in wanted)


def _plain_name(name: str) -> str:
    return words(drop_volatile(name)) or name.strip()


def _containers(group: str) -> list[tuple[str, str]]:
    """Return the containers; records by kind only, since their labels are not stored."""
    return [
        (kind, "" if kind in RECORDS else words(drop_volatile(label)))
        for kind, label in split_group(group)
    ]


def _find_renamed(element: ElementRef, page: Observation) -> FoundElement | None:
    """Find the only control of the same role whose label certainly means the same."""
    tree = Tree.of([node for node in _of_role(element, page) if node.enabled])
    if element.role in ("inp", "sel"):
        grounding = find_field(element.name, tree)
    else:
        grounding = ground_target(Target(phrase=element.name), tree)
    if (
        grounding.outcome != "found"
        or len(grounding.chosen) != 1
        or grounding.confidence < FOUND_SURE
    ):
        return None
    node = tree.get(grounding.chosen[0])
    assert node is not None
    return FoundElement(id=node.id, healed=f"now called '{node.name or node.hint}'")


WAIT_MS = 1_000  # waited once or twice per step; the page script has waited for quiet before
REPLAY_SURE = 0.95  # every control is unchanged, or was recognized with certainty
OTHER_PAGE = "This is not the page that the recipe was recorded on"


def replay_step(situation: Situation) -> Decision:
    """Return the decision for the plan's current step, which comes from a recipe.

    All remaining controls must be on this page; if one is missing, the page gets a moment, then the
    run stops.
    """
    step = situation.plan.step
    assert step is not None
    assert step.recorded is not None
    if (lacking := _next_parameter(situation)) is not None:
        text, fields = ask_for_parameter(lacking), (lacking.replace("_", " "),)
        question = Question(text=text, fields=fields, return_to="step_refinement/continue")
        return Decision(outcome="ask", thought=text, question=question, completes_step=False)
    recorded = fill_step(
        step.recorded,
        read_parameters(situation.background.answers, unfilled_parameters(step.recorded)),
    )
    here = [record for record in situation.records if record.step == situation.plan.current]
    done = sum(record.status == "success" and record.purpose == "work" for record in here)
    left = recorded.actions[done:]  # a chain may have been cut where continuing was unsafe
    if not left:
        return Decision(outcome="done", thought=recorded.description, confidence=REPLAY_SURE)
    page = situation.page
    found = [find_element(one.element, page) if one.element else None for one in left]
    required = [one for one in left if one.element is not None and not one.can_fail]
    if required and not matches_path(recorded.path, page.url):
        return _wait_or_stop(situation, f"it was at {recorded.path}")
    for one, at in zip(left, found, strict=True):
        if at is None and one in required:
            return _wait_or_stop(situation, f"{_element_label(one)} is not there")
    pairs = [p for p in zip(left, found, strict=True) if p[1] is not None or p[0].element is None]
    if not pairs:
        return Decision(outcome="done", thought=f"Not needed: {recorded.description}")
    healed = [
        f"Healed: {_element_label(one)} is {at.healed}" for one, at in pairs if at and at.healed
    ]
    return Decision(
        outcome="act",
        proposals=tuple(_make_proposal(one, at) for one, at in pairs),
        thought=". ".join([recorded.description, *healed]),
        confidence=REPLAY_SURE,
        expected=_expected_outcome(recorded, situation),
    )


def _next_parameter(situation: Situation) -> str | None:
    """Return the next value to ask for: ordinary ones first, a secret once its field is shown."""
    steps = [one.recorded for one in situation.plan.steps[situation.plan.current :] if one.recorded]
    names = [name for one in steps for name in unfilled_parameters(one)]
    known = read_parameters(situation.background.answers, names)
    wanted = (
        n
        for n in names
        if not known.get(n) and (n in unfilled_parameters(steps[0]) or not is_secret_name(n))
    )
    return next(wanted, None)


def _wait_or_stop(situation: Situation, why: str) -> Decision:
    """Wait, twice while the page is loading; then stop."""
    here = [d for d in situation.records if d.step == situation.plan.current]
    waits = sum(record.action.name == "wait" for record in here)
    if waits >= (2 if situation.page.client.still_loading else 1):
        reason = f"{OTHER_PAGE}: {why}"
        return Decision(outcome="missing", thought=reason, reason=reason, completes_step=False)
    wait = Proposal(
        action=action("wait", WAIT_MS), description="Wait for the page", purpose="explore"
    )
    thought = f"The page is not ready yet: {why}."
    return Decision(
        outcome="act",
        proposals=(wait,),
        thought=thought,
        completes_step=False,
        confidence=REPLAY_SURE,
    )


def _element_label(one: RecordedAction) -> str:
    return f"'{one.element.name or one.element.role}'" if one.element else one.name


def _make_proposal(one: RecordedAction, at: FoundElement | None) -> Proposal:
    args: dict[str, Arg] = dict(one.args)
    if at is not None:
        args["id"] = at.id
    ordered = {name: args[name] for name, _ in Action(name=one.name, args=args).parameters}
    return Proposal(
        action=Action(name=one.name, args=ordered),
        description=one.description or one.name,
        can_fail=one.can_fail,
        dialog=one.dialog,
    )


def _expected_outcome(step: RecordedStep, situation: Situation) -> ExpectedOutcome:
    check = step.check
    goal = None
    if check.appears:
        element = check.appears[0]
        description = f"'{element.name}' is there"
        goal = NextGoal(
            description=description, role=element.role, text=element.name, required=True
        )
    changes = (
        True
        if check.path is not None and not matches_path(check.path, situation.page.url)
        else None
    )
    return ExpectedOutcome(description=check.description, url_should_change=changes, next_goal=goal)
