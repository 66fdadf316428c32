"""Attaches a source to every value of a decision; values without one are not typed."""

from collections.abc import Sequence
from itertools import groupby
from typing import Literal

from app.domain.action import Action, Provenance
from app.domain.hitl import Question
from app.domain.page import Node, Observation
from app.domain.plan import Decision, Proposal
from app.domain.reasoner import Situation
from app.grounding import is_secret_field
from app.page import ENTRIES
from app.plans import fields_question_text, may_submit
from app.provenance.derivation import derive_source, encodes_secret, trace_edit
from app.provenance.sources import GIVEN_ORIGINS
from app.provenance.trace import trace_address, trace_value
from app.text import patterns
from app.text.lexicon import pattern, words
from app.text.vocabulary import stems

Missing = Literal["EXTERNAL_KNOWLEDGE", "PRIVATE_DATA"]

MOST = 10  # missing items parsed from one text
LONGEST = 80  # characters of a name; a longer text is an explanation
_MARK = patterns.compile(r"MISSING[_ ]INFO\s*[:=]\s*", patterns.IGNORECASE)
_END = patterns.compile(r"[\n\r;\]]|[.](?:\s|$)")
_LIST = patterns.compile(r"\s*,\s*|\s+and\s+", patterns.IGNORECASE)
_TRIMMED = " \t[](){}<>\"'`*."
_SAME_NEED = 0.6  # share of common words from which a search was for the same need
_SMALL = frozenset(
    {"a", "an", "and", "at", "by", "de", "der", "die", "for", "in", "la", "of", "on", "the", "to"}
)

# Public facts, which do not depend on the person.
_PUBLIC = pattern(stems("facts.public"))
_PRIVATE = pattern(stems("facts.private"))


def classify_missing(what: str, situation: Situation) -> Missing:
    """Classify missing information; in doubt it is the person's, since a search reveals the query."""
    text = words(what)
    if _PUBLIC.search(text) is None or _PRIVATE.search(text) is not None:
        return "PRIVATE_DATA"
    needed_words = frozenset(text.split()) - _SMALL
    was_searched = bool(needed_words) and any(
        len(needed_words & frozenset(words(f"{search.need} {search.query}").split()))
        >= _SAME_NEED * len(needed_words)
        for search in situation.background.searches
    )
    return "PRIVATE_DATA" if was_searched else "EXTERNAL_KNOWLEDGE"


def parse_missing_info(text: str) -> tuple[str, ...]:
    """Parse what a model reports as missing: `MISSING_INFO: middle name` gives ("middle name",)."""
    names: dict[str, None] = {}
    for part in _MARK.split(text)[1:]:
        listing = _END.split(part, maxsplit=1)[0]
        for name in _LIST.split(listing):
            clean = " ".join(name.strip(_TRIMMED).split())[:LONGEST]
            if clean:
                names[clean] = None
    return tuple(names)[:MOST]


NO_SOURCE = "its value is in no goal, answer, page, document or search, and is not derived from one"
_VALUES = {"selectOption": "label", "uploadFile": "name", "navigate": "url", "openTab": "url",
           "googleSearch": "query"}  # fmt: skip


def enforce_sources(refinement: Decision, situation: Situation) -> Decision:
    """Add each proposal's provenance to the decision.

    A model's action whose value has no source is moved to `unsent`, as is a submit after it; the
    rest stays. If the model itself reports `MISSING_INFO`, no action is sent: the decision becomes
    `ask`, or `search` for public facts. Proposals of the rules stay, since their values come from
    the person's words.
    """
    if refinement.maker == "rules" and situation.plan.maker != "model":
        proposals = (_add_provenance(proposal, situation) for proposal in refinement.proposals)
        return refinement.model_copy(update={"proposals": tuple(proposals)})
    if refinement.outcome not in ("act", "ask", "missing"):
        return refinement
    texts = [refinement.thought, refinement.reason]
    texts += [_entered_text(one.action) or "" for one in refinement.proposals]
    if refinement.outcome != "ask" and (missing := parse_missing_info("\n".join(texts))):
        return _request_missing(refinement, missing, situation)
    sent: list[Proposal] = []
    unsent: list[str] = []
    values = _entered_values(refinement.proposals, situation.page)
    for proposal, value in zip(refinement.proposals, values, strict=True):
        source, lacking = _find_source(proposal, value, refinement.derived, situation)
        if lacking:
            unsent.append(f"{lacking}: {NO_SOURCE}")
        elif unsent and may_submit(proposal.action, situation.page):
            unsent.append(f"{proposal.description}: a value before it was not entered")
        else:
            sent.append(proposal.model_copy(update={"provenance": source}))
    update: dict[str, object] = {"proposals": tuple(sent)}
    if unsent:
        update |= {"expected": None, "completes_step": False, "unsent": tuple(unsent)}
    return refinement.model_copy(update=update)


def _request_missing(
    refinement: Decision, missing: tuple[str, ...], situation: Situation
) -> Decision:
    """Turn the decision into a question, or into a search if that can answer everything."""
    private = tuple(name for name in missing if classify_missing(name, situation) == "PRIVATE_DATA")
    update: dict[str, object] = {"proposals": (), "expected": None}
    if private:
        update["question"] = Question(text=fields_question_text(private), fields=private)
        return refinement.model_copy(update={**update, "outcome": "ask"})
    update |= {"completes_step": False, "outcome": "search", "query": missing[0]}
    return refinement.model_copy(update=update)


def _entered_values(proposals: Sequence[Proposal], page: Observation) -> list[str | None]:
    """Return the value each proposal enters; consecutive keys in a field form one value."""
    values: list[str | None] = []
    focus = next((node for node in page.tree if "focused" in node.states), None)
    for signs, run in groupby(proposals, key=lambda one: len(_entered_text(one.action) or "") == 1):
        members = list(run)
        if not signs:
            values += [_entered_text(one.action) for one in members]
            focus = next((page.tree.get(o.action.target or "") for o in reversed(members)), focus)
            continue
        takes_text = focus is not None and focus.role in ENTRIES
        into = [one for one in members if one.action.name != "pressKey" or takes_text]
        whole = "".join(_entered_text(one.action) or "" for one in into)
        values += [whole if one in into else None for one in members]
    return values


def _find_source(
    proposal: Proposal, value: str | None, derived: tuple[str, ...], situation: Situation
) -> tuple[Provenance | None, str]:
    node = situation.page.tree.get(proposal.action.target or "")
    source, lacks = None, False
    if value is not None:
        source = _trace_action_value(value, proposal.action, node, derived, situation)
        lacks = source is None and proposal.action.name != "googleSearch"  # enters nothing
    if not lacks and proposal.dialog is not None and proposal.dialog.text:
        source = trace_value(proposal.dialog.text, situation)
        lacks = source is None
    return source, _missing_name(proposal, node) if lacks else ""


def _trace_action_value(
    value: str, action: Action, node: Node | None, derived: tuple[str, ...], situation: Situation
) -> Provenance | None:
    name, made = action.name, action.entered is not None
    if name in ("navigate", "openTab"):
        return trace_address(value, situation)
    source = trace_value(value, situation, node=node)
    if (
        name == "uploadFile"
        and not made
        and source is not None
        and source.origin not in GIVEN_ORIGINS
    ):
        return None  # a page must not choose which of a person's files it gets
    if name == "selectOption":
        chosen = source or _trace_option(value, node, situation)
        return chosen or derive_source(value, derived, situation, node)
    if not (made or name == "pressKey") or (node is not None and is_secret_field(node)):
        return source
    if source is None and node is not None:
        source = trace_edit(value, node, situation)
    source = source or derive_source(value, derived, situation, node)
    return None if encodes_secret(value, situation) else source


def _entered_text(action: Action) -> str | None:
    """Return what the action enters: a text, label, address, key character or file content."""
    if action.entered is not None:
        return action.entered
    if action.name == "pressKey":
        key = str(action.args.get("key", ""))
        return key if len(key) == 1 and key.isalnum() else None
    return str(action.args[_VALUES[action.name]]) if action.name in _VALUES else None


def _trace_option(label: str, node: Node | None, situation: Situation) -> Provenance | None:
    """Return the list that offers the label: a choice may be wrong, but is not invented."""
    options = {one.name for one in situation.page.tree if one.role == "opt"}
    options |= set(node.options) if node is not None else set()
    name = node.name if node is not None else None
    return Provenance(origin="page", excerpt=label, ref=name) if label in options else None


def _missing_name(proposal: Proposal, node: Node | None) -> str:
    """Name the missing information by its control's label."""
    if node is not None and (node.name or node.hint):
        return node.name or node.hint
    if proposal.action.name in ("navigate", "openTab"):
        return "address of the page to open"
    return proposal.description or proposal.action.name


def _add_provenance(proposal: Proposal, situation: Situation) -> Proposal:
    """Add provenance to a rule's proposal, by default the goal."""
    source, missing = _find_source(proposal, _entered_text(proposal.action), (), situation)
    provenance = Provenance(origin="goal") if missing else source
    return proposal.model_copy(update={"provenance": provenance})
