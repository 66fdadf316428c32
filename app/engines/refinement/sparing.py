"""What is to be left alone is found on the page, and is left alone: "all boxes except Jobs"."""

from app.domain.page import Node
from app.domain.plan import Refinement
from app.engines.grounding.label import label
from app.engines.grounding.lexicon import STOP_WORDS
from app.engines.planning.wording import quoted
from app.engines.refinement.case import Case, done, missing

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
