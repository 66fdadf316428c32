"""The prompt files of the product."""

from importlib import resources


def prompt_names() -> tuple[str, ...]:
    """All prompts, with their versions."""
    files = resources.files("app.llm").joinpath("prompts").iterdir()
    return tuple(sorted(file.name[:-3] for file in files if file.name.endswith(".md")))
