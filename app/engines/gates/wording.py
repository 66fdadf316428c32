"""What a person is asked to agree to, in words made here: what will happen, to what, and where."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from app.domain.action import Action, PlannedAction
from app.domain.effect import Concern
from app.domain.page import MASK, Node, Observation
from app.domain.sites import site_of
from app.domain.skill import ElementRef
from app.engines.planning.wording import ROLE_WORDS
from app.engines.records import telling
from app.engines.redaction import SECRET_FIELD, masked
from app.engines.risk.controls import container, entries
from app.engines.risk.surroundings import told
from app.text import patterns

NAME = 60  # characters of a control's name that are shown
PLACE = 80  # of a record's label: a row is told apart by its first cells
VALUE = 60
QUESTION = 120  # of what the browser asks
ADDRESS = 160  # of an address: enough of its way to see where it leads
MOST_BESIDE = 4  # sentences beside a press that are about it, and no text of its own
MOST_REMARKS = 2  # sentences of the page about a press
MOST_LINES = 8  # of values that are handed in; a person reads no more before a yes
# Signs that are not seen, or turn the direction of what stands around them.
_UNSEEN = patterns.compile(
    r"[\u00ad\u034f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\x00-\x1f\x7f-\x9f]+"
)
_QUOTES = str.maketrans(dict.fromkeys("'`\u2018", "\u2019") | dict.fromkeys('"\u201c', "\u201d"))
_RECORDS = frozenset({"row", "item", "tree"})
_PLACES = frozenset({"dialog", "form", "section", "fieldset"})

# What an effect does, as the end of "This …".
_DOES: Mapping[Concern, str] = MappingProxyType(
    {
        "deletes": "takes something away",
        "pays": "pays or orders something",
        "sends": "reaches other people",
        "grants": "changes who has access, or what they need for it",
        "outside": "leaves the sites that you named",
        "new_site": "acts on a site that this task came to by itself",
    }
)
_LASTING = frozenset({"deletes", "pays", "sends"})


def plain(text: str, most: int) -> str:
    """Text of a page on one line, cut, without signs that are not seen and quotes that would end ours."""
    shown = " ".join(_UNSEEN.sub(" ", text).split()).translate(_QUOTES)
    return shown if len(shown) <= most else f"{shown[: most - 1].rstrip()}…"


def deed(
    planned: PlannedAction,
    node: Node | None,
    page: Observation,
    *,
    agreeing: str = "",
    at: str = "",
) -> str:
    """What will happen, without a full stop: the action, and `at` that place where one is given;
    `agreeing`, what the browser asks and is answered yes.
    """
    act = planned.redacted
    if act.name in ("navigate", "openTab"):
        return f"Go to {site_of(str(act.args['url']))} ({plain(str(act.args['url']), ADDRESS)})"
    said = _SAYINGS.get(act.name, _otherwise)(act, node, page)
    yes = f", and answer '{plain(agreeing, QUESTION)}' with yes" if agreeing else ""
    return f"{said}{at}{yes}"


def where(node: Node | None, site: str = "", whose: str = "") -> str:
    """The record that it stands in, or else the nearest place with a name, where its own name does not
    say that already; and the site, where one is given. `whose` is the record that it acts on instead.
    """
    kind, label = place(node.groups, node.name) if node is not None else ("", "")
    kind, label = ("item", whose) if whose else (kind, label)
    said = ""
    if label and kind in _RECORDS:
        said = f" for {plain(label, PLACE)}"
    elif label and kind in _PLACES:
        said = f" in '{plain(label, PLACE)}'"
    named = telling(label)
    if node is not None and named and named <= telling(node.name):
        said = ""
    if node is not None and kind in _PLACES and (of := _section(node, label)):
        said = f"{said} of '{plain(of, PLACE)}'"
    return f"{said} on {plain(site, PLACE)}" if site else said


def place(groups: Sequence[tuple[str, str]], name: str) -> tuple[str, str]:
    """The container that tells where a control stands: its record, else the innermost with a label."""
    found = [(kind, label) for kind, label in reversed(groups) if label and label != name]
    records = (one for one in found if one[0] in _RECORDS)
    return next(records, None) or next(iter(found), ("", ""))


def _section(node: Node, label: str) -> str:
    """The section around its dialog or form, which tells whose they are."""
    found = [text for kind, text in node.groups if kind == "section" and text]
    return found[-1] if found and found[-1] not in (label, node.name) else ""


def remarks(node: Node, page: Observation) -> tuple[str, ...]:
    """What the page says of a press that hands nothing in: what it asks there, else how it begins."""
    if any(kind in _RECORDS and label for kind, label in node.groups):
        return ()
    known = {label for _, label in node.groups} | {
        one.name for one in page.tree if one.role != "txt"
    }
    texts = [text for text in dict.fromkeys(told(node, page)) if text.strip() and text not in known]
    asked = [text for text in texts if "?" in text]
    asks = any(kind == "dialog" or "?" in label for kind, label in node.groups)
    beside = texts if asks or len(texts) <= MOST_BESIDE else ()
    return tuple(plain(text, QUESTION) for text in (asked or beside)[:MOST_REMARKS])


def likeness(element: ElementRef) -> str:
    """The element as a person finds it: 'btn "Delete" in row: Jas Patel, 1990'."""
    node = Node(id="", role=element.role, name=element.name, group=element.group)
    kind, label = place(node.groups, "")
    stands = f" in {kind}: {plain(label, PLACE)}" if label else ""
    return f'{element.role} "{plain(element.name, NAME)}"{stands}'


def short(planned: PlannedAction, node: Node | None) -> str:
    """The same as the label of a button: "press 'Delete'"."""
    act = planned.redacted
    if act.name in ("navigate", "openTab"):
        return f"go to {plain(site_of(str(act.args['url'])), NAME)}"
    said = "press" if act.name in ("click", "clickAt", "pressKey") else "do this with"
    return f"{said} {_called(node)}" if node is not None else "do it"


def undoing(effects: Iterable[Concern]) -> str:
    """What cannot be undone, in one sentence; "" for no effect."""
    found = tuple(dict.fromkeys(effects))
    said = [_DOES[one] for one in found if one in _DOES]
    if _LASTING.intersection(found):
        said.append("cannot be undone here")
    if not said:
        return ""
    return f"This {', '.join(said[:-1])}{' and ' if said[1:] else ''}{said[-1]}."


def handed_in(
    node: Node, entered: Mapping[str, str], page: Observation, hidden: Iterable[str]
) -> tuple[str, ...]:
    """The values that go with a press: those of its form, or else of what stands with it in no form, with
    what the chain enters first (`entered`, by element). Secrets are masked; "" for a form that holds none.
    """
    form = container(node)
    fields = entries(page, form)
    if form is None:
        fields = tuple(one for one in fields if node.group and one.group == node.group)
    lines = []
    for field in fields:
        value = _shown(field, entered.get(field.id), hidden)
        if value:
            called = plain(field.name or field.hint, NAME) or "A field without a name"
            lines.append(f"{called}: {value}")
    if len(lines) > MOST_LINES:
        more = len(lines) - MOST_LINES + 1
        lines = [*lines[: MOST_LINES - 1], f"… and {more} more"]
    return tuple(lines)


def _shown(field: Node, entered: str | None, hidden: Iterable[str]) -> str:
    """What the field holds, as it may be read; "" for nothing, and for a box that is not ticked."""
    if field.role in ("chk", "rad"):
        ticked = entered == "true" if entered is not None else "checked" in field.states
        return "yes" if ticked else ""
    value = field.value or "" if entered is None else entered
    if value and (field.input_type == "password" or SECRET_FIELD.search(field.name)):
        return MASK
    return plain(masked(value, hidden), VALUE)


def _called(node: Node | None) -> str:
    if node is None:
        return "what has the focus"
    name = plain(node.name or node.hint, NAME)
    return f"'{name}'" if name else f"the {ROLE_WORDS.get(node.role, 'control')} without a name"


def _press(act: Action, node: Node | None, page: Observation) -> str:
    return f"Press {_called(node)}"


def _at_point(act: Action, node: Node | None, page: Observation) -> str:
    point = f"at the point {act.args['x']}, {act.args['y']}"
    return f"Press {_called(node)}, {point}" if node else f"Press {point}"


def _key(act: Action, node: Node | None, page: Observation) -> str:
    key = plain(str(act.args["key"]), NAME)
    return f"Press {key}, which does what {_called(node)} does" if node else f"Press {key}"


def _choose(act: Action, node: Node | None, page: Observation) -> str:
    return f"Choose '{plain(str(act.args['label']), VALUE)}' in {_called(node)}"


def _tick(act: Action, node: Node | None, page: Observation) -> str:
    return f"{'Tick' if act.args['checked'] else 'Clear'} {_called(node)}"


def _enter(act: Action, node: Node | None, page: Observation) -> str:
    value = str(act.args["text"])
    if node is not None and (node.input_type == "password" or SECRET_FIELD.search(node.name)):
        value = MASK
    return f"Enter '{plain(value, VALUE)}' in {_called(node)}"


def _drag(act: Action, node: Node | None, page: Observation) -> str:
    onto, held = (page.tree.get(str(act.args[key])) for key in ("targetId", "id"))
    return f"Drag {_called(held)} onto {_called(onto)}"


def _upload(act: Action, node: Node | None, page: Observation) -> str:
    return f"Upload '{plain(str(act.args['name']), VALUE)}' in {_called(node)}"


def _otherwise(act: Action, node: Node | None, page: Observation) -> str:
    said = patterns.sub(r"(?<=[a-z])(?=[A-Z])", " ", act.name).capitalize()
    return f"{said} {_called(node)}" if node else said


_SAYINGS: Mapping[str, Callable[[Action, Node | None, Observation], str]] = MappingProxyType(
    {
        "click": _press,
        "clickAt": _at_point,
        "pressKey": _key,
        "selectOption": _choose,
        "setChecked": _tick,
        "setValue": _enter,
        "dragTo": _drag,
        "uploadFile": _upload,
    }
)
