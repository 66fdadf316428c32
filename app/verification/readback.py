"""Judges whether a field has the entered value."""

import unicodedata
from decimal import Decimal
from functools import lru_cache

from app.domain.action import Action
from app.domain.page import MASK, Node, Observation
from app.page import UNSPACED, label_of, quote
from app.text import patterns
from app.text.lexicon import words
from app.text.vocabulary import numbers
from app.verification.evidence import Evidence, Scene, failure, success, unclear

_CURRENCY = patterns.compile(
    r"^[\s€$£¥₪₹%]+|[\s€$£¥₪₹%]+$|^(?:eur|usd|gbp|chf)\s+|\s+(?:eur|usd|gbp|chf|zł|kr)$",
    patterns.IGNORECASE,
)
_NUMERIC = patterns.compile(r"[\d\s.,:/+()'-]+")
_CLOCK = patterns.compile(r"(\d{1,2}):(\d{2})(?::00)?\s*([ap])?\.?(?:m\b\.?)?", patterns.IGNORECASE)
_MONTHS = numbers("values.months")
_DATE_PARTS = 3
_YEAR = 1_000


def is_same_formatted(value: str, text: str) -> bool:
    """Whether both are the same number, date, time or telephone number in different formats.

    "1990-01-05", "05/01/1990" and "5 January 1990"; "1234.5" and "1.234,50 €"; "+4930123" and "+49
    30 123"; "14:05" and "2:05 PM".
    """
    value, text = (
        _CURRENCY.sub("", unicodedata.normalize("NFKC", one)).strip() for one in (value, text)
    )
    if value == text:
        return bool(text)
    for read in (_time, _date):
        one, other = read(value), read(text)
        if one is not None and other is not None:
            # If the year is at the same end, day and month are not swapped.
            years = [[part >= _YEAR for part in parts] for parts in (one, other)]
            return one == other or (sorted(one) == sorted(other) and years[0] != years[1])
    if not (_NUMERIC.fullmatch(value) and _NUMERIC.fullmatch(text)):
        return False
    if text.startswith("0") and text[1:2].isdigit() and not value.startswith("0"):
        return False  # a lost leading zero is significant, as in a postcode
    text_numbers, value_numbers = _numbers(text), _numbers(value)
    if text_numbers and value_numbers:
        return not text_numbers.isdisjoint(value_numbers)
    digits = patterns.sub(r"\D", "", text)
    return bool(digits) and digits == patterns.sub(r"\D", "", value)


def _time(text: str) -> tuple[int, ...] | None:
    found = _CLOCK.fullmatch(text)
    if found is None:
        return None
    hour, half = int(found[1]), (found[3] or "").lower()
    return (hour % 12 + (12 if half == "p" else 0) if half else hour), int(found[2])


def _date(text: str) -> tuple[int, ...] | None:
    """Return the numbers of a date in written order, named months included; None if not a date."""
    named = [(0, _MONTHS[word]) for word in words(text).split() if word in _MONTHS]
    if not named and not _NUMERIC.fullmatch(text):
        return None
    parts = [int(part) for part in patterns.findall(r"\d+", text)]
    parts += [month for _, month in named]
    is_one = len(parts) == _DATE_PARTS and any(part >= _YEAR for part in parts)
    return tuple(parts) if is_one else None


def _numbers(text: str) -> set[Decimal]:
    """Return the possible values, reading commas and points as decimal or thousands separators."""
    plain = patterns.sub(r"[\s']", "", text)
    return {
        Decimal(plain.replace(thousands, "").replace(point, "."))
        for thousands, point in (",.", ".,")
        if patterns.fullmatch(
            rf"[+-]?(?:\d+|\d{{1,3}}(?:\{thousands}\d{{3}})+)(?:\{point}\d*)?", plain
        )
    }


_ENTRIES = frozenset({"inp", "sel", "opt", "range"})
_CHOICES = frozenset({"opt", "rad", "tab"})
_SPACES = patterns.compile(r" {2,}|[^\S\n ]+")
_REMEMBERED = 8_192  # texts


def judge_set_value(scene: Scene, action: Action) -> Evidence:
    text, node = str(action.args["text"]), scene.node_after(action)
    if node is None:
        return _judge_vanished_field(scene, text)
    name = label_of(node)
    if node.input_type == "password" or node.value == MASK:
        return _judge_password(scene, node, text)
    value = node.value or ""
    if node.role == "el" and text and is_same_value(node.name, text):
        return success(0.95, f"The cell holds '{quote(text)}'")  # its name is its content
    if is_same_value(value, text):
        return success(0.98, f"{name} holds '{quote(text)}'" if text else f"{name} is empty")
    if text and not value and any(_has_word(n.name, text) for n in scene.diff.added):
        return success(0.78, f"'{quote(text)}' was taken over beside {name}", superseded=True)
    if node.input_type == "color" and not text.startswith("#") and scene.reports_success:
        return success(0.9, f"{name} holds '{quote(value)}'")  # only the page resolves colour names
    if is_same_formatted(value, text):
        return success(0.9, f"{name} holds '{quote(value)}' for '{quote(text)}'")
    if node.role == "range" and scene.reports_success and (not value or value.endswith("%")):
        # Only the page knows the slider's unit: a percentage is its position.
        return success(0.78, f"{name} was moved to '{quote(text)}'")
    what = f"holds '{quote(value)}' and not '{quote(text)}'" if value else "is empty"
    return failure(0.93, f"{name} {what}")


def judge_select_option(scene: Scene, action: Action) -> Evidence:
    label, node = str(action.args["label"]), scene.node_after(action)
    if node is None:
        return _judge_vanished_field(scene, label)
    if node.role in _CHOICES:  # its own name does not show whether it was chosen
        chosen = bool(node.states & {"selected", "checked"})
        return (
            success(0.95, f"'{quote(label)}' is selected")
            if chosen
            else unclear(0.5, "Cannot tell")
        )
    values = (node.value or "", *((node.value or "").split(", ")), node.name)
    last = label.rpartition(" / ")[2]  # the last of a path of nested options
    if any(is_same_value(text, one) for text in values for one in (label, last)):
        return success(0.97, f"{label_of(node)} holds '{quote(label)}'")
    if node.role != "sel" and _has_word(node.name, label):
        return success(0.88, f"{label_of(node)} shows '{quote(label)}'")
    for option in scene.after.tree:
        is_it = option.role in _CHOICES and is_same_value(option.name, label)
        if is_it and option.states & {"selected", "checked"}:
            return success(0.95, f"'{quote(label)}' is selected")
    if has_appeared(scene, label):  # beside the field, as one of several chosen values
        return success(0.88, f"The page shows '{quote(label)}' now")
    return failure(
        0.9, f"{label_of(node)} holds '{quote(node.value or '')}' and not '{quote(label)}'"
    )


def judge_set_checked(scene: Scene, action: Action) -> Evidence:
    expected, node = bool(action.args["checked"]), scene.node_after(action)
    if node is None:
        return _judge_vanished_field(scene, "")
    if is_on(node) is expected:
        return success(0.97, f"{label_of(node)} is {'checked' if expected else 'not checked'}")
    return failure(0.93, f"{label_of(node)} is {'not' if expected else 'still'} checked")


def judge_upload(scene: Scene, action: Action) -> Evidence:
    name, node = str(action.args["name"]), scene.node_after(action)
    file = patterns.split(r"[/\\]", name)[-1]
    was, value = scene.node_before(action), node.value if node is not None else None
    is_new = scene.reports_success and (
        was is None or was.value != value
    )  # the person may have chosen it
    if value and (is_new or _has_word(value, file)):
        return success(0.95, f"The field holds {quote(value)}")
    if has_appeared(scene, file):
        return success(0.85, f"The page shows {quote(file)}")
    return unclear(0.5, "The page does not show the file")


def is_on(node: Node) -> bool | None:
    """Whether a toggle is on; None if partly."""
    if "mixed" in node.states:
        return None
    return bool(node.states & {"checked", "pressed", "selected"})


def is_same_value(value: str, text: str) -> bool:
    return value == text or normalize_text(value) == normalize_text(text)


def has_appeared(scene: Scene, text: str) -> bool:
    """Whether the text occurs more often than before, outside fields."""
    now = count_occurrences(scene.page_text("after", _page_words), text)
    return now > 0 and now > count_occurrences(scene.page_text("before", _page_words), text)


def count_mentions(page: Observation, text: str) -> int:
    """Count occurrences of the text as whole words, outside fields and error messages."""
    return count_occurrences(_page_words(page), text)


def _page_words(page: Observation) -> str:
    names = [
        n.name
        for n in page.tree.nodes
        if n.name and n.role not in _ENTRIES and "alert" not in n.states
    ]
    return _SPACES.sub(" ", _fold_case("\n".join((*names, page.summary))))


def count_occurrences(normalized: str, text: str) -> int:
    """Count occurrences of a text as whole words in a normalized text."""
    needle = normalize_text(text)
    if not needle or needle not in normalized:
        return 0
    start = "" if UNSPACED.match(needle[0]) else r"(?<!\w)"
    end = "" if UNSPACED.match(needle[-1]) else r"(?!\w)"
    return len(patterns.findall(rf"{start}{patterns.escape(needle)}{end}", normalized))


def _has_word(where: str, text: str) -> bool:
    return count_occurrences(normalize_text(where), text) > 0


@lru_cache(maxsize=_REMEMBERED)
def normalize_text(text: str) -> str:
    return " ".join(_fold_case(text).split())


def _fold_case(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def _judge_password(scene: Scene, node: Node, text: str) -> Evidence:
    """Judge a password by the client's report: passwords never leave the page, which compares it."""
    if bool(node.value) == bool(text):
        if scene.reports_success:
            return success(0.95, f"{label_of(node)} took what was entered")
        return unclear(0.6, f"{label_of(node)} holds something that cannot be read back")
    return failure(0.9, f"{label_of(node)} is {'still filled' if node.value else 'empty'}")


def _judge_vanished_field(scene: Scene, text: str) -> Evidence:
    if text and has_appeared(scene, text):
        why = f"The field is gone, and the page shows '{quote(text)}'"
        return success(0.75, why, superseded=True)
    return unclear(0.5, "The field is no longer on the page", superseded=True)
