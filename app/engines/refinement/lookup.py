"""Looking a record up with the page's own search."""

from app.domain.action import action
from app.domain.page import Node
from app.domain.plan import Proposal, Refinement
from app.engines.planning.wording import quoted
from app.engines.refinement.case import Case, act
from app.engines.refinement.naming import called
from app.engines.risk.lexicon import speaks_of


def looked_up(case: Case, record: str) -> Refinement | None:
    """The record's name put into the page's search, once a step; None where there is no search."""
    box = search_field(case)
    if box is None or not record:
        return None
    entered = [deed for deed in case.deeds if deed.action.name == "setValue"]
    if entered:
        sent = entered[-1] is not case.last or entered[-1].status == "failure"
        return None if sent else act([_sent(case, box)], "Search.", completes=False)
    entering = Proposal(
        action=action("setValue", box.id, record),
        description=f"Enter {quoted(record)} in {called(box)}",
        purpose="explore",
    )
    return act(
        [entering, _sent(case, box)],
        f"{quoted(record)} is not to be seen; searching for it.",
        confidence=0.85,
        completes=False,
    )


def search_field(case: Case) -> Node | None:
    """The enabled text field that says it searches."""
    for node in case.tree:
        if node.role == "inp" and node.enabled:
            named = node.input_type == "search" or speaks_of("search", f"{node.name} {node.hint}")
            if named and node.input_type != "password":
                return node
    return None


def _sent(case: Case, box: Node) -> Proposal:
    found = case.submitter([box])
    node = case.tree.get(found.chosen[0]) if found.outcome == "found" else None
    if (
        node is not None
        and node.enabled
        and node.group == box.group
        and speaks_of("search", node.name)
    ):
        made, words = action("click", node.id), f"Press {called(node)}"
    else:
        made, words = action("pressKey", "Enter"), "Press Enter"
    return Proposal(action=made, description=words, purpose="explore")
