"""A page that asks who is there: a session that has ended, and nothing to plan around."""

from app.domain.page import Node, Observation
from app.domain.plan import Outcome
from app.engines.reasoner import Situation
from app.engines.risk.controls import container, entries
from app.engines.risk.lexicon import speaks_of

MOST_ENTRIES = 4  # name, password, "remember me", organisation; more is a form of another kind


def asks_to_sign_in(page: Observation) -> bool:
    """Whether it holds an empty password field in a small form that speaks of signing in."""
    return any(_is_sign_in(node, page) for node in page.tree if node.input_type == "password")


def _is_sign_in(field: Node, page: Observation) -> bool:
    place = container(field)
    beside = entries(page, place)
    if field.value or not field.enabled or len(beside) > MOST_ENTRIES:
        return False
    if sum(node.input_type == "password" for node in beside) != 1:
        return False  # two are a new password, and its repetition
    said = [node.name for node in page.tree if node.role == "btn" and container(node) == place]
    return any(speaks_of("sign_in", text) for text in (*said, place or "", page.title))


def is_wanted(situation: Situation) -> bool:
    """Whether signing in is part of what was asked for."""
    steps = situation.plan.steps[situation.plan.current :]
    if any(step.directive is not None and step.directive.verb == "login" for step in steps):
        return True
    step = situation.plan.step
    return speaks_of("sign_in", situation.told) or bool(
        step and speaks_of("sign_in", step.description)
    )


def signed_out(situation: Situation) -> Outcome:
    """The end of a run that came to a sign-in page: only the person can go on from there."""
    step = situation.plan.step
    name = situation.page.title.strip() or situation.page.url
    left = f" with: {step.description}" if step else ""
    message = f"You are signed out: the page asks to sign in ({name}). Sign in, then go on{left}."
    return Outcome(status="failed", message=message, hand_over="Sign in on this page")
