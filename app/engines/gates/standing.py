"""Whether what was agreed to still stands there as it was shown, when the answer comes."""

from collections import Counter
from urllib.parse import urlsplit

from app.domain.action import Action, PlannedAction
from app.domain.page import Node, Observation
from app.domain.plan import Chain
from app.domain.question import Question
from app.domain.skill import ElementRef
from app.engines.gates.opened import opened_for
from app.engines.risk.controls import container, entries
from app.engines.verification.snapshot import split_url, steady, unpack

_IDS = ("id", "targetId")
_RECORDS = frozenset({"row", "item", "tree"})
_CHOSEN = frozenset({"chk", "rad", "row", "tree", "opt"})
_NEAR = 2  # controls on each side that tell where one stands that has twins


def stands(question: Question, page: Observation, chain: Chain, before: bytes) -> Chain | None:
    """The chain as it can be sent now; None where it is to be chosen, and asked about, anew.

    The page is the one that was looked at (`before`, packed): the same address and title, the same
    boxes ticked, the same values in the form that is handed in. Each element is there as it was; one
    of a named record may have another id, where there is no other like it.
    """
    then = _unpacked(before)
    if then is None or not _is_same_page(then, page):
        return None
    ids: dict[str, str] = {}
    for planned in chain.actions:
        for wanted in _named(planned.action):
            found = _again(wanted, then, page)
            if found is None:
                return None
            ids[wanted] = found.id
    if not _shown_alike(question, then, page, ids, chain):
        return None
    return chain if all(old == new for old, new in ids.items()) else _with_ids(chain, ids)


def _unpacked(before: bytes) -> Observation | None:
    try:
        return unpack(before)
    except ValueError:
        return None


def _is_same_page(then: Observation, now: Observation) -> bool:
    if split_url(then.url)[:3] != split_url(now.url)[:3]:
        return False
    routes = (_route(then.url), _route(now.url))
    return routes[0] == routes[1] and steady(then.title) == steady(now.title)


def _route(url: str) -> str:
    """A fragment that says which page of an app it is; "" for a place on the page."""
    fragment = urlsplit(url).fragment
    return fragment if fragment.startswith(("/", "!")) else ""


def _named(act: Action) -> tuple[str, ...]:
    found = (act.args.get(key) for key in _IDS)
    return tuple(one for one in found if isinstance(one, str) and one != "page")


def _again(wanted: str, then: Observation, now: Observation) -> Node | None:
    """The same element on the page now: by its id, or alone of its kind in a record with a name."""
    was = then.tree.get(wanted)
    if was is None:
        return None
    twins = [node for node in now.tree if node.signature == was.signature]
    here = now.tree.get(wanted)
    if here is not None and here.signature == was.signature:
        alone = len(twins) == 1 or _near(here, now) == _near(was, then)
        return here if here.enabled and alone else None
    named = any(kind in _RECORDS and label for kind, label in was.groups)
    found = twins[0] if len(twins) == 1 and named else None
    return found if found is not None and found.enabled and here is None else None


def _near(node: Node, page: Observation) -> tuple[tuple[str, str, str], ...]:
    """The signatures of what stands before and after it."""
    nodes = page.tree.nodes
    at = nodes.index(node)
    return tuple(one.signature for one in nodes[max(0, at - _NEAR) : at + _NEAR + 1])


def _shown_alike(
    question: Question, then: Observation, now: Observation, ids: dict[str, str], chain: Chain
) -> bool:
    """Whether the control that tells what happens, what is ticked, and what goes with it are as shown."""
    asked = question.approval
    if asked is not None and asked.element_id is not None:
        here = now.tree.get(ids.get(asked.element_id, asked.element_id))
        if here is None or not here.enabled or ElementRef.of(here.signature) != asked.element:
            return False
        was = then.tree.get(asked.element_id)
        if asked.whose and opened_for(then) != opened_for(now):
            return False
        if was is None or _values(was, then) != _values(here, now):
            return False
    names = {one.action.name for one in chain.actions}
    if "clickAt" in names and _laid_out(then) != _laid_out(now):
        return False
    if "pressKey" in names and not ids and _focused(then) != _focused(now):
        return False
    return _chosen(then) == _chosen(now)


def _values(node: Node, page: Observation) -> list[tuple[str, str]]:
    """What stands in the fields of its form, but for secrets."""
    form = container(node)
    fields = entries(page, form) if form is not None else ()
    return sorted((one.name, one.value or "") for one in fields if one.input_type != "password")


def _chosen(page: Observation) -> Counter[tuple[str, str, str]]:
    """The boxes, rows and options that are ticked."""
    return Counter(
        n.signature for n in page.tree if n.role in _CHOSEN and n.states & {"checked", "selected"}
    )


def _focused(page: Observation) -> list[tuple[str, str, str]]:
    return [node.signature for node in page.tree if "focused" in node.states]


def _laid_out(page: Observation) -> list[tuple[tuple[str, str, str], object]]:
    return [(node.signature, node.box) for node in page.tree]


def _with_ids(chain: Chain, ids: dict[str, str]) -> Chain:
    actions = tuple(_moved(planned, ids) for planned in chain.actions)
    values = {ids.get(key, key): value for key, value in chain.expected.values.items()}
    expected = chain.expected.model_copy(update={"values": values})
    return chain.model_copy(update={"actions": actions, "expected": expected})


def _moved(planned: PlannedAction, ids: dict[str, str]) -> PlannedAction:
    args = {
        key: ids.get(str(value), value) if key in _IDS else value
        for key, value in planned.action.args.items()
    }
    return planned.model_copy(update={"action": planned.action.model_copy(update={"args": args})})
