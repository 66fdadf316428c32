"""Prompts that the servers offer: files, `app/mcp/prompts/<name>.v<N>.md`, filled from the constants that
the code checks.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from string import Template

from mcp.server.mcpserver.prompts import Prompt
from pydantic.fields import FieldInfo


def prompt(name: str, *, title: str, description: str, file: str, **blanks: str) -> Prompt:
    """A prompt without arguments; `file` is its text, whose blanks are filled now."""
    text = _template(file).substitute(blanks)

    def told() -> str:
        return text

    return Prompt.from_function(told, name=name, title=title, description=description)


def listed(names: Iterable[str]) -> str:
    """Each on a line of its own, as an item of a list."""
    return "\n".join(f"- {name}" for name in names)


def fields(of: Mapping[str, FieldInfo], *, required: bool) -> str:
    """A model's fields that are required, or those that are not, each with its description."""
    return listed(
        f"`{name}`: {field.description}"
        for name, field in of.items()
        if field.is_required() is required
    )


@cache
def _template(name: str) -> Template:
    file = resources.files("app.mcp").joinpath("prompts", f"{name}.md")
    return Template(file.read_text("utf-8").strip())
