"""Finds the control that a target means if its label alone does not settle it."""

from collections.abc import Callable

from app.authorization import is_grave
from app.domain.action import Action, action
from app.domain.directive import Candidate, Grounding, Target, describe_target
from app.domain.page import Node, Observation
from app.domain.plan import Decision, Proposal
from app.grounding import (
    RECORD_NOUNS,
    STOP_WORDS,
    describe_control,
    describe_missing,
    describe_unknown,
    label,
    name_variants,
    record_group,
    stem,
)
from app.page import is_closed
from app.reasoners.commands.actions import decisions
from app.reasoners.commands.actions.case import StepCase, is_same_control
from app.text.lexicon import pattern, speaks_of, words
from app.text.vocabulary import stems
from app.verification import is_proper_name

WAITS_MS = (1_000, 3_000)  # per step; what is missing after that will not appear
LOADING_TEXT = 500  # characters of the summary in which a loading notice counts
_LOADING = pattern(stems("messages.busy"))


def wait_until_ready(case: StepCase, decision: Decision) -> Decision | None:
    """Wait if the control is disabled, or if the outcome rests on absence while the page loads."""
    first = decision.proposals[0] if decision.proposals else None
    node = case.tree.get(first.action.target or "") if first else None
    is_for_all = case.directive.target is not None and case.directive.target.all
    explores = any(proposal.purpose == "explore" for proposal in decision.proposals)
    why, allowed_waits = "The page is still loading.", 0
    if first and node and "disabled" in node.states and first.action.name != "scroll":
        why, allowed_waits = f"'{node.name}' is disabled as yet.", len(WAITS_MS)
    elif (
        explores
        or decision.outcome in {"missing", "ambiguous"}
        or (is_for_all and decision.outcome == "done")
    ):
        empty = all(node.role == "txt" for node in case.tree)
        is_busy = _LOADING.search(words(case.page.summary[:LOADING_TEXT])) is not None
        allowed_waits = len(WAITS_MS) if case.page.client.still_loading else int(empty or is_busy)
    waits = sum(record.action.name == "wait" for record in case.records)
    if waits >= allowed_waits:
        return None
    return _explore_decision(action("wait", WAITS_MS[waits]), "Wait for the page", why)


def decide_absent(
    case: StepCase, target: Target | None, grounding: Grounding | None = None
) -> Decision:
    """Look where it may be hidden, or report it as missing, with similar names."""
    if (decision := reveal_hidden(case, target)) is not None:
        return decision
    what = describe_target(target, case.directive.value or case.directive.source or "that")
    similar = grounding.candidates[:3] if grounding else ()
    return decisions.missing(
        describe_unknown(target, case.page) or describe_missing(what, case.page), similar
    )


MOST_ATTEMPTS = 2  # attempts per step: a menu, and an item of it
_ENTERS = frozenset({"txt", "inp", "chk", "rad", "sel", "file", "range", "opt"})


def reveal_hidden(case: StepCase, target: Target | None) -> Decision | None:
    """Click what may reveal it: its record's menu, or something with its name."""
    attempts = [d for d in case.records if d.purpose == "explore" and d.action.name == "click"]
    if target is None or len(attempts) >= MOST_ATTEMPTS:
        return None
    able = (n for n in case.tree if n.enabled and n.role not in _ENTERS)
    fresh = [node for node in able if not _was_tried(case, node)]
    menus = [n for n in fresh if is_closed(n) and is_in_record(target.within or "", n.group)]
    named_target = case.directive.target if case.directive.verb == "create" else target
    links = [
        n
        for n in fresh
        if _shares_name(n, (named_target or target).phrase) and _is_navigation(n, case.page)
    ]
    opener = menus[0] if len({node.group for node in menus}) == 1 else next(iter(links), None)
    if opener is None:
        return None
    thought = (
        f"I do not see {describe_target(target)} yet; looking behind {describe_control(opener)}."
    )
    return _explore_decision(
        action("click", opener.id), f"Open {describe_control(opener)}", thought
    )


def _explore_decision(exploring: Action, description: str, thought: str) -> Decision:
    proposal = Proposal(action=exploring, description=description, purpose="explore")
    return decisions.act([proposal], thought, confidence=0.8, completes=False)


def _was_tried(case: StepCase, node: Node) -> bool:
    """Whether it was pressed already; a press that opened nothing may be repeated once."""
    own = [d for d in case.records if d.purpose == "explore" and is_same_control(d, node)]
    if case.last is not None and case.last not in own and is_same_control(case.last, node):
        own.append(case.last)
    return len(own) > 1 or any(record.status != "failure" for record in own)


def _shares_name(node: Node, phrase: str) -> bool:
    """Whether one name is a part of the other: "Customers" and a new customer."""
    phrase_words = label(phrase).meaning_set - STOP_WORDS
    name_words = label(node.name).meaning_set - STOP_WORDS
    return bool(phrase_words and name_words) and (
        name_words <= phrase_words or phrase_words <= name_words
    )


def _is_navigation(node: Node, page: Observation) -> bool:
    """Whether the control only navigates: a menu, a tab, a link outside records."""
    if node.states & {"current", "selected"} or speaks_of("sign_out", node.name):
        return False
    kinds = {kind for kind, _ in node.groups}
    link = "nav" in kinds or (node.role == "link" and not kinds & {"row", "item"})
    navigates = link or node.role in {"menu", "tree", "tab"}
    return is_closed(node) or (navigates and not is_grave(action("click", node.id), node, page))


TIE_SCORE = 0.6  # score of equal candidates, between which the person decides
NARROWED_CONFIDENCE = 0.85  # confidence in the one of several that fits


def locate(case: StepCase, target: Target | None) -> Grounding:
    """Ground the target by label or record: one control, all, or the n-th."""
    grounding = case.find(target)
    if target is None or grounding.outcome == "found":
        return grounding
    if grounding.outcome == "ambiguous":  # prefer the exact spelling: "@ann" or "Ann"
        record = (target.within or "").casefold()
        exact = narrow_grounding(
            case, grounding, lambda node: bool(record) and record in node.group.casefold()
        )
        return exact if exact.outcome == "found" else grounding
    if target.ordinal is not None and is_record_kind(case, target.phrase):
        return case.find(target.model_copy(update={"phrase": "", "role": "row"}))
    if target.within and was_opened(case, target.within):
        return case.find(target.model_copy(update={"within": None}))
    if target.within and is_record_kind(case, target.phrase):  # "the customer Jas" goes by "Jas"
        return case.find(target.model_copy(update={"phrase": target.within, "within": None}))
    return grounding


def narrow_grounding(
    case: StepCase, grounding: Grounding, fits: Callable[[Node], bool]
) -> Grounding:
    """Keep only the candidates that fit; if a single one does, it is found."""
    chosen = tuple(one for one in grounding.chosen if fits(case.tree.by_id[one]))
    candidates = tuple(one for one in grounding.candidates if fits(case.tree.by_id[one.id]))
    if grounding.outcome == "found" and chosen:
        return grounding.model_copy(update={"chosen": chosen})
    if grounding.outcome != "ambiguous" or not candidates:
        return Grounding(outcome="absent", candidates=grounding.candidates, reason=grounding.reason)
    if len(candidates) > 1:
        return grounding.model_copy(update={"candidates": candidates})
    only = {"outcome": "found", "chosen": (candidates[0].id,), "confidence": NARROWED_CONFIDENCE}
    return grounding.model_copy(update=only)


def is_record_kind(case: StepCase, phrase: str) -> bool:
    """Whether the phrase is a word for a kind of record, by the lexicon or the page's lists."""
    words = [stem(word) for word in label(phrase).words]
    kind_stems = page_words(case) | STOP_WORDS
    return (
        bool(words) and words[-1] in kind_stems | RECORD_NOUNS and kind_stems.issuperset(words[:-1])
    )


def page_words(case: StepCase) -> frozenset[str]:
    """Return the words of the page's title, address, headings and record containers."""
    page = case.page
    texts = {page.title, page.url, *(n.group.rpartition(" > ")[0] for n in page.tree)}
    texts.update(line for line in page.summary.splitlines() if line.startswith("#"))
    return frozenset[str]().union(*(label(text).stems for text in texts))


def split_name_and_place(case: StepCase, target: Target) -> tuple[str, str]:
    """Return the record's name and its place: "the patient Jas" and "Jas from the list" name Jas."""
    if not target.within or not target.phrase:
        return target.phrase or target.within or "", ""
    is_place_named = is_proper_name(target.within) and not is_proper_name(target.phrase)
    if is_place_named or is_record_kind(case, target.phrase):
        return target.within, ""
    return target.phrase, target.within


def is_in_record(record_name: str, group: str) -> bool:
    """Whether the group has all words of the record's name."""
    around = label(group).meaning_set
    variants = (label(text).meaning_set for text in name_variants(record_name))
    return any(words and words <= around for words in variants)


def is_of_record(node: Node) -> bool:
    return bool(record_group(node.group))


def belongs_to(case: StepCase, node: Node, name: str) -> bool:
    """Whether the control is that record's own, and not one of a nested record."""
    line = record_group(node.group)
    if not line:
        return is_in_record(name, f"{node.group} {node.name}")
    own = [n.name for n in case.tree if record_group(n.group) == line]
    return is_in_record(name, " ".join([line.rpartition(" > ")[2], *own]))


def was_opened(case: StepCase, record: str) -> bool:
    """Whether the record's own menu was opened last; its items may be at the end of the page."""
    last = case.records[-1] if case.records else None
    is_look = last is not None and last.purpose == "explore" and last.action.name == "click"
    return is_look and is_in_record(record, last.signature[2] if last and last.signature else "")


def describe_several(nodes: list[Node], what: str, about: str) -> Grounding:
    candidates = tuple(
        Candidate(id=n.id, role=n.role, name=n.name or n.hint, group=n.group, score=TIE_SCORE)
        for n in nodes
    )
    reason = f"{len(nodes)} {what}"
    return Grounding(outcome="ambiguous", candidates=candidates, reason=reason, about=about)


def tell_apart(case: StepCase, grounding: Grounding, target: Target) -> Grounding:
    """Return all look-alikes in records of the same words if one of them was found by chance."""
    node = case.chosen(grounding)
    counted = target.all or target.ordinal is not None or target.near
    if node is None or counted or not is_of_record(node) or case.did("click"):
        return grounding
    alike = [n for n in case.tree if n.signature == node.signature and n.enabled]
    about = target.within or target.phrase
    return (
        describe_several(alike, "things here look the same", about) if len(alike) > 1 else grounding
    )


def excluded_ids(case: StepCase) -> frozenset[str]:
    excluding = case.directive.target.excluding if case.directive.target is not None else ()
    return frozenset(node.id for phrase in excluding for node in nodes_of_name(case, phrase))


def nodes_of_name(case: StepCase, phrase: str) -> list[Node]:
    """Return the controls that match by name or container; "from Ann" is recognized by Ann."""
    name = phrase.removeprefix("from ").removesuffix("'s").removesuffix("\u2019s")
    return [n for n in case.tree if is_in_record(name, f"{n.name} {n.group}")]
