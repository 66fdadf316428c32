"""What a model may not do unasked, whatever a page has told it.

The person's own words give leave: the goal, what they answered since, and a yes to the very action
that was asked about. A plan, a step or a thought is a model's, who may have been taken in by a page.
"""

import re

from app.domain.action import Action
from app.domain.page import Node, Observation
from app.domain.plan import Proposal, Refinement
from app.domain.question import Question
from app.engines.planning.wording import quoted
from app.engines.provenance.vocabulary import COMMON
from app.engines.reasoner import Situation
from app.engines.risk import is_risky
from app.engines.risk.controls import container, dismisses, inside, is_submit
from app.engines.risk.lexicon import asks, does, speaks_of, words

ASKING = "You did not ask for this, and it may be hard to undo. Shall I do it? Answer yes or no."
DECLINED = "The person did not agree to this"
_ENTERED = frozenset({"inp", "sel", "opt", "range", "file", "txt", "rad", "tab"})
_CHANGES = frozenset({"selectOption", "setChecked", "click"})
_ADMIN = re.compile(r"\b(admin\w*|owner|superuser|root|full access|full control)\b")
_OF_RECORD = frozenset({"row", "item"})
_UNDONE_BY_GOING = frozenset({"destroys", "grants", "leaves"})
_YES_WORDS = "yes y yeah yep ok okay sure agreed ja oui si sim claro bien כן בסדר אישור"
_YES = frozenset(_YES_WORDS.split())


def with_leave(refinement: Refinement, situation: Situation) -> tuple[Refinement, str | None]:
    """The refinement as it may be sent, or why it may not be.

    What a model made, or rules made of a model's plan, and what nobody asked for becomes a question
    of that very action. One that was answered with anything but a yes is not put again.
    """
    if refinement.outcome != "act" or "model" not in (refinement.maker, situation.plan.maker):
        return refinement, None
    unasked = [what for one in refinement.proposals if (what := _unasked(one, situation))]
    new = [what for what in dict.fromkeys(unasked) if _answer(what, situation) is None]
    refused = [what for what in unasked if _answer(what, situation) is False]
    if refused:
        return refinement, f"{DECLINED}: {refused[0]}. Do without it, or fail."
    if not new:
        return refinement, None
    question = Question(text=ASKING, fields=tuple(new), kind="approval")
    held = {"proposals": (), "expected": None, "completes_step": False}
    return refinement.model_copy(update={**held, "outcome": "ask", "question": question}), None


def exceeds(effect: str, said: str) -> bool:
    """Whether words of an effect that is hard to undo go beyond what the person's words ask for.

    Another kind of effect does, and all of something where not all was said.
    """
    kinds = does(effect)
    if not kinds:
        return False
    return not kinds <= asks(said) or (
        speaks_of("totality", effect) and not speaks_of("totality", said)
    )


def _unasked(proposal: Proposal, situation: Situation) -> str | None:
    """What the person is asked about, in words; None where there is leave."""
    action, page, said = proposal.action, situation.page, situation.told
    if action.name in ("navigate", "openTab"):
        way = re.sub(r"[\W_]+", " ", str(action.args["url"]).partition("://")[2].partition("/")[2])
        beyond = does(way) & _UNDONE_BY_GOING - asks(said)
        return f"open {action.args['url']}" if beyond else None
    for node in touched(action, page):
        effect = _effect(action, node)
        if effect is None:
            continue
        if exceeds(effect, said) or _is_another(node, page, said):
            return _called(node, situation)
    return None


def touched(action: Action, page: Observation) -> tuple[Node, ...]:
    """The controls that an action works on, also where it names none: by a point, or by a key."""
    named = [page.tree.get(str(action.args.get(key, ""))) for key in ("id", "targetId")]
    if action.name == "clickAt":
        return _under(int(action.args["x"]), int(action.args["y"]), page)
    if action.name == "pressKey" and str(action.args["key"]).casefold() in ("enter", "space", " "):
        return _focused(page, enters=str(action.args["key"]).casefold() == "enter")
    if action.name in ("hover", "scroll", "setValue", "uploadFile"):
        return ()
    return tuple(node for node in named if node is not None)


def _under(x: int, y: int, page: Observation) -> tuple[Node, ...]:
    return tuple(
        node
        for node in page.tree
        if node.box is not None
        and node.box[0] <= x <= node.box[0] + node.box[2]
        and node.box[1] <= y <= node.box[1] + node.box[3]
    )


def _focused(page: Observation, *, enters: bool) -> tuple[Node, ...]:
    """What has the focus; with Enter in a field, also what hands its form in."""
    held = [node for node in page.tree if "focused" in node.states]
    forms = {container(node) for node in held if node.role == "inp"} if enters else set()
    handing = [
        node
        for node in page.tree
        if is_submit(node, page) and any(f is not None and inside(node, f) for f in forms)
    ]
    return (*held, *handing)


def _effect(action: Action, node: Node) -> str | None:
    """The words of what the control does that is hard to undo; None where it does nothing such."""
    if action.name in _CHANGES and (granted := _granted(action, node)) is not None:
        return granted
    if node.role in _ENTERED and action.name != "dragTo":
        return None
    if is_risky(node.name) and does(node.name):
        return node.name
    label = _dialog(node)
    if label and not dismisses(node) and speaks_of("submit", node.name):
        asked = does(label) & {"destroys", "grants"} or ("?" in label and does(label))
        return label if asked else None
    return None


def _granted(action: Action, node: Node) -> str | None:
    """A choice that gives someone more power: a role of an administrator, a permission."""
    chosen = str(action.args.get("label", ""))
    if action.name == "click" and node.role not in ("rad", "opt", "chk"):
        return None
    if "grants" in does(node.name) or "grants" in does(chosen):
        return f"permission {node.name} {chosen}".strip()
    if _ADMIN.search(f"{words(node.name)} {words(chosen)}"):
        return f"permission {node.name} {chosen}".strip()
    return None


def _dialog(node: Node) -> str:
    return next((label for kind, label in reversed(node.groups) if kind == "dialog"), "")


def _is_another(node: Node, page: Observation, said: str) -> bool:
    """Whether the person named one record, and this is the same control of another.

    Where no such record is named ("the oldest one"), which is meant is not for words to tell.
    """
    own = _record(node)
    if own is None:
        return False
    meant = _telling(said)
    others = {
        _record(n) for n in page.tree if n.name == node.name and n.role == node.role and n != node
    }
    best = max((len(_telling(other) & meant) for other in others if other), default=0)
    return best > len(_telling(own) & meant) and not speaks_of("totality", said)


def _record(node: Node) -> str | None:
    return next((label for kind, label in reversed(node.groups) if kind in _OF_RECORD), None)


def _telling(text: str) -> frozenset[str]:
    return frozenset(word for word in words(text).split() if word not in COMMON)


def _called(node: Node, situation: Situation) -> str:
    """The control as the person finds it: by its name, its place, and the site."""
    host = re.sub(r"^\w+://|[/?#].*$", "", situation.page.url)
    place = next((label for kind, label in reversed(node.groups) if label), "")
    where = f" ({place})" if place else ""
    return f"press {quoted(node.name or _dialog(node))}{where} on {host}"


def _answer(what: str, situation: Situation) -> bool | None:
    """Whether the person agreed to it; None where they were not asked."""
    for answer in reversed(situation.background.answers):
        if what in answer.question:
            said = words(answer.text).split()
            return bool(said) and said[0] in _YES and not {"not", "no", "don", "never"} & set(said)
    return None
