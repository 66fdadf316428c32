"""A one-pass HTML tokenizer for hostile input, and which attributes of a tag to keep.

The standard library's parser takes quadratic time on unclosed tags (95 s for 100 kB of "<a " on
Python 3.11.7), and tree builders recurse or slow down with depth. This tokenizer looks at each
character a bounded number of times, keeps only its position, and limits the number of tags. Broken
markup gives wrong tokens, but quickly.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape, unescape

from app.domain.page import MASK
from app.text import patterns

MAX_TAGS = 40_000  # about a rendered page of 2 MB; takes about 0.2 s
MAX_ATTRIBUTES = 60  # attributes of one tag; the rest is skipped
MAX_VALUE = 4_000  # characters of one attribute
# Elements whose content is not markup and not worth reading.
UNREAD = frozenset({"script", "style", "noscript", "template", "iframe", "xmp", "noembed"})
VOID = frozenset(
    {
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param",
        "source", "track", "wbr",
    }
)  # fmt: skip

_OPEN = patterns.compile(r"<(?=[a-zA-Z/!?])")
_NAME = patterns.compile(r"[a-zA-Z][^\s/>]*")
_ATTRIBUTE = patterns.compile(
    r"""[\s/]*([^\s"'>/=][^\s>/=]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>"'][^\s>]*)?)?"""
)


@dataclass(frozen=True, slots=True)
class Open:
    """A start tag. Attribute names are lower case; the first of duplicate attributes counts."""

    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Close:
    """An end tag."""

    name: str


Token = Open | Close | str


def tokenize(html: str, most: int = MAX_TAGS) -> Iterator[Token]:
    """Yield at most `most` tags and the texts between them with entities decoded.

    Comments, declarations and the content of `UNREAD` elements are skipped. An unclosed tag,
    comment or script swallows the rest, as in a browser.
    """
    at, count = 0, 0
    while at < len(html):
        found = _OPEN.search(html, at)
        start = found.start() if found else len(html)
        if start > at:
            yield unescape(html[at:start])
        if found is None or count == most:
            return
        count += 1
        token, at = _next_tag(html, start)
        if token is not None:
            yield token
        if at < 0:
            return


def _next_tag(html: str, start: int) -> tuple[Token | None, int]:
    """Return the tag at `start` and the position after it, or -1."""
    if html.startswith("<!--", start):
        return None, _find_end(html, "-->", start + 4)
    name = _NAME.match(html, start + 2 if html.startswith("</", start) else start + 1)
    if html[start + 1] in "!?/":
        end = _find_end(html, ">", start)
        closes = html[start + 1] == "/" and name is not None
        return (Close(name[0].lower()) if closes and name else None), end
    assert name is not None
    return _read_tag(html, name[0].lower(), name.end())


def _find_end(html: str, text: str, start: int) -> int:
    at = html.find(text, start)
    return -1 if at < 0 else at + len(text)


def _read_tag(html: str, name: str, at: int) -> tuple[Token | None, int]:
    attributes: dict[str, str] = {}
    for _ in range(MAX_ATTRIBUTES):
        found = _ATTRIBUTE.match(html, at)
        if found is None:
            break
        attributes.setdefault(found[1].lower(), _decode_value(found[2]))
        at = found.end()
    end = _find_end(html, ">", at)
    if end < 0:
        return None, -1
    return Open(name, attributes), _skip_content(html, name, end) if name in UNREAD else end


def _decode_value(raw: str | None) -> str:
    bare = (raw or "")[: MAX_VALUE + 2]
    return unescape(bare[1:].rstrip(bare[0]) if bare[:1] in ("'", '"') else bare)


def _skip_content(html: str, name: str, at: int) -> int:
    closing = patterns.compile(rf"</{name}", patterns.IGNORECASE).search(html, at)
    return closing.start() if closing else -1


ID = "data-llm-id"  # the control's id in the control list
CONTROLS = frozenset({"button", "input", "select", "option", "textarea", "summary"})
ROLES = {
    "button": "btn", "link": "link", "checkbox": "chk", "switch": "chk", "radio": "rad",
    "tab": "tab", "menuitem": "menu", "menuitemcheckbox": "menu", "menuitemradio": "menu",
    "option": "opt", "textbox": "inp", "searchbox": "inp", "spinbutton": "inp", "combobox": "sel",
    "listbox": "sel", "treeitem": "tree", "slider": "range", "gridcell": "el", "row": "row",
    "img": "img", "alert": "txt", "status": "txt", "heading": "txt",
}  # fmt: skip
_PASSIVE_ROLES = frozenset({"row", "img", "txt"})
_BRIEF = (
    ID, "type", "role", "name", "placeholder", "href", "title", "alt", "aria-label",
    "aria-expanded", "aria-selected", "aria-checked", "aria-pressed", "aria-current",
    "aria-disabled", "aria-invalid", "disabled", "required", "readonly", "multiple", "checked",
    "selected", "value",
)  # fmt: skip
_SECRET = patterns.compile(
    r"(^|\s)(current-password|new-password|one-time-code|cc-csc)(\s|$)", patterns.IGNORECASE
)
_DROPPED = patterns.compile(r"^(on|style$|nonce$|integrity$|srcset$|sizes$|srcdoc$|ping$)")
_HIDDEN_STYLE = patterns.compile(
    r"(display\s*:\s*none|visibility\s*:\s*hidden)", patterns.IGNORECASE
)
_HARMLESS = frozenset({*_BRIEF, "id", "class", "autocomplete", "for"})


def is_hidden(tag: Open) -> bool:
    """Whether the element is marked as hidden; style sheets are not evaluated."""
    own = tag.attributes
    if tag.name == "input" and own.get("type", "").lower() == "hidden":
        return True
    if "hidden" in own or own.get("aria-hidden", "").lower() == "true":
        return True
    return bool(_HIDDEN_STYLE.search(own.get("style", "")))


def is_control(tag: Open) -> bool:
    own, role = tag.attributes, ROLES.get(tag.attributes.get("role", "").lower(), "txt")
    if ID in own or role not in _PASSIVE_ROLES:
        return True
    if tag.name == "a":
        return "href" in own
    editable = own.get("contenteditable", "false").lower()
    return tag.name in CONTROLS or editable in ("", "true", "plaintext-only")


def is_secret_input(tag: Open) -> bool:
    own = tag.attributes
    is_password = own.get("type", "").lower() == "password"
    return tag.name == "input" and (
        is_password or bool(_SECRET.search(own.get("autocomplete", "")))
    )


def brief_tag(tag: Open, length: int) -> str:
    """Return the start tag with only the attributes that identify a control."""
    return _write_tag(tag, _BRIEF, length)


def full_tag(tag: Open, length: int) -> str:
    return _write_tag(tag, [name for name in tag.attributes if not _DROPPED.match(name)], length)


def _write_tag(tag: Open, names: Iterable[str], length: int) -> str:
    """Write the tag. Scripts may copy a secret, so secret fields keep only allowed attributes."""
    own, is_secret, parts = tag.attributes, is_secret_input(tag), [tag.name]
    for name in names:
        if name not in own or (is_secret and name not in _HARMLESS):
            continue
        value = " ".join(own[name].split())[:length]
        if value.lower().startswith(("data:", "javascript:")):
            value = value[: value.index(":") + 1]
        if is_secret and name == "value":
            value = MASK if value else ""
        parts.append(f'{name}="{escape(value)}"' if value else name)
    return f"<{' '.join(parts)}>"
