"""Whether the approved chain still applies to the page as it was shown."""

from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlsplit

from app.approvals.approval_scope import unpack_before
from app.approvals.question_text import RECORDS, opened_records
from app.domain.action import Action, Chain
from app.domain.hitl import Question
from app.domain.page import ElementRef, Node, Observation
from app.page import drop_volatile, enclosing_form, fields_in, split_url

_IDS = ("id", "targetId")
_CHOSEN = frozenset({"chk", "rad", "row", "tree", "opt"})


def revalidate_chain(
    question: Question, page: Observation, chain: Chain, before: bytes
) -> Chain | None:
    """The chain as it can be sent now; None if it must be chosen and asked about again.

    The page must be the one that was shown (`before`, packed): same address, title, ticked boxes,
    and values of the submitted form. Each element must still be there; one in a named record may
    have a new id if it is unique.
    """
    then = unpack_before(before)
    if then is None or not _is_same_page(then, page):
        return None
    ids: dict[str, str] = {}
    for planned in chain.actions:
        for wanted in (planned.action.args.get(key) for key in _IDS):
            if not isinstance(wanted, str) or wanted == "page":
                continue
            found = _again(wanted, then, page)
            if found is None:
                return None
            ids[wanted] = found.id
    if not _shown_alike(question, then, page, ids, [one.action for one in chain.actions]):
        return None
    return chain if all(old == new for old, new in ids.items()) else _with_ids(chain, ids)


def _is_same_page(then: Observation, now: Observation) -> bool:
    here = [
        (split_url(one.url)[:3], _route(one.url), drop_volatile(one.title), _ticked(one))
        for one in (then, now)
    ]
    return here[0] == here[1]


def _route(url: str) -> str:
    """The fragment, if it routes to a page of an app; "" for a place on the page."""
    fragment = urlsplit(url).fragment
    return fragment if fragment.startswith(("/", "!")) else ""


def _ticked(page: Observation) -> Counter[tuple[str, str, str]]:
    chosen = (n for n in page.tree if n.role in _CHOSEN and n.states & {"checked", "selected"})
    return Counter(node.signature for node in chosen)


def _again(wanted: str, then: Observation, now: Observation) -> Node | None:
    """The same element now: by its id if as many look like it, or the only one of its kind in a named
    record.
    """
    was, here = then.tree.get(wanted), now.tree.get(wanted)
    if was is None:
        return None
    twins = [node for node in now.tree if node.signature == was.signature]
    if here is None:
        named = any(kind in RECORDS and label for kind, label in was.groups)
        here = twins[0] if len(twins) == 1 and named else None
    elif len(twins) != sum(node.signature == was.signature for node in then.tree):
        return None
    return here if here in twins and here.enabled else None


def _shown_alike(
    question: Question,
    then: Observation,
    now: Observation,
    ids: dict[str, str],
    actions: Sequence[Action],
) -> bool:
    """Whether the control and what is submitted with it are as shown."""
    asked = question.approval
    if asked is not None and asked.element_id is not None:
        was = then.tree.get(asked.element_id)
        here = now.tree.get(ids.get(asked.element_id, asked.element_id))
        if here is None or not here.enabled or ElementRef.of(here.signature) != asked.element:
            return False
        if asked.whose and opened_records(then) != opened_records(now):
            return False
        if was is None or _values(was, then) != _values(here, now):
            return False
    if any(one.points for one in actions) and _laid_out(then) != _laid_out(now):
        return False
    by_key = any(one.name == "pressKey" for one in actions)
    return not by_key or bool(ids) or _focused(then) == _focused(now)


def _values(node: Node, page: Observation) -> list[tuple[str, str]]:
    """The values of its form, without secrets."""
    form = enclosing_form(node)
    fields = fields_in(page, form) if form is not None else ()
    return sorted((one.name, one.value or "") for one in fields if one.input_type != "password")


def _focused(page: Observation) -> list[tuple[str, str, str]]:
    return [node.signature for node in page.tree if "focused" in node.states]


def _laid_out(page: Observation) -> list[tuple[tuple[str, str, str], object]]:
    return [(node.signature, node.box) for node in page.tree]


def _with_ids(chain: Chain, ids: dict[str, str]) -> Chain:
    actions = tuple(
        planned.model_copy(update={"action": _moved(planned.action, ids)})
        for planned in chain.actions
    )
    values = {ids.get(key, key): value for key, value in chain.expected.values.items()}
    expected = chain.expected.model_copy(update={"values": values})
    return chain.model_copy(update={"actions": actions, "expected": expected})


def _moved(act: Action, ids: dict[str, str]) -> Action:
    args = {
        key: ids.get(str(value), value) if key in _IDS else value for key, value in act.args.items()
    }
    return act.model_copy(update={"args": args})
