"""What else a step's target could have meant, once the first choice did not work."""

from app.domain.directive import FieldValue
from app.domain.grounding import Candidate
from app.domain.page import Node
from app.domain.plan import Deed
from app.engines.grounding import Grounder
from app.engines.reasoner import Situation
from app.engines.refinement.case import Case, same

LIKE_THE_FIRST = 0.75  # an alternative's share of the best score; below it is another thing


def alternatives_to(deed: Deed, situation: Situation, grounder: Grounder) -> tuple[Candidate, ...]:
    """The other candidates for what the deed acted on, best first."""
    step = situation.plan.step
    if step is None or step.directive is None:
        return ()
    case = Case(situation, step.directive, grounder)
    found = _field_candidates(case, deed) if deed.action.name == "setValue" else ()
    if not found and step.directive.target is not None:
        found = case.find(step.directive.target).candidates
    best = max((candidate.score for candidate in found), default=0.0)
    near = [c for c in found if c.score >= best * LIKE_THE_FIRST]
    return tuple(c for c in near if not _was(deed, situation.page.tree.get(c.id)))


def _field_candidates(case: Case, deed: Deed) -> tuple[Candidate, ...]:
    value = str(deed.action.args["text"])
    for field in case.directive.fields:
        if field.value == value:
            return case.fields([FieldValue(field=field.field, value=value)])[0].candidates
    return ()


def _was(deed: Deed, node: Node | None) -> bool:
    return node is None or same(deed, node)
