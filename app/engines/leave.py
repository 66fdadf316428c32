"""What a model may not do unasked, whatever a page has told it.

The person's own words give leave: the goal, what they answered since, and a yes to the very action
that was asked about. A plan, a step or a thought is a model's, who may have been taken in by a page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.domain.action import Action
from app.domain.page import Node, Observation
from app.domain.plan import Deed, Proposal, Refinement
from app.engines.disambiguation.pinning import pinned
from app.engines.planning.wording import quoted
from app.engines.reasoner import Situation
from app.engines.records import is_another, is_near_miss, record_of
from app.engines.risk import is_risky
from app.engines.risk.controls import container, dismisses, inside, is_submit
from app.engines.risk.lexicon import asks, does, speaks_of, words
from app.engines.spoken import unquoted
from app.engines.unsaid import pressed_unsaid, unsaid
from app.text import patterns

_ENTERED = frozenset({"inp", "sel", "opt", "range", "file", "txt", "rad", "tab"})
_CHANGES = frozenset({"selectOption", "setChecked", "click"})
_ADMIN = patterns.compile(r"\b(admin\w*|owner|superuser|root|full access|full control)\b")


def with_leave(refinement: Refinement, situation: Situation) -> Refinement:
    """The refinement, with what a person must agree to before it is sent.

    What a model made, or rules made of a model's plan, and what nobody asked for waits for a yes to
    that very action (`leave`).
    """
    if refinement.outcome != "act" or "model" not in (refinement.maker, situation.plan.maker):
        return refinement
    beyond = (unasked(one, now) for one, now in _in_turn(refinement.proposals, situation))
    found = tuple(dict.fromkeys(what for what in beyond if what is not None))
    return refinement.model_copy(update={"leave": found}) if found else refinement


def _in_turn(
    proposals: Sequence[Proposal], situation: Situation
) -> Iterator[tuple[Proposal, Situation]]:
    """Each action of a chain as it is met: what goes before it in the chain counts as done."""
    for one in proposals:
        yield one, situation
        node = situation.page.tree.get(one.action.target or "")
        deed = Deed(action=one.action, signature=node.signature if node is not None else None)
        situation = replace(situation, deeds=(*situation.deeds, deed))


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


def unasked(proposal: Proposal, situation: Situation) -> str | None:
    """What nobody asked for, in words; None where there is leave."""
    action, page = proposal.action, situation.page
    said = unquoted(situation.told)
    if action.name in ("navigate", "openTab"):
        way = patterns.sub(
            r"[\W_]+", " ", str(action.args["url"]).partition("://")[2].partition("/")[2]
        )
        beyond = does(way) - asks(said)
        return f"open {action.args['url']}" if beyond else None
    if unsaid(proposal, situation) or _is_entered_elsewhere(proposal, situation):
        return proposal.description or action.name
    for node in touched(action, page):
        if pressed_unsaid(action, node, situation) or _is_others(action, node, situation):
            return _called(node, situation)
        effect = _effect(action, node)
        if effect is not None and exceeds(effect, said):
            return _called(node, situation)
    return None


def _is_others(action: Action, node: Node, situation: Situation) -> bool:
    """Whether it works on another record than the one that the person named, whatever it does there."""
    if action.name == "dragTo" or node in pinned(situation.plan, situation.page):
        return False
    said, own = situation.told, record_of(node)
    return is_another(node, situation.page, said) or (own is not None and is_near_miss(own, said))


def _is_entered_elsewhere(proposal: Proposal, situation: Situation) -> bool:
    """Whether it fills a field of another record than the one that the person named."""
    node = situation.page.tree.get(proposal.action.target or "")
    fills = proposal.action.name in ("setValue", "uploadFile")
    return fills and node is not None and _is_others(proposal.action, node, situation)


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


def _called(node: Node, situation: Situation) -> str:
    """The control as the person finds it: by its name, its place, and the site."""
    host = patterns.sub(r"^\w+://|[/?#].*$", "", situation.page.url)
    place = next((label for kind, label in reversed(node.groups) if label), "")
    where = f" ({place})" if place else ""
    return f"press {quoted(node.name or _dialog(node))}{where} on {host}"
