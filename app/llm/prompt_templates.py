"""Loads and fills prompts, which are files: `app/llm/prompts/<name>.v<N>.md`."""

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
        raise PromptError(f"'{name}' is no name of a prompt with its version, as in 'acting.v1'")
    file = resources.files("app.llm").joinpath("prompts", f"{name}.md")
    if not file.is_file():
        raise PromptError(f"there is no prompt '{name}'")
    template = Template(file.read_text("utf-8").strip())
    if not template.is_valid():
        raise PromptError(f"'{name}' holds a blank that is none: write $$ for a dollar sign")
    return template


def prompt_fields(name: str) -> frozenset[str]:
    """The names of the placeholders that a caller must fill."""
    return frozenset(_template(name).get_identifiers())


def prompt_names() -> tuple[str, ...]:
    """All prompts, with their versions."""
    files = resources.files("app.llm").joinpath("prompts").iterdir()
    return tuple(sorted(file.name[:-3] for file in files if file.name.endswith(".md")))


def fill_prompt(name: str, **values: str) -> str:
    """Fill the prompt's placeholders. Raises `PromptError` for missing or extra ones."""
    if prompt_fields(name) != values.keys():
        raise PromptError(f"{name} wants {sorted(prompt_fields(name))}, got {sorted(values)}")
    return _template(name).substitute(values)
