"""A model's choices held against what was done already."""

from app.domain.action import Action
from app.domain.page import Node
from app.domain.plan import Deed, Proposal, Refinement
from app.engines.correction.anew import RE_PLAN, was_replanned
from app.engines.reasoner import Situation
from app.engines.recovery.chains import holds


def without_done(made: Refinement, situation: Situation) -> Refinement:
    """The choice without what was entered for this step already and still holds."""
    here = tuple(d for d in situation.deeds if d.step == situation.plan.current)
    left = tuple(one for one in made.proposals if not _is_done(one, here, situation))
    if not left or len(left) == len(made.proposals):
        return made
    return made.model_copy(update={"proposals": left})


def recovered(made: Refinement, situation: Situation) -> Refinement:
    """The correction as one of a model's, with a new plan once a step."""
    here = tuple(d for d in situation.deeds if d.step == situation.plan.current)
    update: dict[str, object] = {"source": "model"}
    if made.plan is not None and was_replanned(here):
        update["plan"] = None
    elif made.plan is not None:
        update["strategy"] = RE_PLAN
    return made.model_copy(update=update)


def _is_done(proposal: Proposal, here: tuple[Deed, ...], situation: Situation) -> bool:
    """Whether a chain entered that already, and the page still holds it."""
    action = proposal.action
    node = situation.page.tree.get(action.target or "")
    if node is None or not holds(action, situation.page):
        return False
    return any(_same(action, node, deed) for deed in here)


def _same(action: Action, node: Node, deed: Deed) -> bool:
    """Whether the deed entered that into this field, also where its id is another now."""
    if deed.status != "success" or deed.action.name != action.name or deed.signature is None:
        return False
    args = [{k: v for k, v in one.args.items() if k != "id"} for one in (action, deed.action)]
    return args[0] == args[1] and deed.signature[:2] == node.signature[:2]
