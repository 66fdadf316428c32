"""What a tag is to who uses it: its role and its states, in the words of the list of controls."""

from collections.abc import Iterator

from app.engines.markup.scan import Open

_INPUTS = {
    "checkbox": "chk", "radio": "rad", "submit": "btn", "button": "btn", "reset": "btn",
    "image": "btn", "file": "file", "range": "range",
}  # fmt: skip
_TAGS = {
    "a": "link", "button": "btn", "summary": "btn", "select": "sel", "textarea": "inp",
    "option": "opt", "img": "img", "canvas": "img", "svg": "img",
}  # fmt: skip
_ROLES = {
    "button": "btn", "link": "link", "checkbox": "chk", "switch": "chk", "radio": "rad",
    "tab": "tab", "menuitem": "menu", "menuitemcheckbox": "menu", "menuitemradio": "menu",
    "option": "opt", "textbox": "inp", "searchbox": "inp", "spinbutton": "inp", "combobox": "sel",
    "listbox": "sel", "treeitem": "tree", "slider": "range", "row": "row", "img": "img",
    "alert": "txt", "status": "txt", "heading": "txt",
}  # fmt: skip
_TRUE = {
    "aria-checked": "checked", "aria-selected": "selected", "aria-pressed": "pressed",
    "aria-disabled": "disabled", "aria-invalid": "invalid", "aria-required": "required",
    "aria-readonly": "readonly",
}  # fmt: skip


def role_of(tag: Open) -> str:
    """The role, as in `app.domain.page.Role`."""
    said = _ROLES.get(tag.attributes.get("role", "").lower())
    if tag.name == "input":
        own = _INPUTS.get(tag.attributes.get("type", "").lower(), "inp")
        return said if said and own == "btn" else own
    return said or _TAGS.get(tag.name, "el")


def states_of(tag: Open) -> Iterator[str]:
    """The states, as in `app.domain.page.State`."""
    own = tag.attributes
    yield from (name for name in ("disabled", "readonly", "required", "checked") if name in own)
    yield from (state for name, state in _TRUE.items() if own.get(name, "").lower() == "true")
    if own.get("aria-checked", "").lower() == "mixed":
        yield "mixed"
    if own.get("aria-current", "false").lower() != "false":
        yield "current"
    if own.get("aria-haspopup", "false").lower() != "false":
        yield "haspopup"
    if own.get("aria-expanded", "").lower() in ("true", "false"):
        yield "expanded" if own["aria-expanded"].lower() == "true" else "collapsed"
