"""Keys, scrolling, addresses and waiting."""

from app.domain.action import action
from app.domain.plan import Proposal, Refinement
from app.engines.refinement.case import Case, act, missing, one
from app.engines.refinement.exploring import explore
from app.engines.refinement.naming import called

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
            return explore(case, directive.target, grounding)
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
