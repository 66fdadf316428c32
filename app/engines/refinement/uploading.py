"""Handing a file to a page: to the field or the drop zone that takes files."""

from app.domain.action import action
from app.domain.directive import Target
from app.domain.grounding import Grounding
from app.domain.page import Node
from app.domain.plan import Refinement
from app.engines.planning.wording import quoted
from app.engines.refinement.case import Case, ambiguous, done, missing, one
from app.engines.refinement.exploring import explore
from app.engines.refinement.naming import called
from app.text import patterns

_ZONE = patterns.compile(
    r"\b(drop|drag|browse|choose|select|upload|attach)\b.*\b(files?|here|photos?|images?|documents?)\b",
    patterns.IGNORECASE,
)
_ZONE_ROLES = frozenset({"btn", "el", "img", "row"})


def upload(case: Case) -> Refinement:
    """The file goes into the field named, the only one there is, or a place that says it takes files."""
    name, target = case.directive.value, case.directive.target or Target()
    if not name:
        return missing(f"It was not said which file is meant by “{case.directive.source}”.")
    grounding, node = _place(case, target)
    if node is None and grounding.outcome == "ambiguous":
        return ambiguous(grounding, f"the place for {quoted(name)}")
    if node is None:
        return explore(case, target, grounding)
    if case.did("uploadFile", node) and node.value and name in node.value:
        return done(f"{called(node)} holds {quoted(name)}.")
    words = f"Upload {quoted(name)} to {called(node)}"
    return one(action("uploadFile", node.id, name), words, confidence=grounding.confidence)


def _place(case: Case, target: Target) -> tuple[Grounding, Node | None]:
    fields = [node for node in case.tree if node.role == "file" and node.enabled]
    plain = target.model_copy(update={"role": None})
    grounding = case.field(plain) if target.phrase else Grounding(outcome="absent")
    named = case.tree.get(grounding.chosen[0]) if grounding.outcome == "found" else None
    if named is not None and named.role == "file":
        return grounding, named
    if len(fields) == 1:
        return Grounding(outcome="found", chosen=(fields[0].id,), confidence=0.9), fields[0]
    if len(fields) > 1:
        asked = case.field(target.model_copy(update={"phrase": target.phrase or "file"}))
        chosen = case.tree.get(asked.chosen[0]) if asked.outcome == "found" else None
        return asked, chosen if chosen in fields else None
    zones = [n for n in case.tree if n.role in _ZONE_ROLES and n.enabled and _ZONE.search(n.name)]
    if len(zones) == 1:
        return Grounding(outcome="found", chosen=(zones[0].id,), confidence=0.75), zones[0]
    return grounding, None
