"""Selects the attributes of an element to keep."""

from collections.abc import Iterable
from html import escape

from app.domain.page import MASK
from app.page.markup.tokenizer import Open
from app.text import patterns

ID = "data-llm-id"  # the control's id in the control list
CONTROLS = frozenset({"button", "input", "select", "option", "textarea", "summary"})
ROLES = {
    "button": "btn", "link": "link", "checkbox": "chk", "switch": "chk", "radio": "rad",
    "tab": "tab", "menuitem": "menu", "menuitemcheckbox": "menu", "menuitemradio": "menu",
    "option": "opt", "textbox": "inp", "searchbox": "inp", "spinbutton": "inp", "combobox": "sel",
    "listbox": "sel", "treeitem": "tree", "slider": "range", "gridcell": "el", "row": "row",
    "img": "img", "alert": "txt", "status": "txt", "heading": "txt",
}  # fmt: skip
_SEEN_ONLY = frozenset({"row", "img", "txt"})
_BRIEF = (
    ID, "type", "role", "name", "placeholder", "href", "title", "alt", "aria-label",
    "aria-expanded", "aria-selected", "aria-checked", "aria-pressed", "aria-current",
    "aria-disabled", "aria-invalid", "disabled", "required", "readonly", "multiple", "checked",
    "selected", "value",
)  # fmt: skip
_SECRET = patterns.compile(
    r"(^|\s)(current-password|new-password|one-time-code|cc-csc)(\s|$)", patterns.IGNORECASE
)
_NEVER = patterns.compile(r"^(on|style$|nonce$|integrity$|srcset$|sizes$|srcdoc$|ping$)")
_UNSEEN = patterns.compile(r"(display\s*:\s*none|visibility\s*:\s*hidden)", patterns.IGNORECASE)
_HARMLESS = frozenset({*_BRIEF, "id", "class", "autocomplete", "for"})


def is_hidden(tag: Open) -> bool:
    """Whether the element is marked as hidden; style sheets are not evaluated."""
    own = tag.attributes
    if tag.name == "input" and own.get("type", "").lower() == "hidden":
        return True
    if "hidden" in own or own.get("aria-hidden", "").lower() == "true":
        return True
    return bool(_UNSEEN.search(own.get("style", "")))


def is_control(tag: Open) -> bool:
    """Whether the element is interactive."""
    own, role = tag.attributes, ROLES.get(tag.attributes.get("role", "").lower(), "txt")
    if ID in own or role not in _SEEN_ONLY:
        return True
    if tag.name == "a":
        return "href" in own
    editable = own.get("contenteditable", "false").lower()
    return tag.name in CONTROLS or editable in ("", "true", "plaintext-only")


def is_secret_input(tag: Open) -> bool:
    """Whether the field holds a secret."""
    own = tag.attributes
    is_password = own.get("type", "").lower() == "password"
    return tag.name == "input" and (
        is_password or bool(_SECRET.search(own.get("autocomplete", "")))
    )


def brief_tag(tag: Open, length: int) -> str:
    """Return the start tag with only the attributes that identify a control."""
    return _written(tag, _BRIEF, length)


def full_tag(tag: Open, length: int) -> str:
    """Return the start tag without scripts and styles."""
    return _written(tag, [name for name in tag.attributes if not _NEVER.match(name)], length)


def _written(tag: Open, names: Iterable[str], length: int) -> str:
    """Write the tag. Scripts may copy a secret, so secret fields keep only allowed attributes."""
    own, is_secret, parts = tag.attributes, is_secret_input(tag), [tag.name]
    for name in names:
        if name not in own or (is_secret and name not in _HARMLESS):
            continue
        said = " ".join(own[name].split())[:length]
        if said.lower().startswith(("data:", "javascript:")):
            said = said[: said.index(":") + 1]
        if is_secret and name == "value":
            said = MASK if said else ""
        parts.append(f'{name}="{escape(said)}"' if said else name)
    return f"<{' '.join(parts)}>"
