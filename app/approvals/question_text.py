"""The text of approval questions, composed here: what will happen, to what, and where."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from app.authorization import surrounding_sentences
from app.domain.access import Concern, site_of
from app.domain.action import MAY_PRESS, Action, ActionRecord, PlannedAction
from app.domain.directive import ROLE_WORDS, SECRET_FIELD
from app.domain.page import MASK, ElementRef, Node, Observation
from app.domain.redaction import masked
from app.page import distinctive_tokens, enclosing_form, fields_in
from app.plans import dialog_question, one_line
from app.text import patterns

NAME = 60  # characters of a control's name that are shown
PLACE = 80  # of a record's label: a row is told apart by its first cells
VALUE = 60
QUESTION = 120  # of what the browser asks
ADDRESS = 160  # of an address: enough of its way to see where it leads
LITTLE = 4  # sentences that stand by a button alone: more are a page's own content
MOST_LINES = 8  # of values that are handed in; a person reads no more before a yes
_QUOTES = str.maketrans(dict.fromkeys("'`\u2018", "\u2019") | dict.fromkeys('"\u201c', "\u201d"))
RECORDS = frozenset({"row", "item", "tree"})
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
_ASKS = patterns.compile(r"[?\u061f\uff1f]")
_LASTING = frozenset({"deletes", "pays", "sends"})


def quote_page_text(text: str, longest: int) -> str:
    """Page text on one short line, without invisible characters and quotes that could end ours."""
    return one_line(text, longest).translate(_QUOTES)


def describe_act(
    planned: PlannedAction, node: Node | None, page: Observation, *, at: str = ""
) -> str:
    """What will happen, its place `at`, and the dialog that is answered yes; no full stop."""
    act = planned.redacted
    if act.name in ("navigate", "openTab"):
        return f"Go to {site_of(str(act.args['url']))} ({quote_page_text(str(act.args['url']), ADDRESS)})"
    dialog_text = quote_page_text(describe_agreement(planned, page), QUESTION)
    yes = f", and answer '{dialog_text}' with yes" if dialog_text else ""
    return f"{_doing(act, node, page)}{at}{yes}"


def describe_agreement(planned: PlannedAction, page: Observation) -> str:
    """What the browser asked about this action, when it is repeated to say yes."""
    dialog, decided = dialog_question(page), planned.dialog
    return dialog.message if dialog is not None and decided is not None and decided.accept else ""


def describe_place(node: Node | None, site: str = "", whose: str = "") -> str:
    """The record it acts on, or the nearest containers unless its name says that; the site."""
    kind, label = _place(node, but=node.name) if node is not None else ("", "")
    kind, label = ("item", whose) if whose else (kind, label)
    text = ""
    if kind in RECORDS:
        text = f" for {quote_page_text(label, PLACE)}"
    elif node is not None and kind in _PLACES:
        labels = (one for kind, one in node.groups if kind in _PLACES)
        places = dict.fromkeys(one for one in labels if one not in ("", node.name))
        label = " \u203a ".join([*places][-2:])
        text = f" in '{quote_page_text(label, PLACE)}'"
    label_tokens = distinctive_tokens(label)
    if node is not None and label_tokens and label_tokens <= distinctive_tokens(node.name):
        text = ""
    return f"{text} on {quote_page_text(site, PLACE)}" if site else text


def describe_element(element: ElementRef) -> str:
    """The element as a person finds it: 'btn "Delete" in row: Jas Patel, 1990'."""
    kind, label = _place(Node(id="", role=element.role, name="", group=element.group))
    place = f" in {kind}: {quote_page_text(label, PLACE)}" if label else ""
    return f'{element.role} "{quote_page_text(element.name, NAME)}"{place}'


def _place(node: Node, *, but: str = "") -> tuple[str, str]:
    """The container that locates a control: its record, else the innermost with a label."""
    containers = [(kind, label) for kind, label in reversed(node.groups) if label and label != but]
    records = (one for one in containers if one[0] in RECORDS)
    return next(records, None) or next(iter(containers), ("", ""))


def opened_records(page: Observation) -> tuple[str, ...]:
    """The labels of records that have something open in them, in page order."""
    labels = (_record(node.groups) for node in page.tree if "expanded" in node.states)
    return tuple(sorted({label for label in labels if label}))


def menu_record(node: Node | None, page: Observation, records: Sequence[ActionRecord]) -> str:
    """The label of the open record that a menu entry acts on, else of the last pressed control."""
    if node is None or _record(node.groups):
        return ""
    if node.role != "menu" and all(kind != "menu" for kind, _ in node.groups):
        return ""
    if opened := opened_records(page):
        return opened[0] if len(opened) == 1 else ""
    last = records[-1] if records else None
    if last is None or last.action.name != "click" or last.signature is None:
        return ""
    return _record(Node(id="", role="", name="", group=last.signature[2]).groups)


def _record(groups: Iterable[tuple[str, str]]) -> str:
    """The label of the innermost labelled record; "" if there is none."""
    labels = [label for kind, label in groups if kind in RECORDS and label]
    return labels[-1] if labels else ""


def short_label(planned: PlannedAction, node: Node | None) -> str:
    """The action as a button label: "press 'Delete'"."""
    act = planned.redacted
    if act.name in ("navigate", "openTab"):
        return f"go to {quote_page_text(site_of(str(act.args['url'])), NAME)}"
    verb = "press" if act.name in MAY_PRESS else "do this with"
    return f"{verb} {_called(node)}" if node is not None else "do it"


def describe_irreversible(effects: Iterable[Concern]) -> str:
    concerns = tuple(dict.fromkeys(effects))
    clauses = [_DOES[concern] for concern in concerns if concern in _DOES]
    if _LASTING.intersection(concerns):
        clauses.append("cannot be undone here")
    if not clauses:
        return ""
    return f"This {', '.join(clauses[:-1])}{' and ' if clauses[1:] else ''}{clauses[-1]}."


def submitted_values(
    node: Node, entered: Mapping[str, str], page: Observation, hidden: Iterable[str]
) -> tuple[str, ...]:
    """The submitted values: of the control's form, or of its neighbours outside forms, with the chain's
    own entries (`entered`, by element) first. Secrets are masked; "" without values.
    """
    form = enclosing_form(node)
    lines = []
    for field in fields_in(page, form):
        is_submitted = form is not None or (node.group and field.group == node.group)
        if is_submitted and (value := _value(field, entered.get(field.id), hidden)):
            name = quote_page_text(field.name or field.hint, NAME) or "A field without a name"
            lines.append(f"{name}: {value}")
    if len(lines) > MOST_LINES:
        lines[MOST_LINES - 1 :] = [f"… and {len(lines) - MOST_LINES + 1} more"]
    return tuple(lines)


def text_beside(node: Node, page: Observation, hidden: Iterable[str]) -> tuple[str, ...]:
    """The page's question or short text beside a control, in two lines at most, secrets masked."""
    if _record(node.groups):
        return ()
    names = {label for _, label in node.groups} | {n.name for n in page.tree if n.role != "txt"}
    texts = [
        text
        for text in dict.fromkeys(surrounding_sentences(node, page))
        if text.strip() and text not in names
    ]
    asks = [text for text in texts if _ASKS.search(text)]
    says = texts if len(texts) <= LITTLE else []
    return tuple(
        f"The page says: {quote_page_text(masked(text, hidden), QUESTION)}"
        for text in (asks or says)[:2]
    )


def _value(field: Node, entered: str | None, hidden: Iterable[str]) -> str:
    """The readable value of the field; "" for none and for an unticked box."""
    if field.role in ("chk", "rad"):
        ticked = entered == "true" if entered is not None else "checked" in field.states
        return "yes" if ticked else ""
    value = field.value or "" if entered is None else entered
    return MASK if value and _is_secret(field) else quote_page_text(masked(value, hidden), VALUE)


def _is_secret(field: Node) -> bool:
    return field.input_type == "password" or SECRET_FIELD.search(field.name) is not None


def _called(node: Node | None) -> str:
    if node is None:
        return "what has the focus"
    name = quote_page_text(node.name or node.hint, NAME)
    return f"'{name}'" if name else f"the {ROLE_WORDS.get(node.role, 'control')} without a name"


# What an act does to the control `it`, as an order.
_ORDERS = {
    "click": "Press {it}",
    "doubleClick": "Double-click {it}",
    "press": "Hold {it} down",
    "selectOption": "Choose '{label}' in {it}",
    "setValue": "Enter '{text}' in {it}",
    "uploadFile": "Upload '{name}' in {it}",
    "drag": "Drag from the point {x1}, {y1} to {x2}, {y2}",
    "dragTo": "Drag {it} onto {onto}",
}


def _doing(act: Action, node: Node | None, page: Observation) -> str:
    args = {key: quote_page_text(str(value), VALUE) for key, value in act.args.items()}
    it = _called(node)
    match act.name:
        case "clickAt":
            point = f"at the point {args['x']}, {args['y']}"
            return f"Press {it}, {point}" if node else f"Press {point}"
        case "pressKey":
            return f"Press {args['key']}" + (f", which does what {it} does" if node else "")
        case "setChecked":
            return f"{'Tick' if act.args['checked'] else 'Clear'} {it}"
        case "uploadFile" if act.entered is not None:
            return f"Make the file '{args['name']}' of the text '{args['text']}' for {it}"
        case "setValue":
            args["text"] = MASK if node is not None and _is_secret(node) else args["text"]
        case "press" if node is None:
            it = f"the point {args['x']}, {args['y']}"
        case "dragTo":
            goal = page.tree.get(args.get("targetId", ""))
            point = f"the point {args.get('x')}, {args.get('y')}"
            args["onto"] = point if "x" in args else _called(goal)
    if (order := _ORDERS.get(act.name)) is not None:
        return order.format(it=it, **args)
    verb = patterns.sub(r"(?<=[a-z])(?=[A-Z])", " ", act.name).capitalize()
    return f"{verb} {it}" if node else verb
