"""Looks that cannot be taken at their word: of another tab, or at odds with what the client saw."""

from collections.abc import Iterable

from app.domain.action import Action
from app.domain.directive import Directive
from app.domain.page import Node, Observation
from app.domain.plan import Chain
from app.engines.chain import hands_in
from app.engines.risk.controls import ENTRIES, container, is_submit
from app.engines.risk.lexicon import speaks_of, words
from app.engines.verification.deletions import LINES
from app.engines.verification.difference import Difference
from app.engines.verification.evidence import Entered, Evidence, Past, Scene, unclear, yes
from app.engines.verification.explain import quote
from app.engines.verification.formats import may_be_same_date, same_when_formatted
from app.engines.verification.messages import GOING_ON
from app.engines.verification.readback import appeared, counted, plain, same_value

_LEADS = frozenset(
    {
        "click", "clickAt", "pressKey", "navigate", "goBack", "openTab", "switchTab", "closeTab",
        "googleSearch",
    }
)  # fmt: skip
_ENOUGH = 3  # controls; a page of fewer may well be drawn anew


def doubted(
    found: Evidence,
    before: Observation,
    after: Observation,
    diff: Difference,
    chain: Chain,
    *,
    waited: bool = False,
) -> Evidence:
    """The evidence, unless the look is not one at the page that was acted on.

    Another site though nothing that was done leads there, or though the client saw the address stay
    (since the chain, so not where it `waited`); or another title and not one control of before,
    though the client saw the page neither change nor go elsewhere.
    """
    if found.happened is False:
        return found
    leads = any(planned.action.name in _LEADS for planned in chain.actions)
    stayed = after.client.url_changed is False and not waited and not _ways_of_tabs(chain)
    if diff.address.origin and (stayed or not leads):
        return unclear(0.5, f"This is another site: {quote(after.url)}", against=True)
    if not _ways_of_tabs(chain) and is_another(before, after, diff):
        why = f"This looks like another tab: {quote(after.title or after.url)}"
        return unclear(0.5, why, against=True)
    return found


def is_another(before: Observation, after: Observation, diff: Difference) -> bool:
    """Whether nothing of the page is left, though the client saw nothing change."""
    client = after.client
    if client.mutated is not False or client.url_changed is True or diff.partner:
        return False
    return diff.title is not None and min(len(before.tree), len(after.tree)) >= _ENOUGH


def at_odds(after: Observation, diff: Difference) -> tuple[str, ...]:
    """In what the look and the client contradict each other, in words."""
    client = after.client
    told = []
    grown = diff.added or diff.removed or diff.opened or diff.closed
    if (
        client.mutated is False
        and client.url_changed is not True
        and not diff.address.any
        and grown
    ):
        told.append("The browser saw nothing change but what changes all the time")
    if client.url_changed is False and diff.address.page:
        told.append("The browser saw the address stay, but it is another")
    if diff.errors and diff.successes:
        told.append("The page tells both of a failure and of a success")
    return tuple(told)


def _ways_of_tabs(chain: Chain) -> bool:
    return any(
        planned.action.name in ("navigate", "goBack", "openTab", "switchTab", "closeTab")
        for planned in chain.actions
    )


_ENTERS = frozenset({"setValue", "selectOption", "setChecked", "uploadFile"})
_TOGGLES = frozenset({"chk", "rad"})
_SENDS = frozenset({"click", "clickAt", "pressKey", "setChecked", "selectOption", "dragTo"})
_LEFT = 0.66  # DESIGN completes a task from 0.70 on: the step was done, but the page objects


def with_complaint(found: Evidence, scene: Scene, action: Action) -> Evidence:
    """The evidence of an entry, of which less is left where the page tells of an error.

    Where a button hands the fields in, an error is about what is still to be entered; where there
    is none, what was entered is saved at once, and the error says that it was not.
    """
    if not found.happened or not scene.diff.errors or action != scene.chain.actions[-1].action:
        return found
    node = scene.was(action) or scene.now(action)
    enters = action.name in _ENTERS or (
        action.name == "click" and node is not None and node.role in _TOGGLES
    )
    if not enters or node is None or _is_handed_in(node, scene):
        return found
    why = f"{found.why}; but the page says: {quote(scene.diff.errors[0])}"
    return yes(min(found.confidence, _LEFT), why)


def with_pending(found: Evidence, scene: Scene, action: Action) -> Evidence:
    """The evidence, unless it is what a page shows before its server has answered.

    A message, another page or a dialog is an answer; a state, a line or a form that goes may be shown
    in the hope of one, and be taken back.
    """
    if not (found.happened and scene.pending) or action != scene.chain.actions[-1].action:
        return found
    diff = scene.diff
    answered = diff.successes or diff.opened or diff.address.page or diff.address.query
    if answered or action.name not in _SENDS:
        return found
    return unclear(0.4, f"{GOING_ON}: {found.why}, but the server has not answered yet")


def _is_handed_in(node: Node, scene: Scene) -> bool:
    group = container(node)
    return any(
        other.role in ("btn", "img", "inp") and container(other) == group
        and is_submit(other, scene.before)
        for other in scene.before.tree
    )  # fmt: skip


_TELLING = 3  # words of an old value that no page shows by chance
_NAME = 3  # characters of a value by which a record is known again in its line


def not_kept(scene: Scene, past: Past) -> str | None:
    """What the page shows of the old value where the new one was handed in; None where it does not.

    The field itself holds the old one again, the record's line in a list has it, or a text under the
    field's name or of several words does. A form that was emptied for the next entry shows nothing.
    """
    actions = scene.chain.actions
    if not actions or not hands_in(actions[-1].action, scene.before):
        return None
    fields = {node.signature: node for node in scene.after.tree}
    if any(_is_emptied(fields.get(one.signature), one) for one in past.entered):
        return None
    for one in past.entered:
        if not one.replaced or same_value(one.value, one.replaced):
            continue
        if why := _in_field(fields.get(one.signature), one) or _in_text(scene, one):
            return why
    return None


def _is_emptied(field: Node | None, one: Entered) -> bool:
    return field is not None and not one.replaced and not field.value


def _in_field(field: Node | None, one: Entered) -> str | None:
    if field is None:
        return None
    held = field.value or ""
    if not same_value(held, one.replaced) or _is_same(held, one.value):
        return None
    return f"{field.name or 'The field'} holds '{quote(held)}' again, and not '{quote(one.value)}'"


def _is_same(held: str, text: str) -> bool:
    return same_when_formatted(held, text) or may_be_same_date(held, text)


def _in_text(scene: Scene, one: Entered) -> str | None:
    if appeared(scene, one.value):
        return None
    lines = _lines_of(scene.after, _names(scene.before, one))
    is_telling = len(one.replaced.split()) >= _TELLING
    texts = {plain(line) for line in scene.after.summary.splitlines()}
    lines |= {text for text in texts if is_telling or counted(text, one.signature[1])}
    shows = any(counted(line, one.replaced) and not counted(line, one.value) for line in lines)
    return f"The page still shows '{quote(one.replaced)}'" if shows else None


def _names(page: Observation, one: Entered) -> list[str]:
    """What else the form held: the record's line says some of it."""
    form = one.signature[2]
    return [
        node.value
        for node in page.tree
        if node.value and node.group == form and node.signature != one.signature
        and len(node.value) >= _NAME
    ]  # fmt: skip


def _lines_of(page: Observation, names: Iterable[str]) -> set[str]:
    """The lines of the page's lists that say one of the names."""
    lines = {plain(label) for node in page.tree for kind, label in node.groups if kind in LINES}
    return {line for line in lines if any(counted(line, name) for name in names)}


_WAYS = frozenset({"link", "tab", "menu", "tree"})
_FILLS = frozenset({"setValue", "selectOption", "setChecked"})
_LEADS_ON = frozenset({"continue", "proceed", "go on", "check out", "checkout", "accept"})


def left_unsaved(
    asked: Directive | None, before: Observation, chain: Chain, diff: Difference
) -> str | None:
    """The way that was taken out of a filled form, where the step was to save or send it.

    Going to another page confirms no save: "Settings" in the menu says what is to be saved, and
    leaves it unsaved. None where that did not happen, or the page tells of a success.
    """
    if not chain.actions:
        return None
    last = chain.actions[-1].action
    node = before.tree.get(last.target or "") if last.name == "click" else None
    if node is not None and not diff.successes and _gave_up(asked, node, chain):
        return node.name
    if asked is None or asked.verb != "submit" or asked.value in _LEADS_ON:
        return None
    if node is None or node.role not in _WAYS or not diff.address.any or diff.successes:
        return None
    thing = words(asked.target.phrase).split() if asked.target is not None else []
    rest = " ".join(word for word in words(node.name).split() if word not in thing)
    filled = any(n.role in ENTRIES and (n.value or "checked" in n.states) for n in before.tree)
    return node.name if filled and not speaks_of("submit", rest) else None


def _gave_up(asked: Directive | None, node: Node, chain: Chain) -> bool:
    """Whether the chain filled fields and ended with what throws that away, without being asked to."""
    filled = any(
        p.action.name in _FILLS for p in chain.actions[:-1] if p.action.args.get("text") != ""
    )
    if not filled or not speaks_of("dismiss", node.name) or speaks_of("submit", node.name):
        return False
    wanted = words(asked.target.phrase) if asked is not None and asked.target is not None else ""
    return not wanted or wanted not in words(node.name)
