"""Every value of a refinement with its source; what has none is not typed."""

from typing import NamedTuple

from app.domain.background import Provenance
from app.domain.page import Node
from app.domain.plan import Proposal, Refinement
from app.domain.question import Question
from app.engines.asking import asking_for
from app.engines.gates.held import held
from app.engines.interrupting import classify, missing_info
from app.engines.provenance.sources import GIVEN
from app.engines.provenance.trace import trace, trace_address
from app.engines.reasoner import Situation
from app.engines.risk.lexicon import words

_VALUES = {
    "setValue": "text",
    "selectOption": "label",
    "uploadFile": "name",
    "navigate": "url",
    "openTab": "url",
    "googleSearch": "query",
}


class _Traced(NamedTuple):
    proposal: Proposal
    missing: str | None  # what it is called, where its value has no source


def traced(refinement: Refinement, situation: Situation) -> Refinement:
    """The refinement with each proposal's provenance.

    Where a model made it and a value has no source, or it says `MISSING_INFO` itself, nothing of it
    is done: it becomes `ask`, with a question that names each missing field, or `search` where what
    is missing is a fact of the world. Also what could be typed before is held back, since a person
    who is asked should find the form as it was: the answer may change what goes into it, and a half
    filled form may be saved or timed out meanwhile. With the answer all of it is done in one chain.

    A field that was asked for already is left as it is while there is something else to do. What
    rules propose is never held back: their values are cut out of the person's own words.
    """
    if refinement.maker == "rules":
        proposals = (_said(proposal, situation) for proposal in refinement.proposals)
        return refinement.model_copy(update={"proposals": tuple(proposals)})
    if refinement.outcome not in ("act", "ask", "missing"):
        return refinement
    checked = [_checked(proposal, situation) for proposal in refinement.proposals]
    told = () if refinement.outcome == "ask" else _told_missing(refinement)
    missing = [*(one.missing for one in checked if one.missing), *told]
    new = [name for name in dict.fromkeys(missing) if not _was_asked(name, situation)]
    kept = tuple(one.proposal for one in checked if one.missing is None)
    if not missing or (not new and kept):
        return refinement.model_copy(update={"proposals": kept})
    waiting = held(refinement, [one.missing for one in checked], situation.page)
    waits = refinement.model_copy(update={"held": waiting})
    return _interrupted(waits, tuple(new or dict.fromkeys(missing)), situation)


def _interrupted(
    refinement: Refinement, missing: tuple[str, ...], situation: Situation
) -> Refinement:
    """The refinement as a question to the person, or as a search when that finds all of it out."""
    private = tuple(name for name in missing if classify(name, situation) == "PRIVATE_DATA")
    without: dict[str, object] = {"proposals": (), "expected": None}
    if not private:
        without |= {"completes_step": False, "held": ()}
        return refinement.model_copy(update={**without, "outcome": "search", "query": missing[0]})
    question = Question(text=asking_for(private), fields=private)
    return refinement.model_copy(update={**without, "outcome": "ask", "question": question})


def _checked(proposal: Proposal, situation: Situation) -> _Traced:
    """A model's proposal with its provenance, and what is missing where it has none."""
    node = situation.page.tree.get(proposal.action.target or "")
    source, missing = _source(proposal, node, situation)
    if missing is None and (text := _typed_elsewhere(proposal)) is not None:
        source = trace(text, situation)
        missing = None if source is not None else _called(proposal, None)
    return _Traced(proposal.model_copy(update={"provenance": source}), missing)


def _source(
    proposal: Proposal, node: Node | None, situation: Situation
) -> tuple[Provenance | None, str | None]:
    action = proposal.action
    if action.name not in _VALUES:
        return None, None
    value = str(action.args[_VALUES[action.name]])
    if named := missing_info(value):
        return None, named[0]
    if action.name in ("navigate", "openTab"):
        source = trace_address(value, situation)
    else:
        source = trace(value, situation, node=node)
    if action.name == "uploadFile" and source is not None and source.origin not in GIVEN:
        source = None  # no page says which of a person's files it is to get
    if source is None and action.name == "googleSearch":
        return None, None  # nothing of it is entered anywhere
    if source is None and action.name == "selectOption":
        source = _offered(value, node, situation)
    return source, None if source is not None else _called(proposal, node)


def _offered(label: str, node: Node | None, situation: Situation) -> Provenance | None:
    """The list that offers the label: choosing from it invents nothing, though the choice may be
    wrong. An open list's options are controls of their own.
    """
    options = node.options if node is not None else ()
    is_open = any(n.role == "opt" and n.name == label for n in situation.page.tree)
    if label not in options and not is_open:
        return None
    return Provenance(origin="page", excerpt=label, ref=node.name if node is not None else None)


def _typed_elsewhere(proposal: Proposal) -> str | None:
    """What is typed besides into a field: a prompt's answer, a single character's key."""
    if proposal.dialog is not None and proposal.dialog.text:
        return proposal.dialog.text
    key = str(proposal.action.args.get("key", "")) if proposal.action.name == "pressKey" else ""
    return key if len(key) == 1 and key.isalnum() else None


def _called(proposal: Proposal, node: Node | None) -> str:
    """The missing thing as the person knows it: by the label of its control."""
    if node is not None and (node.name or node.hint):
        return node.name or node.hint
    if proposal.action.name in ("navigate", "openTab"):
        return "address of the page to open"
    return proposal.description or proposal.action.name


def _told_missing(refinement: Refinement) -> tuple[str, ...]:
    return missing_info(f"{refinement.thought}\n{refinement.reason}")


def _was_asked(name: str, situation: Situation) -> bool:
    """Whether a question before named that field: the person has answered what they wanted to."""
    return any(f" {words(name)} " in f" {words(a.question)} " for a in situation.background.answers)


def _said(proposal: Proposal, situation: Situation) -> Proposal:
    """A rule's proposal with its provenance: the goal, where nothing tells it closer."""
    node = situation.page.tree.get(proposal.action.target or "")
    source, missing = _source(proposal, node, situation)
    if missing is not None:  # a step that a model wrote is nobody's word
        source = None if situation.plan.maker == "model" else Provenance(origin="goal")
    return proposal.model_copy(update={"provenance": source})
