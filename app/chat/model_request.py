"""How the chat asks a model, whatever it asks."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from app.errors import BudgetReached, ModelFailed
from app.llm.port import ModelRequest, Reply, Tier
from app.llm.prompt import NAME, PromptSections, fill_prompt, join_sections, new_tag

NO_BLANKS: Mapping[str, str] = MappingProxyType({})
UNAVAILABLE = (ModelFailed, BudgetReached)  # raised where a model cannot be asked now


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
    """A call with the prompt `template`, whose placeholders are `blanks`, and `sections` written by one
    `new_sections`: everything but the person's own words stands in its fence.
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
    """A long text's beginning and end: what is asked stands at either."""
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]}\n\u2026\n{text[-half:]}"
