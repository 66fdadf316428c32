"""A prediction held against what came."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from app.domain.action import Action
from app.domain.page import Node, Observation
from app.domain.plan import Chain
from app.domain.verdict import Score
from app.engines.prediction.check import check
from app.engines.prediction.predict import kind_of
from app.engines.risk.controls import container, entries

_FLEETING = frozenset({"focused"})


def scored(chain: Chain, before: Observation, after: Observation) -> Score | None:
    """The chain's prediction with what came of it; None where nothing of it can be checked.

    Checked are what was written down (address, values, texts, a required next goal) and what the
    template of the last action promises in words: that a menu opens, that a form is taken. A next goal
    that is not required may be behind something yet, and was not predicted of this page.
    """
    expected = chain.expected
    if not chain.actions or expected.confidence <= 0:
        return None
    goal = expected.next_goal
    if goal is not None and not goal.required:
        expected = expected.model_copy(update={"next_goal": None})
    met, unmet = check(expected, after, before)
    last = chain.actions[-1]
    kind = kind_of(last.action, before)
    promise = _PROMISES.get(kind)
    came = promise(last.action, before, after) if promise is not None else None
    if came is not None:
        met, unmet = ((*met, kind), unmet) if came else (met, (*unmet, f"its effect: {kind}"))
    if not met and not unmet:
        return None
    return Score(
        action_id=last.action_id,
        kind=kind,
        predicted=expected.confidence,
        met=not unmet,
        unmet=unmet,
    )


Promise = Callable[[Action, Observation, Observation], bool | None]


def _toggled(action: Action, before: Observation, after: Observation) -> bool | None:
    was, now = _pair(action, before, after)
    if was is None or now is None:
        return None  # a list that closed took its options along
    return _is_on(now) is not (was.role == "chk" and _is_on(was))


def _checked(action: Action, before: Observation, after: Observation) -> bool | None:
    _, now = _pair(action, before, after)
    return None if now is None else _is_on(now) is bool(action.args["checked"])


def _is_on(node: Node) -> bool:
    return bool(node.states & {"checked", "selected", "pressed"})


def _opened(action: Action, before: Observation, after: Observation) -> bool | None:
    _, now = _pair(action, before, after)
    known = {node.id for node in before.tree}
    return (now is not None and "expanded" in now.states) or any(
        node.id not in known for node in after.tree
    )


def _closed(action: Action, before: Observation, after: Observation) -> bool | None:
    _, now = _pair(action, before, after)
    return now is None or "expanded" not in now.states


def _focused(action: Action, before: Observation, after: Observation) -> bool | None:
    """None where the page takes no note of the focus, as in a tab in the background."""
    _, now = _pair(action, before, after)
    if now is not None and "focused" in now.states:
        return True
    return False if any("focused" in node.states for node in after.tree) else None


def _taken(action: Action, before: Observation, after: Observation) -> bool | None:
    """Whether a form was taken: a new word of success, or its fields are gone or empty."""
    if set(after.errors) - set(before.errors):
        return False
    if set(after.successes) - set(before.successes):
        return True
    was = before.tree.get(action.target or "")
    fields = entries(before, container(was)) if was is not None else ()
    now = [after.tree.get(field.id) for field in fields]
    return all(node is None or not node.value for node in now) and _changed(action, before, after)


def _changed(_: Action, before: Observation, after: Observation) -> bool:
    """Whether anything is to be seen that was not there, or another way."""
    if (before.url, before.title, before.summary) != (after.url, after.title, after.summary):
        return True
    return set(map(_look, before.tree)) != set(map(_look, after.tree))


def _look(node: Node) -> tuple[str, str, str | None, frozenset[str]]:
    return node.id, node.name, node.value, node.states - _FLEETING


def _pair(
    action: Action, before: Observation, after: Observation
) -> tuple[Node | None, Node | None]:
    target = action.target or ""
    return before.tree.get(target), after.tree.get(target)


_PROMISES: Mapping[str, Promise] = MappingProxyType(
    {
        "toggle": _toggled,
        "setChecked": _checked,
        "open": _opened,
        "close": _closed,
        "focus": _focused,
        "submit": _taken,
        "tab": _changed,
        "link": _changed,
        "click": _changed,
        "clickAt": _changed,
        "dragTo": _changed,
    }
)
