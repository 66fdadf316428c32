"""What a model is asked for a summary: of all passages at once, or of notes on parts of long documents."""

from collections.abc import Sequence

from pydantic import BaseModel, Field

from app.chat.claims import CertifiedClaim, ClaimReply
from app.chat.claims.formula import EXAMPLE
from app.chat.inquiry.material import Material
from app.chat.request.model import shorten
from app.chat.tools import ActionRequest
from app.domain.chat import Evidence
from app.llm.fence import NAME, PromptSections, join_sections, new_tag
from app.llm.port import ModelRequest
from app.llm.prompt_templates import fill_prompt

TEMPLATE = "summarizing.v2"
PURPOSE = "summarize"
ABOUT = "Summarize this."  # of documents that were tagged without a word
MAX_OUTPUT = 6_000  # tokens
MOST_CLAIMS = 40
CALL_TOKENS = 20_000  # of passages of a part
LONGEST_MESSAGE = 1_000


class Summary(BaseModel):
    """The claims in their order."""

    claims: list[ClaimReply] = Field(default_factory=list)
    listed: bool = False
    language: str = ""


def passages_request(
    asked: ActionRequest, passages: Sequence[Evidence], note: str = ""
) -> ModelRequest[Summary]:
    """The call for these passages; `note` is a sentence of ours on what they are."""
    write = PromptSections(new_tag())
    return _request(asked, write, Material(evidence=list(passages)).prompt(write), note)


def notes_request(asked: ActionRequest, notes: Sequence[CertifiedClaim]) -> ModelRequest[Summary]:
    """The call for claims of the parts."""
    write = PromptSections(new_tag())
    return _request(asked, write, write_notes(write, notes), "You see notes on all parts.")


def write_notes(write: PromptSections, notes: Sequence[CertifiedClaim]) -> str:
    """The notes with their quotes."""
    lines = [
        "\n".join((one.claim.text, *(f"[{held.evidence.ref}] {held.words}" for held in one.held)))
        for one in notes
    ]
    return write.fenced_section("Notes", *lines)


def _request(
    asked: ActionRequest, write: PromptSections, shown: str, note: str
) -> ModelRequest[Summary]:
    message = shorten(asked.plain.strip() or ABOUT, LONGEST_MESSAGE)
    return ModelRequest(
        purpose=PURPOSE,
        system=fill_prompt(TEMPLATE, fence=NAME, claims=str(MOST_CLAIMS), formula=EXAMPLE),
        template=TEMPLATE,
        prompt=join_sections([shown, note, write.trusted_section("Message", message)]),
        reply=Summary,
        tier="strong",
        max_output_tokens=MAX_OUTPUT,
    )
