"""Every value of a refinement with its source; what has none is not typed."""

from app.domain.background import Provenance
from app.domain.page import Node
from app.domain.plan import Proposal, Refinement
from app.domain.question import Question
from app.engines.asking import asking_for
from app.engines.chain import hands_in
from app.engines.interrupting import classify, missing_info
from app.engines.provenance.derivation import derive, encodes_secret, trace_edit
from app.engines.provenance.sources import GIVEN
from app.engines.provenance.trace import trace, trace_address
from app.engines.reasoner import Situation
from app.engines.refinement.values import hidden

NO_SOURCE = (
    "its value stands in no goal, answer, page, document or search, and is not derived from one"
)
_VALUES = {
    "setValue": "text",
    "selectOption": "label",
    "uploadFile": "name",
    "navigate": "url",
    "openTab": "url",
    "googleSearch": "query",
}


def traced(refinement: Refinement, situation: Situation) -> Refinement:
    """The refinement with each proposal's provenance.

    An action of a model whose value has no source is left out, and said to be in `unsent`; so is one
    that hands in a form after that. The rest stands. Where the model says `MISSING_INFO` itself,
    nothing is done: the refinement becomes `ask`, or `search` where what is missing is a fact of the
    world. What rules propose of their own stands: its values are cut out of the person's own words.
    """
    if refinement.maker == "rules" and situation.plan.maker != "model":
        proposals = (_said(proposal, situation) for proposal in refinement.proposals)
        return refinement.model_copy(update={"proposals": tuple(proposals)})
    if refinement.outcome not in ("act", "ask", "missing"):
        return refinement
    if refinement.outcome != "ask" and (missing := _told_missing(refinement)):
        return _interrupted(refinement, missing, situation)
    kept: list[Proposal] = []
    unsent: list[str] = []
    for proposal in refinement.proposals:
        source, lacking = _checked(proposal, refinement.derived, situation)
        if lacking is not None:
            unsent.append(f"{lacking}: {NO_SOURCE}")
        elif unsent and hands_in(proposal.action, situation.page):
            unsent.append(f"{proposal.description}: a value before it was not entered")
        else:
            kept.append(proposal.model_copy(update={"provenance": source}))
    update: dict[str, object] = {"proposals": tuple(kept)}
    if unsent:
        update |= {"expected": None, "completes_step": False, "unsent": tuple(unsent)}
    return refinement.model_copy(update=update)


def _interrupted(
    refinement: Refinement, missing: tuple[str, ...], situation: Situation
) -> Refinement:
    """The refinement as a question to the person, or as a search when that finds all of it out."""
    private = tuple(name for name in missing if classify(name, situation) == "PRIVATE_DATA")
    without: dict[str, object] = {"proposals": (), "expected": None}
    if not private:
        without["completes_step"] = False
        return refinement.model_copy(update={**without, "outcome": "search", "query": missing[0]})
    question = Question(text=asking_for(private), fields=private)
    return refinement.model_copy(update={**without, "outcome": "ask", "question": question})


def _checked(
    proposal: Proposal, derived: tuple[str, ...], situation: Situation
) -> tuple[Provenance | None, str | None]:
    """The source of what a model's proposal enters, and what is missing where it has none."""
    node = situation.page.tree.get(proposal.action.target or "")
    source, missing = _source(proposal, node, situation)
    if proposal.action.name == "setValue" and not (node is not None and hidden(node)):
        value = str(proposal.action.args["text"])
        if missing is not None:
            edited = trace_edit(value, node, situation) if node is not None else None
            source = edited or derive(value, derived, situation, node)
        if source is None or encodes_secret(value, situation):
            return None, _called(proposal, node)
        missing = None
    if missing is None and (text := _typed_elsewhere(proposal)) is not None:
        source = trace(text, situation)
        missing = None if source is not None else _called(proposal, None)
    return source, missing


def _source(
    proposal: Proposal, node: Node | None, situation: Situation
) -> tuple[Provenance | None, str | None]:
    action = proposal.action
    if action.name not in _VALUES:
        return None, None
    value = str(action.args[_VALUES[action.name]])
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
    """What the model says it lacks, in its thought, its reason, or in place of a value."""
    values = (
        str(one.action.args[_VALUES[one.action.name]])
        for one in refinement.proposals
        if one.action.name in _VALUES
    )
    return missing_info("\n".join((refinement.thought, refinement.reason, *values)))


def _said(proposal: Proposal, situation: Situation) -> Proposal:
    """A rule's proposal with its provenance: the goal, where nothing tells it closer."""
    node = situation.page.tree.get(proposal.action.target or "")
    source, missing = _source(proposal, node, situation)
    told = source if missing is None else Provenance(origin="goal")
    return proposal.model_copy(update={"provenance": told})
