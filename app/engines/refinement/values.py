"""A value on its way into a control: by which action, and whether it is there already."""

from app.domain.action import Action, action
from app.domain.page import MASK, Node
from app.engines.grounding.label import label
from app.engines.grounding.similarity import similarity
from app.engines.planning.wording import quoted, secret
from app.engines.refinement.dates import entered
from app.engines.refinement.messages import called
from app.text import patterns

YES = frozenset(
    {"yes", "true", "on", "checked", "check", "enabled", "1", "y", "agree", "agreed", "tick"}
)
NO = frozenset({"no", "false", "off", "unchecked", "uncheck", "disabled", "0", "n", "none"})
ALIKE = 0.72  # an option may be a longer spelling of what was asked for, never another thing
SHORTEST = 4  # letters of a value that a longer option may hold
DENYING = frozenset({"not", "no", "non", "without", "un", "never"})
SLIP = 0.85  # how far below the best an option may be and still be confused with it


def setting(node: Node, value: str) -> tuple[Action, str] | None:
    """The action that gives the control the value, and what it is called; None if it cannot take it."""
    if node.role == "sel":
        option = option_for(node.options, value) if node.options else value  # it opens to show them
        if option is None:
            return None
        return action("selectOption", node.id, option), f"Choose {quoted(option)} in {called(node)}"
    if node.role == "chk":
        wanted = truth(value)
        if wanted is None:
            return None
        return action(
            "setChecked", node.id, wanted
        ), f"{'Check' if wanted else 'Uncheck'} {called(node)}"
    if node.role == "rad":
        return action("click", node.id), f"Choose {called(node)}"
    if node.role == "file":
        return action("uploadFile", node.id, value), f"Upload {quoted(value)}"
    if node.role in {"inp", "range"}:
        shown = "the password" if hidden(node) else quoted(value)
        return action("setValue", node.id, entered(node, value)), f"Enter {shown} in {called(node)}"
    return None


def holds(node: Node, value: str) -> bool:
    """Whether the control has the value already; never known of a password."""
    if node.role == "chk":
        return truth(value) is not None and ("checked" in node.states) == truth(value)
    if node.role == "rad":
        return "checked" in node.states
    if node.role == "sel":
        option = option_for(node.options, value) if node.options else value
        return option is not None and (node.value or "") == option and "mixed" not in node.states
    if node.value in {None, MASK}:
        return False
    return node.value == entered(node, value)


def hidden(node: Node) -> bool:
    """Whether what is typed there is for nobody's eyes."""
    return node.input_type == "password" or secret(node.name)


def truth(value: str) -> bool | None:
    """Yes or no, as a checkbox understands it."""
    word = value.strip().lower()
    return True if word in YES else False if word in NO else None


def option_for(options: tuple[str, ...], value: str) -> str | None:
    """The option a person means by `value`, or None when none or several could be meant."""
    exact = [option for option in options if option.strip().casefold() == value.strip().casefold()]
    if exact:
        return exact[0]
    if (longer := _spelled_out(options, value)) is not None:
        return longer
    wanted = label(value)
    meant = [o for o in options if DENYING & set(label(o).words) <= set(wanted.words)]
    scored = sorted(((similarity(wanted, label(o)), o) for o in meant), reverse=True)
    best = [(score, option) for score, option in scored if score >= ALIKE]
    if not best:
        return _numbered(options, value)
    if len(best) > 1 and best[1][0] >= best[0][0] * SLIP and best[0][0] < 0.9:
        return None
    return best[0][1]


def _spelled_out(options: tuple[str, ...], value: str) -> str | None:
    """The one option that is the value with more beside it: "(UTC+1) Berlin"; never "Not paid" for "paid"."""
    said = label(value).words
    if not said or len("".join(said)) < SHORTEST:
        return None
    held = []
    for option in options:
        words = label(option).words
        rest = words[: -len(said)] if words[-len(said) :] == said else words[len(said) :]
        whole = len(words) > len(said) and said in (words[: len(said)], words[-len(said) :])
        if whole and not DENYING & set(rest):
            held.append(option)
    return held[0] if len(held) == 1 else None


def _numbered(options: tuple[str, ...], value: str) -> str | None:
    """The option of the same number: "3" for "3 items", "03" for "3"."""
    if not (number := patterns.fullmatch(r"\D{0,3}(\d+)\D{0,3}", value.strip())):
        return None
    same = [
        o
        for o in options
        if patterns.findall(r"\d+", o)[:1] and int(patterns.findall(r"\d+", o)[0]) == int(number[1])
    ]
    return same[0] if len(same) == 1 else None
