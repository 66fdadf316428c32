"""The fence around text that nobody vouches for: what pages, documents and searches say.

    <data-3f9a2c71>
    14 inp "Name"
    </data-3f9a2c71>

The tag is drawn anew for each call, so that no page can close the fence; what looks like such a tag
in the text is taken out all the same, since a model may not read as closely as a parser does.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from app.text import patterns

NAME = "data"
REMOVED = "·"  # stands for what was taken out; never nothing, or the rest could close up to a tag
_BYTES = 4  # of the tag: 32 bits, too many to guess in a page's one try

_UNSEEN = "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]*"
_OPEN = r"(?:[<\uff1c\ufe64\u2039\u3008\u27e8\u276e\u2329]|&lt;?|&#0*60;?|&#x0*3c;?)"
_CLOSE = r"(?:[>\uff1e\ufe65\u203a\u3009\u27e9\u276f\u232a]|&gt;?|&#0*62;?|&#x0*3e;?)"
_SLASH = r"[/\\\u2044\u2215\uff0f]{0,3}"
_DASH = r"[-_:\u2010-\u2015\u2212\ufe58\ufe63\uff0d]"
_WORD = _UNSEEN.join(
    f"[{letter}{letter.upper()}{chr(ord(letter) + 0xFEE0)}{chr(ord(letter.upper()) + 0xFEE0)}]"
    for letter in NAME
)
_LOOK_ALIKE = patterns.compile(
    rf"{_OPEN}\s{{0,8}}{_UNSEEN}{_SLASH}\s{{0,8}}{_UNSEEN}{_WORD}{_UNSEEN}"
    rf"(?:\s{{0,8}}{_CLOSE}|\s{{0,8}}{_DASH}[\w-]{{0,64}}\s{{0,8}}{_CLOSE}?)",
    patterns.IGNORECASE,
)


def new_tag() -> str:
    """A tag for the fences of one call."""
    return f"{NAME}-{secrets.token_hex(_BYTES)}"


def fence(text: str, tag: str) -> str:
    """The text between the tags, without anything that looks like one."""
    return f"<{tag}>\n{strip_tags(text, tag)}\n</{tag}>"


def strip_tags(text: str, tag: str) -> str:
    """The text with `tag`, and every tag like those of a fence, taken out."""
    stripped = _LOOK_ALIKE.sub(REMOVED, text)
    return patterns.sub(patterns.escape(tag), REMOVED, stripped, flags=patterns.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PromptSections:
    """Puts the parts of one prompt together; `tag` is that of its fences."""

    tag: str

    def trusted_section(self, heading: str, text: str) -> str:
        """A part in the person's own words; a tag in them would still break the fence."""
        return f"{heading}: {strip_tags(text, self.tag)}" if text else ""

    def fenced_section(self, heading: str, *parts: str) -> str:
        """A part that nobody vouches for, under a heading of ours; nothing when it is empty."""
        text = "\n".join(filter(None, parts))
        return f"{heading}:\n{fence(text, self.tag)}" if text.strip() else ""


def join_sections(parts: Iterable[str]) -> str:
    """The parts that hold anything, one after another."""
    return "\n".join(filter(None, parts))
