"""Prompts of the servers: the files `app/mcp/prompts/<name>.v<N>.md`, filled with the code's constants."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from string import Template

from mcp.server.mcpserver.prompts import Prompt
from pydantic.fields import FieldInfo


def load_prompt(name: str, *, title: str, description: str, file: str, **blanks: str) -> Prompt:
    """A prompt without arguments, from a file and the values of its blanks."""
    text = _template(file).substitute(blanks)

    def told() -> str:
        return text

    return Prompt.from_function(told, name=name, title=title, description=description)


def bullet_list(names: Iterable[str]) -> str:
    return "\n".join(f"- {name}" for name in names)


def field_list(of: Mapping[str, FieldInfo], *, required: bool) -> str:
    """The required (or the optional) fields of a model, with their descriptions."""
    return bullet_list(
        f"`{name}`: {field.description}"
        for name, field in of.items()
        if field.is_required() is required
    )


@cache
def _template(name: str) -> Template:
    file = resources.files("app.mcp").joinpath("prompts", f"{name}.md")
    return Template(file.read_text("utf-8").strip())
