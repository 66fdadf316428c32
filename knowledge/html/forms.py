"""Describes form controls in words: labels, constraints and options are part of the knowledge."""

from bs4 import Tag
from bs4.element import NavigableString

from knowledge.html.page import Page, above, attribute, tags, text_of

MOST_OPTIONS = 60  # options listed per control; the rest is counted
LONGEST_SAID = 200  # characters of a hint or an option
_KINDS = {
    "checkbox": "checkbox", "radio": "option", "file": "file", "password": "password", "date": "date",
    "datetime-local": "date and time", "time": "time", "month": "month", "week": "week", "number": "number",
    "range": "number", "email": "email", "tel": "telephone", "url": "address", "search": "search",
    "color": "colour",
}  # fmt: skip
_PUSHED = frozenset({"submit", "button", "reset", "image"})


def replace_controls(page: Page, root: Tag, by_id: dict[str, Tag]) -> None:
    """Replace each control by a description. The user's input is never included."""
    labelled = {attribute(label, "for") for label in tags(page, "label") if "for" in label.attrs}
    for tag in list(tags(root, "input", "select", "textarea", "button")):
        if tag.decomposed:
            continue
        words = _button(tag) if _is_button(tag) else _field(tag, labelled, by_id)
        tag.replace_with(NavigableString(words))


def _is_button(tag: Tag) -> bool:
    return tag.name == "button" or (
        tag.name == "input" and attribute(tag, "type").lower() in _PUSHED
    )


def _button(tag: Tag) -> str:
    said = text_of(tag) or attribute(tag, "aria-label") or attribute(tag, "title")
    said = said or attribute(tag, "value") or attribute(tag, "alt")
    short = " ".join(said.split())[:LONGEST_SAID]
    return f" [button: {short}] " if short else " "


def _field(tag: Tag, labelled: set[str], by_id: dict[str, Tag]) -> str:
    parts = [_kind(tag)]
    if "required" in tag.attrs or attribute(tag, "aria-required").lower() == "true":
        parts.append("required")
    if "disabled" in tag.attrs:
        parts.append("disabled")
    if span := _span(tag):
        parts.append(span)
    said = f"[{', '.join(parts)}{_hints(tag, by_id)}{_options(tag)}]"
    label = "" if _has_label(tag, labelled) else _own_label(tag, by_id)
    return f" {label}: {said} " if label else f" {said} "


def _kind(tag: Tag) -> str:
    if tag.name == "select":
        return "choices" if "multiple" in tag.attrs else "choice"
    if tag.name == "textarea":
        return "long text"
    return _KINDS.get(attribute(tag, "type").lower(), "text")


def _span(tag: Tag) -> str:
    """Allowed range of numbers or dates, or maximum length of text."""
    low, high = attribute(tag, "min")[:20], attribute(tag, "max")[:20]
    if low or high:
        return f"{low or '…'} to {high or '…'}"
    longest = attribute(tag, "maxlength")
    return f"at most {longest} characters" if longest.isdigit() and len(longest) < 5 else ""


def _hints(tag: Tag, by_id: dict[str, Tag]) -> str:
    """The placeholder. Text referenced by `aria-describedby` is on the page already."""
    hint = attribute(tag, "placeholder") or attribute(tag, "title")
    short = " ".join(hint.split())[:LONGEST_SAID]
    return f", as in: {short}" if short and short != _own_label(tag, by_id) else ""


def _options(tag: Tag) -> str:
    if tag.name != "select":
        return ""
    said: list[str] = []
    for group in tags(tag, "optgroup", "option"):
        label = attribute(group, "label") or text_of(group)
        if group.name == "option" and label:
            said.append(label[:LONGEST_SAID])
        elif group.name == "optgroup" and label:
            said.append(f"({label[:LONGEST_SAID]})")
    more = len(said) - MOST_OPTIONS
    listed = " · ".join(said[:MOST_OPTIONS])
    return f": {listed}" + (f" and {more} more" if more > 0 else "") if said else ""


def _has_label(tag: Tag, labelled: set[str]) -> bool:
    ident = attribute(tag, "id")
    return (ident != "" and ident in labelled) or above(tag, "label") is not None


def _own_label(tag: Tag, by_id: dict[str, Tag]) -> str:
    """The name of a control whose label is not in the surrounding text."""
    said = attribute(tag, "aria-label")
    if not said and attribute(tag, "aria-labelledby"):
        return ""  # its label is on the page already
    said = said or attribute(tag, "placeholder") or attribute(tag, "title")
    return " ".join(said.split())[:LONGEST_SAID]
