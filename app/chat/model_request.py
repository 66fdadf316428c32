"""Builds the model requests of the chat."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from app.errors import BudgetReached, ModelFailed
from app.llm.port import ModelRequest, Reply, Tier
from app.llm.prompt import NAME, PromptSections, fill_prompt, join_sections, new_tag

NO_BLANKS: Mapping[str, str] = MappingProxyType({})
UNAVAILABLE = (ModelFailed, BudgetReached)  # raised if no model can be called now


def new_sections() -> PromptSections:
    return PromptSections(new_tag())


def build_request(
    template: str,
    reply: type[Reply],
    sections: Iterable[str],
    *,
    purpose: str,
    max_output_tokens: int,
    tier: Tier = "strong",
    blanks: Mapping[str, str] = NO_BLANKS,
) -> ModelRequest[Reply]:
    """A call with the prompt `template`, whose placeholders are filled with `blanks`. `sections` are written
    with one `new_sections`, whose fence encloses everything but the person's own words.
    """
    return ModelRequest(
        purpose=purpose,
        system=fill_prompt(template, fence=NAME, **blanks),
        template=template,
        prompt=join_sections(sections),
        reply=reply,
        tier=tier,
        max_output_tokens=max_output_tokens,
    )


def shorten(text: str, longest: int) -> str:
    """Cut the middle out of a long text: the question is at the beginning or the end."""
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]}\n\u2026\n{text[-half:]}"
