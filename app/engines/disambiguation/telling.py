"""Whether only a person can tell which of several is meant, or somebody who reads their words may."""

from collections import Counter

from app.domain.plan import Refinement
from app.engines.disambiguation.pinning import chosen_now
from app.engines.provenance.vocabulary import COMMON
from app.engines.reasoner import Situation
from app.engines.risk.lexicon import words


def is_on_chosen(found: Refinement, situation: Situation) -> bool:
    """Whether it acts on the very element that a person chose for this step."""
    chosen = chosen_now(situation)
    first = found.proposals[0] if found.outcome == "act" and found.proposals else None
    return first is not None and chosen is not None and first.action.target == chosen.id


def for_person(found: Refinement, situation: Situation) -> bool:
    """Whether the candidates are the same but for where they stand, and nothing that was said in this
    task or before it tells one from the others: a model could only guess.
    """
    nodes = [n for one in found.candidates if (n := situation.page.tree.get(one.id)) is not None]
    if len(nodes) < 2 or len({node.role for node in nodes}) > 1:
        return False
    told = [frozenset(words(f"{node.name} {node.group}").split()) for node in nodes]
    if len(set(told)) < len(told):
        return True  # nothing on the page tells them apart but their order
    known = situation.background
    step = situation.plan.step.description if situation.plan.step is not None else ""
    said = [situation.told, step, *(one.content for one in known.memory), *known.handed.values()]
    heard = frozenset(words(" ".join(said)).split()) - COMMON
    shared = Counter(word for own in told for word in own)
    return not any(shared[word] < len(told) for word in heard & shared.keys())
