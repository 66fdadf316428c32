"""A one-pass HTML tokenizer for hostile input.

The standard library's parser takes quadratic time on unclosed tags (95 s for 100 kB of "<a " on
Python 3.11.7), and tree builders recurse or slow down with depth. This tokenizer looks at each
character a bounded number of times, keeps only its position, and limits the number of tags. Broken
markup gives wrong tokens, but quickly.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape

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
        token, at = _tag(html, start)
        if token is not None:
            yield token
        if at < 0:
            return


def _tag(html: str, start: int) -> tuple[Token | None, int]:
    """Return the tag at `start` and the position after it, or -1."""
    if html.startswith("<!--", start):
        return None, _after(html, "-->", start + 4)
    name = _NAME.match(html, start + 2 if html.startswith("</", start) else start + 1)
    if html[start + 1] in "!?/":
        end = _after(html, ">", start)
        closes = html[start + 1] == "/" and name is not None
        return (Close(name[0].lower()) if closes and name else None), end
    assert name is not None
    return _opened(html, name[0].lower(), name.end())


def _after(html: str, text: str, start: int) -> int:
    at = html.find(text, start)
    return -1 if at < 0 else at + len(text)


def _opened(html: str, name: str, at: int) -> tuple[Token | None, int]:
    attributes: dict[str, str] = {}
    for _ in range(MAX_ATTRIBUTES):
        found = _ATTRIBUTE.match(html, at)
        if found is None:
            break
        attributes.setdefault(found[1].lower(), _value(found[2]))
        at = found.end()
    end = _after(html, ">", at)
    if end < 0:
        return None, -1
    return Open(name, attributes), _unread(html, name, end) if name in UNREAD else end


def _value(raw: str | None) -> str:
    bare = (raw or "")[: MAX_VALUE + 2]
    return unescape(bare[1:].rstrip(bare[0]) if bare[:1] in ("'", '"') else bare)


def _unread(html: str, name: str, at: int) -> int:
    closing = patterns.compile(rf"</{name}", patterns.IGNORECASE).search(html, at)
    return closing.start() if closing else -1
