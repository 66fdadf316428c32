"""Keys, scrolling, addresses, waiting, dragging and files."""

from app.domain.action import action
from app.domain.directive import Target
from app.domain.grounding import Grounding
from app.domain.page import Node
from app.domain.plan import Proposal, Refinement
from app.engines.planning.wording import quoted, thing
from app.engines.refinement.absence import absent
from app.engines.refinement.case import Case, act, ambiguous, done, missing, one
from app.engines.refinement.location import locate
from app.engines.refinement.messages import called
from app.text import patterns

LONGEST_WAIT_MS = 10_000
SCROLLS_TO_END = 5  # screens a chain scrolls before it looks again
TURNS = {"top": "up", "bottom": "down"}
UNTITLED = ("http://", "https://", "about:", "file:", "/")


def press(case: Case) -> Refinement:
    """A key or chord, in the named field when one is."""
    directive = case.directive
    proposals = []
    if directive.target is not None and directive.target.phrase:
        grounding = case.find(directive.target)
        if grounding.outcome != "found":
            return absent(case, directive.target, grounding)
        node = case.tree.by_id[grounding.chosen[0]]
        if not case.did("click", node):
            words = f"Focus {called(node)}"
            proposals.append(Proposal(action=action("click", node.id), description=words))
    key = Proposal(
        action=action("pressKey", directive.value or "Enter"),
        description=f"Press {directive.value}",
    )
    proposals += [key] * max(1, directive.times - case.count("pressKey"))
    return act(proposals, f"Press {directive.value}.")


def scroll(case: Case) -> Refinement:
    """Scroll the page, or what is named; to an end by several screens."""
    said = case.directive.value or "down"
    direction, target = TURNS.get(said, said), case.directive.target
    where, name = "page", "the page"
    if (target is not None and target.phrase not in {"", "page"}) or (target and target.role):
        grounding = case.find(target)
        if grounding.outcome == "found":
            node = case.tree.by_id[grounding.chosen[0]]
            where, name = node.id, called(node)
    made = Proposal(
        action=action("scroll", where, direction), description=f"Scroll {name} {direction}"
    )
    times = SCROLLS_TO_END if said in TURNS else max(1, case.directive.times)
    return act([made] * max(1, times - case.count("scroll")), f"Scroll {name} {said}.")


def navigate(case: Case) -> Refinement:
    """Go to the address."""
    said = (case.directive.value or "").strip()
    if not said:
        return missing("It was not said where to go.")
    url = said if said.startswith(UNTITLED) else f"https://{said}"
    return one(action("navigate", url), f"Go to {url}")


def back(case: Case) -> Refinement:
    """Go back in the tab's history."""
    return act(
        [Proposal(action=action("goBack"), description="Go back")]
        * max(1, case.directive.times - case.count("goBack")),
        "Go back.",
    )


def reload(case: Case) -> Refinement:
    """Load the page anew."""
    return one(action("navigate", case.page.url), "Reload the page")


def wait(case: Case) -> Refinement:
    """Wait as long as was said, within reason."""
    said = case.directive.value or "1000"
    ms = min(int(said), LONGEST_WAIT_MS) if said.isdigit() else 1_000
    return one(action("wait", ms), f"Wait {ms} ms")


def drag(case: Case) -> Refinement:
    """Drag one thing onto another, or to where it was said that it belongs."""
    directive = case.directive
    source, lost = _end(case, directive.target)
    if source is None:
        return lost
    where = directive.destination or Target()
    goal, lost = _end(case, where)
    return lost if goal is None else _onto(source, goal)


def _end(case: Case, target: Target | None) -> tuple[Node | None, Refinement]:
    """What is dragged or dragged to; without one, what to do about that."""
    grounding = locate(case, target)
    node = case.tree.get(grounding.chosen[0]) if grounding.chosen else None
    if grounding.outcome == "ambiguous":
        return None, ambiguous(grounding, thing(target))
    if grounding.outcome == "absent" or node is None:
        return None, absent(case, target, grounding)
    return node, done("It is there.")


def _onto(source: Node, goal: Node | None) -> Refinement:
    if goal is None:
        return missing(f"There is no such place beside {called(source)}.")
    if goal.id == source.id:
        return done(f"{called(source)} is there already.")
    return one(
        action("dragTo", source.id, goal.id), f"Drag {called(source)} to where {called(goal)} is"
    )


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
    grounding, node = _file_place(case, target)
    if node is None and grounding.outcome == "ambiguous":
        return ambiguous(grounding, f"the place for {quoted(name)}")
    if node is None:
        return absent(case, target, grounding)
    if case.did("uploadFile", node) and node.value and name in node.value:
        return done(f"{called(node)} holds {quoted(name)}.")
    words = f"Upload {quoted(name)} to {called(node)}"
    return one(action("uploadFile", node.id, name), words, confidence=grounding.confidence)


def _file_place(case: Case, target: Target) -> tuple[Grounding, Node | None]:
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
