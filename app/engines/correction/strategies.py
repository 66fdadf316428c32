"""The strategies there are, each from what is on the page now; None where one does not apply.

What was to be handed in may be handed in once more only where nothing was sent: the browser told of no answer
to the click, of no request and of no change, and the page still stands there as it was then.
"""

from collections.abc import Callable, Iterator

from app.domain.action import action
from app.domain.grounding import Candidate
from app.domain.page import Node
from app.domain.plan import Deed, Refinement
from app.engines.correction.case import KEYBOARD, LONG_WAIT, SHORT_WAIT, WAITS, Case, act, again
from app.engines.correction.limits import MAX_RETRIES
from app.engines.correction.overlays import dismiss, in_front
from app.engines.recovery.chains import NO_TRACE, NOTHING_ANSWERED
from app.engines.risk import is_risky
from app.engines.risk.controls import ENTRIES
from app.engines.verification.error_pages import is_error_page
from app.engines.verification.snapshot import split_url

Alternatives = Callable[[Deed], tuple[Candidate, ...]]
_VIEW = 800  # CSS px; the height of a usual viewport


def strategies(case: Case, alternatives: Alternatives | None) -> Iterator[Refinement]:
    """What to try, best first; each once in a step.

    What the page shows to be the cause is put right at once: a control that was drawn anew, something
    in front, a place out of sight, an error page. Else time may help, and then another way.
    """
    evident = () if case.may_have_worked else _EVIDENT
    for maker in (*evident, _wait, _refind, _scroll, dismiss, _once_more):
        found = maker(case)
        if found is not None:
            yield found
    if case.is_dead:
        yield from other_ways(case)
    yield from _alternative(case, alternatives)
    for maker in (_keyboard, _at_centre, go_back):
        found = maker(case)
        if found is not None:
            yield found


def _wait(case: Case) -> Refinement | None:
    """Once in a step; but before each other try of a control that is dead, which may come to life."""
    before = case.did("wait")
    if before and (not case.is_dead or case.waits or before >= MAX_RETRIES):
        return None
    node, pause = case.node, action("wait", LONG_WAIT if before else SHORT_WAIT)
    alone = bool(before) or case.may_have_worked or not case.deed.action.target
    if node is None or not node.enabled or alone:
        return act("wait", "Wait, and look again", (pause, "Wait for the page"), completes=False)
    return act(
        "wait and retry",
        "Wait, and try once more",
        (pause, "Wait for the page"),
        (again(case, node), _words(case, node)),
        completes=True,
    )


def other_ways(case: Case) -> Iterator[Refinement]:
    """The same click made again: by the mouse, by the keyboard, at its middle."""
    node = case.node
    if node is not None and not case.did("click"):
        step = (again(case, node), _words(case, node))
        yield act("retry", "The click was lost; try once more", step, completes=True)
    for maker in (_press, _at_centre):
        found = maker(case)
        if found is not None:
            yield found


def _once_more(case: Case) -> Refinement | None:
    """A click that left no trace, even after a wait, may have been lost."""
    node = case.node
    if node is None or not node.enabled or case.deed.status != "unknown" or case.did("click"):
        return None
    step = (again(case, node), _words(case, node))
    return act("retry", "It left no trace; try once more", step, completes=True)


def _refind(case: Case) -> Refinement | None:
    node = case.same()
    if node is None or not node.enabled or case.was_tried(again(case, node)):
        return None
    return act(
        "re-find", f"The page was drawn anew; '{node.name}' is there under another id",
        (again(case, node), _words(case, node)), completes=True, sure=0.8,
    )  # fmt: skip


def _scroll(case: Case) -> Refinement | None:
    node = case.node
    if case.did("scroll") or (node is not None and (node.center is None or _is_in_view(node))):
        return None
    up = node is not None and node.center is not None and node.center[1] < 0
    move = action("scroll", "page", "up" if up else "down")
    if node is None or not node.enabled:
        return act("scroll", "Look further on the page", (move, "Scroll the page"), completes=False)
    return act(
        "scroll into view", f"Scroll to '{node.name}' and try once more",
        (move, "Scroll the page"), (again(case, node), _words(case, node)), completes=True,
    )  # fmt: skip


def _alternative(case: Case, alternatives: Alternatives | None) -> Iterator[Refinement]:
    if alternatives is None or not case.deed.action.target:
        return
    for candidate in alternatives(case.deed):
        node = case.page.tree.get(candidate.id)
        if node is None or not node.enabled or is_risky(node.name):
            continue
        other = again(case, node)
        if node.id != case.deed.action.target and not case.was_tried(other):
            yield act(
                "alternative element", f"'{node.name}' may be meant instead", (other, _words(case, node)),
                completes=True, sure=min(0.7, candidate.score),
            )  # fmt: skip
            return


def _keyboard(case: Case) -> Refinement | None:
    node = case.node
    return _press(case) if node is not None and "focused" in node.states else None


def _press(case: Case) -> Refinement | None:
    """By the keyboard: a click has put the focus on the control, unless the page took it elsewhere."""
    node = case.node
    focused = [one for one in case.page.tree if "focused" in one.states]
    if node is None or not case.clicked or any(one.id != node.id for one in focused):
        return None
    key = action("pressKey", "Space" if node.role in ("chk", "rad") else "Enter")
    if case.was_tried(key) or node.role in ENTRIES - {"chk", "rad"}:
        return None
    return act(
        KEYBOARD,
        "Use the keyboard",
        (key, f"Press {key.args['key']} on {node.name}"),
        completes=True,
    )


def _at_centre(case: Case) -> Refinement | None:
    node = case.node
    if not case.clicked or node is None or not _is_in_view(node) or node.occluded:
        return None
    x, y = node.center or (0.0, 0.0)
    click = action("clickAt", round(x), round(y))
    if case.was_tried(click):
        return None
    return act(
        "click at centre",
        "Click where it stands",
        (click, f"Click at the middle of {node.name}"),
        completes=True,
    )


def _out_of_sight(case: Case) -> Refinement | None:
    """The control is there, and its middle is not in the window."""
    node = case.node
    return None if node is None or node.center is None else _scroll(case)


def _is_in_view(node: Node) -> bool:
    return node.center is not None and 0 <= node.center[1] <= _VIEW


def _words(case: Case, node: Node) -> str:
    return case.deed.description or f"{case.deed.action.name} {node.name}"


GO_BACK = "go back"


def go_back(case: Case) -> Refinement | None:
    """Leave a page that the action led to by mistake; nothing was handed in on the way there."""
    back = action("goBack")
    here, there = split_url(case.page.url), split_url(case.deed.url)
    moved = bool(case.deed.url) and here[:3] != there[:3]
    if not moved or case.deed.action.name not in _LEADS or case.was_tried(back):
        return None
    on_the_way = case.here[case.here.index(case.deed) :] if case.deed in case.here else ()
    if any(
        Case(deed=deed, page=case.page, here=case.here).is_submit
        for deed in on_the_way
        if deed.status != "failure" or deed is case.deed
    ):
        return None
    why = "This is not the page that the step needs"
    return act(GO_BACK, why, (back, "Go back to the page before"), completes=False)


_LEADS = frozenset({"click", "clickAt", "pressKey"})


def from_error(case: Case) -> Refinement | None:
    """An error page came in place of the page that was acted on."""
    return go_back(case) if is_error_page(case.page) else None


def resent(case: Case) -> Refinement | None:
    """The submit once more, or by another way; None where that could do it twice."""
    if case.node is None or not case.node.enabled:
        return None
    if _never_sent(case):
        return next(other_ways(case), None)
    return None


def _never_sent(case: Case) -> bool:
    """Where nothing answered a button that submits its form, the browser did not submit it. Of any
    other a request may be on its way unseen: it gets as long as a slow server may take.
    """
    node, client = case.node, case.page.client
    if (
        case.deed.error not in (NOTHING_ANSWERED, NO_TRACE)
        or node is None
        or client.network
        or client.url_changed
    ):
        return False
    if split_url(case.page.url)[:3] != split_url(case.deed.url)[:3]:
        return False
    native = node.input_type == "submit" and any(kind == "form" for kind, _ in node.groups)
    sure = native and case.deed.error == NOTHING_ANSWERED
    return case.waits >= (1 if sure else len(WAITS))


_EVIDENT = (from_error, _refind, in_front, _out_of_sight)
