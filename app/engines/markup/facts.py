"""What of an element is written down, and what never is."""

from collections.abc import Iterable, Iterator, Mapping

from app.domain.page import MASK
from app.engines.markup.scan import Open
from app.text import patterns

ID = "data-llm-id"  # the id of the control in the list of controls
CONTROLS = frozenset({"a", "button", "input", "select", "option", "textarea", "summary"})
_ROLES = frozenset(
    {
        "button", "link", "textbox", "searchbox", "checkbox", "switch", "radio", "combobox",
        "listbox", "option", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem",
        "slider", "spinbutton", "gridcell",
    }
)  # fmt: skip
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
_HARMLESS = frozenset({*_BRIEF, "id", "class", "autocomplete", "for"}) - {"value"}


def hidden(tag: Open) -> bool:
    """Whether the page says that a person does not see it; style sheets are not known here."""
    own = tag.attributes
    if tag.name == "input" and own.get("type", "").lower() == "hidden":
        return True
    if "hidden" in own or own.get("aria-hidden", "").lower() == "true":
        return True
    return bool(_UNSEEN.search(own.get("style", "")))


def is_control(tag: Open) -> bool:
    """Whether a person can act on it."""
    own = tag.attributes
    if ID in own or tag.name in CONTROLS - {"a"}:
        return True
    if tag.name == "a":
        return "href" in own or "role" in own
    if own.get("role", "").lower() in _ROLES:
        return True
    return own.get("contenteditable", "false").lower() in ("", "true", "plaintext-only")


def secret(tag: Open) -> bool:
    """Whether the field holds what nobody may read."""
    own = tag.attributes
    is_password = own.get("type", "").lower() == "password"
    return tag.name == "input" and (
        is_password or bool(_SECRET.search(own.get("autocomplete", "")))
    )


def brief(tag: Open, length: int) -> str:
    """The start tag with what tells a control from another."""
    return _written(tag, _BRIEF, length)


def whole(tag: Open, length: int) -> str:
    """The start tag with all but scripts and styles."""
    return _written(tag, [name for name in tag.attributes if not _NEVER.match(name)], length)


def escaped(text: str) -> str:
    """Text that is no markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _written(tag: Open, names: Iterable[str], length: int) -> str:
    own = _without_secret(tag)
    return f"<{tag.name}{''.join(_attributes(own, names, length))}>"


def _without_secret(tag: Open) -> Mapping[str, str]:
    """A script may have copied a secret into any attribute: of such a field only plain ones stay."""
    if not secret(tag):
        return tag.attributes
    own = {name: value for name, value in tag.attributes.items() if name in _HARMLESS}
    return own | ({"value": MASK} if tag.attributes.get("value") else {})


def _attributes(own: Mapping[str, str], names: Iterable[str], length: int) -> Iterator[str]:
    for name in names:
        value = own.get(name)
        if value is None:
            continue
        said = " ".join(value.split())[:length]
        if said.lower().startswith(("data:", "javascript:")):
            said = said[: said.index(":") + 1]
        quoted = escaped(said).replace('"', "&quot;")
        yield f' {name}="{quoted}"' if said else f" {name}"
