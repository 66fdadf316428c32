"""Prompts are files, `app/llm/prompts/<name>.v<N>.md`; this loads and fills them."""

from functools import cache
from importlib import resources
from string import Template

from app.text import patterns

_VERSIONED = patterns.compile(r"[a-z_]+\.v[1-9]\d*")


class PromptError(Exception):
    """A prompt file and its call disagree about the blanks, or there is no such file."""


@cache
def _template(name: str) -> Template:
    if not _VERSIONED.fullmatch(name):
        raise PromptError(f"'{name}' is no name of a prompt with its version, as in 'acting.v1'")
    file = resources.files("app.llm").joinpath("prompts", f"{name}.md")
    if not file.is_file():
        raise PromptError(f"there is no prompt '{name}'")
    template = Template(file.read_text("utf-8").strip())
    if not template.is_valid():
        raise PromptError(f"'{name}' holds a blank that is none: write $$ for a dollar sign")
    return template


def prompt_fields(name: str) -> frozenset[str]:
    """The names of what a caller has to supply for that prompt."""
    return frozenset(_template(name).get_identifiers())


def prompt_names() -> tuple[str, ...]:
    """Every prompt there is, with its version."""
    files = resources.files("app.llm").joinpath("prompts").iterdir()
    return tuple(sorted(file.name[:-3] for file in files if file.name.endswith(".md")))


def fill_prompt(name: str, **values: str) -> str:
    """The prompt with its blanks filled; raises `PromptError` when one is missing or too many."""
    if prompt_fields(name) != values.keys():
        raise PromptError(f"{name} wants {sorted(prompt_fields(name))}, got {sorted(values)}")
    return _template(name).substitute(values)
