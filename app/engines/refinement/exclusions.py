"""What the person asked to be left alone, or not to be done, is not touched, whatever proposes it."""

from app.domain.directive import Target, Verb
from app.domain.page import Node
from app.domain.plan import Proposal, Refinement
from app.engines.grounding.label import label
from app.engines.grounding.lexicon import STOP_WORDS
from app.engines.planning.wording import quoted, thing
from app.engines.refinement.case import Case, done, missing
from app.engines.risk import controls
from app.engines.risk.controls import touched

_FILLERS = frozenset({"one", "ones", "from", "by", "of", "for", "called", "named"})


def sparing(case: Case, refinement: Refinement) -> Refinement:
    """The refinement without what is to be spared; an exception that nothing here bears is told."""
    target = case.directive.target
    if target is None or not target.excluding or refinement.outcome != "act":
        return refinement
    work = [one for one in refinement.proposals if one.purpose == "work"]
    for phrase in target.excluding if work and not case.work else ():
        if not _bearing(case, phrase):
            return missing(f"I do not see {quoted(phrase)} here, which is to be left alone.")
    left_alone = spared(case) if work else frozenset()
    left = tuple(one for one in refinement.proposals if one.action.target not in left_alone)
    if len(left) == len(refinement.proposals):
        return refinement
    if left or case.work:
        return (
            refinement.model_copy(update={"proposals": left}) if left else done("All others are.")
        )
    told = quoted(target.excluding[0])
    return missing(f"I cannot tell {told} apart from the others, which is to be left alone.")


def spared(case: Case) -> frozenset[str]:
    """The ids of the controls that are to be left alone."""
    excluding = case.directive.target.excluding if case.directive.target is not None else ()
    return frozenset(node.id for phrase in excluding for node in _bearing(case, phrase))


def _bearing(case: Case, phrase: str) -> list[Node]:
    """The controls that say all words of the phrase, by themselves or by what they stand in."""
    said = phrase.removesuffix("'s").removesuffix("\u2019s").split()
    while len(said) > 1 and said[0].lower() in _FILLERS:
        said = said[1:]
    wanted = label(" ".join(said)).meaning_set
    wanted = wanted - STOP_WORDS or wanted
    return [n for n in case.tree if wanted and wanted <= label(f"{n.name} {n.group}").meaning_set]


TOUCHING = frozenset({"click", "setValue", "selectOption", "setChecked", "dragTo", "uploadFile"})


def without_forbidden(case: Case, refinement: Refinement) -> Refinement:
    """The refinement, or why it cannot be when it would touch what was forbidden."""
    instruction = case.situation.plan.instruction
    if instruction is None or refinement.outcome != "act":
        return refinement
    for proposal in refinement.proposals:
        for node in _worked_on(case, proposal):
            named = next((t for t in instruction.forbidden if _is(case, t, node)), None)
            if named is not None:
                return missing(f"You asked not to touch {thing(named)}, and this step needs it.")
            verb = next(
                (v for v in instruction.forbidden_verbs if _does(case, v, node, proposal)), None
            )
            if verb is not None:
                return missing(f"You asked not to {verb}, and this step needs it.")
    return refinement


def _worked_on(case: Case, proposal: Proposal) -> tuple[Node, ...]:
    """What the action touches: what it names, lies under its point, or is handed in by its key."""
    if proposal.action.name not in TOUCHING:
        return touched(proposal.action, case.page)
    node = case.tree.get(proposal.action.target or "")
    return (node,) if node is not None else ()


def _is(case: Case, target: Target, node: Node) -> bool:
    return node.id in case.find(target).chosen


def _does(case: Case, verb: Verb, node: Node, proposal: Proposal) -> bool:
    if proposal.action.name not in ("click", "clickAt", "pressKey"):
        return False
    if verb == "submit" and case.directive.verb == "submit":
        return False  # another way to hand it in, which was asked for by its own word
    if verb == "submit":
        return controls.is_submit(node, case.page)
    return label(verb).meanings == label(node.name).meanings[:1]
