"""Predicts the page after each kind of action, and checks expectations against observations."""

from collections.abc import Iterable, Mapping
from math import prod
from types import MappingProxyType
from typing import Literal, get_args

from app.domain.action import POINT_ACTIONS, PRESSES, Action, Chain
from app.domain.page import MASK, Node, Observation, Role
from app.domain.plan import PlanStep, Proposal
from app.domain.verdict import ExpectedOutcome, NextGoal, PredictionScore, Verdict
from app.page import is_opener, is_submit
from app.plans.validation import safe_prefix
from app.text.lexicon import words


def check_expectation(
    expected: ExpectedOutcome, after: Observation, before: Observation | None = None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Describe the met and the unmet expectations. The address is checked only with `before`."""
    checks = [
        *_address(expected, after, before),
        *_values(expected, after),
        *_check_texts(expected, after),
    ]
    if expected.next_goal is not None:
        checks.append(
            (meets_goal(expected.next_goal, after), f"next: {expected.next_goal.description}")
        )
    return (
        tuple(text for is_met, text in checks if is_met),
        tuple(text for is_met, text in checks if not is_met),
    )


def meets_goal(goal: NextGoal, page: Observation) -> bool:
    """Whether the page has a control of that role and name; without a role, a heading also counts."""
    goal_words = words(goal.text or "")
    headings = (line[2:] for line in page.summary.splitlines() if line.startswith("# "))
    if goal.role is None and any(_contains_words(goal_words, words(line)) for line in headings):
        return True
    nodes = (node for node in page.tree.nodes if goal.role in (None, node.role))
    return any(
        not goal_words
        or _contains_words(goal_words, f"{words(n.name)} {words(n.hint)} {words(n.value or '')}")
        for n in nodes
    )


def _contains_words(phrase: str, text: str) -> bool:
    return all(f" {word} " in f" {text} " for word in phrase.split())


def _address(
    expected: ExpectedOutcome, after: Observation, before: Observation | None
) -> list[tuple[bool, str]]:
    if before is None or expected.url_should_change is None:
        return []
    text = "the address changes" if expected.url_should_change else "the address stays"
    return [((before.url != after.url) is expected.url_should_change, text)]


def _values(expected: ExpectedOutcome, after: Observation) -> list[tuple[bool, str]]:
    checks = []
    for node_id, value in expected.values.items():
        node = after.tree.get(node_id)
        label = (node.name or node.role) if node is not None else f"element {node_id}"
        is_held = node is not None and _holds_value(node, value)
        checks.append((is_held, f"{label} holds {'something' if value == MASK else repr(value)}"))
    return checks


def _holds_value(node: Node, value: str) -> bool:
    current = node.value or ""
    if value == MASK or current == MASK:
        return bool(current) == bool(value)
    return " ".join(current.casefold().split()) == " ".join(value.casefold().split())


def _check_texts(expected: ExpectedOutcome, after: Observation) -> list[tuple[bool, str]]:
    if not expected.elements and not expected.gone:
        return []
    page_text = _page_text(after)
    appeared = [(f" {words(t)} " in page_text, f"'{t}' is there") for t in expected.elements]
    return appeared + [(f" {words(t)} " not in page_text, f"'{t}' is gone") for t in expected.gone]


def page_shows(page: Observation, text: str) -> bool:
    return f" {words(text)} " in _page_text(page)


def has_unmet_text(expected: ExpectedOutcome, after: Observation) -> bool:
    """Whether an expected appearance or disappearance of a text did not happen."""
    return any(not is_met for is_met, _ in _check_texts(expected, after))


def _page_text(page: Observation) -> str:
    texts = (*(n.name for n in page.tree.nodes), page.title, page.summary, *page.successes)
    return f" {' '.join(words(text) for text in (*texts, *page.errors))} "


def score_prediction(
    chain: Chain, before: Observation, after: Observation, verdict: Verdict
) -> PredictionScore | None:
    """Score the chain's prediction; None if nothing of it can be checked.

    Address, values, texts and a required next goal are checked. The verdict decides whether a menu
    opened or a form was accepted. An optional next goal may still be hidden and is not checked.
    """
    expected = chain.expected
    if not chain.actions or expected.confidence <= 0:
        return None
    goal = expected.next_goal
    if goal is not None and not goal.required:
        expected = expected.model_copy(update={"next_goal": None})
    met, unmet = check_expectation(expected, after, before)
    last = chain.actions[-1]
    kind = action_kind(last.action, before)
    if verdict.succeeded is False:
        unmet = (*unmet, f"its effect: {kind}")
    if verdict.succeeded is None and not met and not unmet:
        return None
    return PredictionScore(
        action_id=last.action_id,
        kind=kind,
        predicted=expected.confidence,
        met=not unmet,
        unmet=unmet,
    )


MOST_TEXTS = 5  # texts that should appear or disappear; more are a description
LONGEST_TEXT = 80  # characters; a longer text is the model's own sentence
DISCOUNT = 0.8  # factor for a model's stated confidence, which is about its choice, not the result
_OPEN = PRESSES | POINT_ACTIONS | {"rightClick", "pressKey", "dragTo", "hover"}
_ROLES = frozenset(get_args(Role))


def merge_expectations(
    template: ExpectedOutcome, stated: ExpectedOutcome, last: Action, page: Observation
) -> ExpectedOutcome:
    """Add the model's expectation to the template's.

    The next goal is taken for any action. Texts and an address change are taken only if no template
    covers the last action: an entered value, a ticked box or an opened list is read back from the
    page. `values` are never taken from the model.
    """
    if stated.next_goal is not None and not (template.next_goal and template.next_goal.required):
        template = template.model_copy(update={"next_goal": _goal(stated.next_goal)})
    node = page.tree.get(last.target or "")
    if last.name not in _OPEN or (node and (node.role in TOGGLES or is_opener(node))):
        return template
    appearing = _texts(stated.elements, page, present=False)
    vanishing = _texts(stated.gone, page, present=True)
    address = template.url_should_change
    address = stated.url_should_change if address is None else address
    confidence = template.confidence
    if stated.confidence and (appearing or vanishing or address is not template.url_should_change):
        confidence = round(min(confidence, stated.confidence * DISCOUNT), 3)  # the lower of the two
    return template.model_copy(
        update={
            "description": stated.description.strip() or template.description,
            "url_should_change": address,
            "elements": appearing,
            "gone": vanishing,
            "confidence": confidence,
        }
    )


def _texts(texts: tuple[str, ...], page: Observation, *, present: bool) -> tuple[str, ...]:
    candidates = dict.fromkeys(
        text.strip() for text in texts if 0 < len(text.strip()) <= LONGEST_TEXT
    )
    return tuple(text for text in candidates if page_shows(page, text) is present)[:MOST_TEXTS]


def _goal(goal: NextGoal) -> NextGoal:
    """Reduce the goal to what a page can show; a goal without text is never required.

    With a text the role is dropped, since models often call a link a button.
    """
    role = goal.role if goal.role in _ROLES and not goal.text else None
    reduced = goal.model_copy(update={"role": role})
    return reduced if goal.text or role else reduced.model_copy(update={"required": False})


def predict(
    proposals: Iterable[Proposal], page: Observation, *, next_step: PlanStep | None = None
) -> ExpectedOutcome:
    items = safe_prefix(tuple(proposals), page)
    parts = [_of(item.action, page) for item in items]
    values = {key: value for part in parts for key, value in part.values.items()}
    turns = [part.url_should_change for part in parts]
    unknown = None in turns or not turns
    return ExpectedOutcome(
        description="; ".join(part.description for part in parts if part.description),
        url_should_change=True if True in turns else None if unknown else False,
        elements=tuple(text for part in parts for text in part.elements),
        gone=tuple(text for part in parts for text in part.gone),
        values={} if _hands_in(items, page) else values,
        next_goal=_next_goal(next_step, items),
        confidence=likelihood(items, page),
    )


def _hands_in(items: tuple[Proposal, ...], page: Observation) -> bool:
    """Whether a submit may have cleared the values."""
    if not items:
        return False
    last = items[-1].action
    node = page.tree.get(last.target or "")
    return last.name == "pressKey" or (node is not None and is_submit(node, page))


def _of(action: Action, page: Observation) -> ExpectedOutcome:
    node = page.tree.get(action.target) if action.target else None
    name = (node.name or node.hint or node.role) if node is not None else ""
    if action.name in ("navigate", "openTab"):
        description = f"the page is {action.args['url']}"
        return ExpectedOutcome(description=description, url_should_change=True)
    if action.name == "goBack":
        return ExpectedOutcome(description="the page before is shown", url_should_change=True)
    if action.name in ("setValue", "selectOption") and node is not None:
        text = str(action.args.get("text", action.args.get("label")))
        if node.input_type == "password":
            return _expect(f"{name} holds something", {node.id: MASK if text else ""})
        return _expect(f"{name} holds '{text}'", {node.id: text})
    if action.name == "setChecked":
        return _expect(f"{name} is {'checked' if action.args['checked'] else 'not checked'}")
    if action.name in PRESSES | {"clickAt"} and node is not None:
        effect = click_effect(node, page)
        description = f"{name}: {_SAYS[effect]}"
        return (
            _expect(description) if effect in _STAYS else ExpectedOutcome(description=description)
        )
    if action.name in ("wait", "scroll", "hover", "selectText"):
        return _expect("")
    return ExpectedOutcome()


def _expect(description: str, values: dict[str, str] | None = None) -> ExpectedOutcome:
    return ExpectedOutcome(description=description, url_should_change=False, values=values or {})


def _next_goal(step: PlanStep | None, items: tuple[Proposal, ...]) -> NextGoal | None:
    """Return the target of the next step.

    It is required if the action is meant to uncover it (purpose `explore`); otherwise it may still
    be hidden, and its absence is only reported.
    """
    target = step.directive.target if step is not None and step.directive is not None else None
    if step is None or target is None or not target.phrase:
        return None
    uncovers = bool(items) and items[-1].purpose == "explore"
    return NextGoal(
        description=step.description, role=target.role, text=target.phrase, required=uncovers
    )


Effect = Literal["toggle", "submit", "open", "close", "tab", "link", "focus", "click"]

TOGGLES = frozenset({"chk", "rad", "opt"})
_STAYS = frozenset({"toggle", "open", "close", "focus"})
_SAYS: Mapping[Effect, str] = MappingProxyType(
    {
        "toggle": "it is on, or off where it was on",
        "submit": "a success message, or the form is gone or empty",
        "open": "a menu, list or section opens",
        "close": "it closes",
        "tab": "it is selected",
        "link": "another page, or part of it, is shown",
        "focus": "it has the focus",
        "click": "an effect that can be seen",
    }
)

LIKELY: Mapping[str, float] = MappingProxyType(
    {
        "setValue": 0.97, "selectOption": 0.96, "setChecked": 0.97, "uploadFile": 0.9,
        "toggle": 0.95, "focus": 0.95, "open": 0.93, "close": 0.92, "tab": 0.92, "link": 0.93,
        "submit": 0.85, "click": 0.85, "clickAt": 0.7, "pressKey": 0.8, "hover": 0.85,
        "doubleClick": 0.85, "rightClick": 0.85, "press": 0.8, "selectText": 0.95,
        "dragTo": 0.75, "drag": 0.7, "draw": 0.7, "scroll": 0.95, "wait": 0.97,
        "navigate": 0.95, "goBack": 0.9,
        "openTab": 0.95, "switchTab": 0.95, "closeTab": 0.95,
    }
)  # fmt: skip
"""The probability that an action's template holds, by kind.

Set by hand: tier 1's confidence for the same kind (value read back 0.98, menu opened 0.93, form
accepted 0.85 to 0.95) less a margin for pages that refuse or are slow. `GET /api/metrics/kpis`
compares them with the observed rates.
"""
OTHERWISE = 0.8  # for actions not in the table


def action_kind(action: Action, page: Observation) -> str:
    node = page.tree.get(action.target) if action.target else None
    if action.name == "click" and node is not None:
        return click_effect(node, page)
    return action.name


def click_effect(node: Node, page: Observation) -> Effect:
    if node.role in TOGGLES:
        return "toggle"
    if is_submit(node, page):
        return "submit"
    if is_opener(node):
        return "close" if "expanded" in node.states else "open"
    if node.role == "tab":
        return "tab"
    if node.role == "link":
        return "link"
    return "focus" if node.role == "inp" else "click"


def likelihood(items: Iterable[Proposal], page: Observation) -> float:
    """Return the probability of all items, assumed independent; 0 for no items."""
    each = [LIKELY.get(action_kind(item.action, page), OTHERWISE) for item in items]
    return round(prod(each), 3) if each else 0.0
