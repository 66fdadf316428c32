"""Keys, scrolling, addresses, waiting, dragging and files."""

from app.domain.action import action
from app.domain.directive import Target
from app.domain.directive_wording import quoted, thing
from app.domain.page import Node
from app.domain.plan import Decision, Proposal
from app.grounding.descriptions import called
from app.reasoners.commands.actions.absence import absent
from app.reasoners.commands.actions.case import Case, act, ambiguous, done, missing, one
from app.reasoners.commands.actions.location import locate, narrowed

LONGEST_WAIT_MS = 10_000
SCROLLS_TO_END = 5  # screens a chain scrolls before it looks again
TURNS = {"top": "up", "bottom": "down"}
UNTITLED = ("http://", "https://", "about:", "file:", "/")


def press(case: Case) -> Decision:
    """A key or chord, in the named field when one is."""
    target, key = case.directive.target, case.directive.value or "Enter"
    proposals = []
    if target is not None and target.phrase:
        found = case.find(target)
        node = case.chosen(found)
        if node is None:
            return absent(case, target, found)
        if not case.did("click", node):
            words = f"Focus {called(node)}"
            proposals.append(Proposal(action=action("click", node.id), description=words))
    made = Proposal(action=action("pressKey", key), description=f"Press {key}")
    proposals += [made] * max(1, case.directive.times - case.count("pressKey"))
    return act(proposals, f"Press {key}.")


def scroll(case: Case) -> Decision:
    """Scroll the page, or what is named; to an end by several screens."""
    said = case.directive.value or "down"
    direction, target = TURNS.get(said, said), case.directive.target
    named = target is not None and (target.role or target.phrase not in {"", "page"})
    node = case.chosen(case.find(target)) if named else None
    where, name = (node.id, called(node)) if node else ("page", "the page")
    words = f"Scroll {name} {said}"
    made = Proposal(action=action("scroll", where, direction), description=words)
    times = SCROLLS_TO_END if said in TURNS else case.directive.times
    return act([made] * max(1, times - case.count("scroll")), words)


def navigate(case: Case) -> Decision:
    """Go to the address."""
    said = (case.directive.value or "").strip()
    if not said:
        return missing("It was not said where to go.")
    url = said if said.startswith(UNTITLED) else f"https://{said}"
    return one(action("navigate", url), f"Go to {url}")


def back(case: Case) -> Decision:
    """Go back in the tab's history."""
    step = Proposal(action=action("goBack"), description="Go back")
    return act([step] * max(1, case.directive.times - case.count("goBack")), "Go back.")


def reload(case: Case) -> Decision:
    """Load the page anew."""
    return one(action("navigate", case.page.url), "Reload the page")


def wait(case: Case) -> Decision:
    """Wait as long as was said, within reason."""
    said = case.directive.value or "1000"
    ms = min(int(said), LONGEST_WAIT_MS) if said.isdigit() else 1_000
    return one(action("wait", ms), f"Wait {ms} ms")


def drag(case: Case) -> Decision:
    """Drag one thing onto another."""
    ends: list[Node] = []
    for target in (case.directive.target, case.directive.destination):
        found = locate(case, target)
        if found.outcome == "ambiguous":
            return ambiguous(found, thing(target))
        if found.outcome == "absent" or target is None:
            return absent(case, target, found)
        ends.append(case.tree.by_id[found.chosen[0]])
    source, goal = ends
    if goal.id == source.id:
        return done(f"{called(source)} is there already.")
    words = f"Drag {called(source)} to where {called(goal)} is"
    return one(action("dragTo", source.id, goal.id), words)


def upload(case: Case) -> Decision:
    """The file goes into the field that was named, or the only one; without any onto what was named."""
    name, target = case.directive.value, case.directive.target or Target(role="file")
    if not name:
        return missing(f"It was not said which file is meant by “{case.directive.source}”.")
    fields = [node for node in case.tree if node.role == "file" and node.enabled]
    takes = (lambda n: n in fields) if fields or not target.phrase else (lambda _: True)
    found = narrowed(case, case.find(target, "click"), takes)
    node = fields[0] if len(fields) == 1 else case.chosen(found)
    if node is None and found.outcome == "ambiguous":
        return ambiguous(found, f"the place for {quoted(name)}")
    if node is None:
        return absent(case, target, found)
    if case.did("uploadFile", node) and node.value and name in node.value:
        return done(f"{called(node)} holds {quoted(name)}.")
    return one(action("uploadFile", node.id, name), f"Upload {quoted(name)} to {called(node)}")
