"""A click that brought up a dialog INSTEAD of what it was made for: a tour, a notice, an offer."""

from app.domain.page import Observation
from app.domain.plan import Chain, Deed
from app.domain.verdict import Verdict
from app.engines.chain import hands_in
from app.engines.grounding.label import label
from app.engines.prediction.check import has_goal
from app.engines.replanning.triggers import dialogs, in_the_way
from app.engines.risk.controls import ENTRIES, dismisses
from app.engines.verification.messages import new_messages
from app.engines.verification.snapshot import split_url, steady

CAME_INSTEAD = "Something else came up instead"  # how the reason begins
_SURE = 0.75
_ANY = frozenset({"add"})  # meanings that alone relate nothing: "New here?" and "New supplier"


def unless_eaten(
    found: Verdict, judged: Chain, deeds: tuple[Deed, ...], before: Observation, page: Observation
) -> Verdict:
    """Not done, where all that came of a click is a dialog that has nothing to do with it.

    It can only be closed, bears none of the words of what was pressed, and what is to be done next is
    not there. Where the same came of it once before in this step, it is what the click does.
    """
    last = judged.actions[-1] if len(judged.actions) == 1 else None
    if not found.succeeded or last is None or last.action.name != "click":
        return found
    if judged.purpose == "explore" or hands_in(last.action, before):
        return found
    if split_url(before.url)[:3] != split_url(page.url)[:3] or in_the_way(before, page) is None:
        return found
    goal = judged.expected.next_goal
    if (judged.completes_step and goal is None) or (goal is not None and has_goal(goal, page)):
        return found
    if any(deed.note.startswith(CAME_INSTEAD) for deed in deeds):
        return found
    node = before.tree.get(last.action.target or "")
    title = _only_closes(before, page)
    if node is None or title is None or new_messages(before, page):
        return found
    said = label(f"{node.name} {last.description} {judged.expected.description}").meaning_set
    slight = _ANY if label(node.name).meaning_set - _ANY else frozenset()
    if label(title).meaning_set & (said - slight):
        return found
    told = {"succeeded": False, "task_completed": False, "confidence": _SURE}
    return found.model_copy(update=told | {"reason": f"{CAME_INSTEAD}: {title or 'a dialog'}"})


def _only_closes(before: Observation, page: Observation) -> str | None:
    """The name of the one dialog that came up, if all there is to do in it is to close it."""
    came = dialogs(page) - dialogs(before)
    if len(came) != 1:
        return None
    (name,) = came
    inside = [
        n
        for n in page.tree
        if any(kind == "dialog" and steady(text) == name for kind, text in n.groups)
    ]
    pressed = [n for n in inside if n.role in ("btn", "link", "el", "img")]
    if any(n.role in ENTRIES for n in inside) or not pressed:
        return None
    return name if all(dismisses(n) for n in pressed) else None
