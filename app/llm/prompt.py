"""Prompts: templates from `app/llm/prompts/<name>.v<N>.md`, and fences around untrusted text.

    <data-3f9a2c71>
    14 inp "Name"
    </data-3f9a2c71>

Each call has a new tag, so a page cannot close the fence. Anything in the text that looks
like such a tag is removed as well, since a model may read less strictly than a parser.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Template

from app.text import patterns

_VERSIONED = patterns.compile(r"[a-z_]+\.v[1-9]\d*")


class PromptError(Exception):
    """The prompt file is missing, or its placeholders do not match the arguments."""


@cache
def _template(name: str) -> Template:
    if not _VERSIONED.fullmatch(name):
        raise PromptError(f"'{name}' is not a prompt name with a version, such as 'acting.v1'")
    file = resources.files("app.llm").joinpath("prompts", f"{name}.md")
    if not file.is_file():
        raise PromptError(f"there is no prompt '{name}'")
    template = Template(file.read_text("utf-8").strip())
    if not template.is_valid():
        raise PromptError(f"'{name}' has an invalid placeholder: write $$ for a dollar sign")
    return template


def prompt_fields(name: str) -> frozenset[str]:
    """The names of the placeholders that a caller must fill."""
    return frozenset(_template(name).get_identifiers())


def fill_prompt(name: str, **values: str) -> str:
    """Fill the prompt's placeholders. Raises `PromptError` for missing or extra ones."""
    if prompt_fields(name) != values.keys():
        raise PromptError(f"{name} needs {sorted(prompt_fields(name))}, got {sorted(values)}")
    return _template(name).substitute(values)


NAME = "data"
REMOVED = "·"  # replaces removed tags; not empty, or the remains could join into a tag
_BYTES = 4  # of the tag; a page cannot guess 32 bits

_INVISIBLE = "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]*"
_OPEN = r"(?:[<\uff1c\ufe64\u2039\u3008\u27e8\u276e\u2329]|&lt;?|&#0*60;?|&#x0*3c;?)"
_CLOSE = r"(?:[>\uff1e\ufe65\u203a\u3009\u27e9\u276f\u232a]|&gt;?|&#0*62;?|&#x0*3e;?)"
_SLASH = r"[/\\\u2044\u2215\uff0f]{0,3}"
_DASH = r"[-_:\u2010-\u2015\u2212\ufe58\ufe63\uff0d]"
_WORD = _INVISIBLE.join(
    f"[{letter}{letter.upper()}{chr(ord(letter) + 0xFEE0)}{chr(ord(letter.upper()) + 0xFEE0)}]"
    for letter in NAME
)
_LOOK_ALIKE = patterns.compile(
    rf"{_OPEN}\s{{0,8}}{_INVISIBLE}{_SLASH}\s{{0,8}}{_INVISIBLE}{_WORD}{_INVISIBLE}"
    rf"(?:\s{{0,8}}{_CLOSE}|\s{{0,8}}{_DASH}[\w-]{{0,64}}\s{{0,8}}{_CLOSE}?)",
    patterns.IGNORECASE,
)


def new_tag() -> str:
    """Generate a tag for the fences of one call."""
    return f"{NAME}-{secrets.token_hex(_BYTES)}"


def fence(text: str, tag: str) -> str:
    """Wrap the text in tags after removing anything that looks like one."""
    return f"<{tag}>\n{strip_tags(text, tag)}\n</{tag}>"


def strip_tags(text: str, tag: str) -> str:
    """Remove `tag`, and everything that looks like a fence tag, from the text."""
    stripped = _LOOK_ALIKE.sub(REMOVED, text)
    return patterns.sub(patterns.escape(tag), REMOVED, stripped, flags=patterns.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PromptSections:
    """Assembles the sections of one prompt; `tag` is the tag of its fences."""

    tag: str

    def trusted_section(self, heading: str, text: str) -> str:
        """A section in the user's own words, without tags, since they would break the fence."""
        return f"{heading}: {strip_tags(text, self.tag)}" if text else ""

    def fenced_section(self, heading: str, *parts: str) -> str:
        """A section of untrusted text under one of our headings; empty if the text is."""
        text = "\n".join(filter(None, parts))
        return f"{heading}:\n{fence(text, self.tag)}" if text.strip() else ""


def join_sections(parts: Iterable[str]) -> str:
    return "\n".join(filter(None, parts))
