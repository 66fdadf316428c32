"""The action `summarize`: summarizes whole documents with certified claims."""

import asyncio
from collections.abc import Sequence
from functools import partial

from pydantic import BaseModel, Field

from app.chat.actions.material import PATH, Material
from app.chat.actions.sections import sections_of
from app.chat.claims.body import SCORES, Markers, empty_reply, reply_of
from app.chat.claims.certificate import CertifiedClaim, ClaimReply, certify_claims, claims_of
from app.chat.claims.formula import EXAMPLE
from app.chat.claims.proof import WriteMaterial, prove_claims
from app.chat.claims.sources import Sources
from app.chat.documents.passages import batches, read_documents, tokens_of
from app.chat.model_request import UNAVAILABLE, build_request, new_sections, shorten
from app.chat.output.markdown import escape_markdown
from app.chat.tools import ActionRequest, Tools
from app.domain.chat import DocumentRef, Evidence, Reply
from app.domain.knowledge import Confidence
from app.llm.port import Model, ModelRequest
from app.llm.prompt import PromptSections

MOST_PARTS = 20
MOST_SECTIONS = 80  # of an outline
ALL_NOTES = "You see notes on all parts."
NO_TEXT = "There is no text to summarize."
OUTLINE = "Without a model this is an outline, not a summary: the first sentence of each section."
TEMPLATE = "summarizing.v2"
PURPOSE = "summarize"
ABOUT = "Summarize this."  # if documents were tagged without text
MAX_OUTPUT = 6_000  # tokens
MOST_CLAIMS = 40
CALL_TOKENS = 20_000  # of passages per part
LONGEST_MESSAGE = 1_000


class Summary(BaseModel):
    """The model's reply."""

    claims: list[ClaimReply] = Field(default_factory=list)
    listed: bool = False
    language: str = ""


async def summarize_documents(request: ActionRequest, tools: Tools) -> Reply:
    """A summary with certified claims, or an outline if no model is available. Long documents are read in
    parts. Raises `StoreUnavailable`.
    """
    opened = await read_documents(list(dict.fromkeys(request.documents)), tools)
    notices = opened.notices
    material = Material()
    for _, passages in opened.passages:
        material.add(passages)
    if not material.evidence:
        return empty_reply(NO_TEXT, notices)
    if tools.model is None:
        return await asyncio.to_thread(_outline, opened.passages, notices)
    sources = Sources(material.evidence)
    write_material: WriteMaterial = material.prompt
    try:
        if opened.tokens <= tools.whole_tokens:
            summary = await tools.model.ask(summary_request(request, write_material))
        else:
            notes, left_out = await _take_notes(request, material.evidence, sources, tools.model)
            notices += left_out
            write_material = partial(write_notes, notes=notes)
            summary = await tools.model.ask(summary_request(request, write_material, ALL_NOTES))
    except UNAVAILABLE as error:
        why = f"The model could not be asked: {error.detail}"
        return await asyncio.to_thread(_outline, opened.passages, [*notices, why])
    proof = await prove_claims(
        claims_of(summary.claims[:MOST_CLAIMS]),
        sources,
        tools.model,
        purpose=PURPOSE,
        material=write_material,
        question=request.question,
        language=summary.language,
    )
    reply = reply_of(proof, listed=summary.listed)
    is_unsure = reply.doubts or reply.unsupported or proof.notices or notices
    confidence: Confidence = "low" if not reply.text else "medium" if is_unsure else "high"
    return reply.model_copy(
        update={
            "text": reply.text or NO_TEXT,
            "confidence": confidence,
            "score": SCORES[confidence] if reply.text else 0.0,
            "notices": (*notices, *proof.notices),
        }
    )


async def _take_notes(
    request: ActionRequest, passages: Sequence[Evidence], sources: Sources, model: Model
) -> tuple[list[CertifiedClaim], list[str]]:
    """The certified claims of all parts; a notice names parts left out. Raises if the first call fails."""
    parts = list(batches(passages, tokens_of, CALL_TOKENS))
    notes: list[CertifiedClaim] = []
    read = 0
    why = f"the first {MOST_PARTS} parts of some {CALL_TOKENS:,} tokens were read"
    for part in parts[:MOST_PARTS]:
        note = f"This is part {read + 1} of {len(parts)} of a long text: claim what matters of it."
        try:
            summary = await model.ask(
                summary_request(request, Material(evidence=part).prompt, note)
            )
        except UNAVAILABLE as error:
            if not read:
                raise
            why = f"the model could not be asked: {error.detail}"
            break
        claims = claims_of(summary.claims[:MOST_CLAIMS])
        certified = (certify_claims(claim, sources) for claim in claims)
        notes += [one for one in certified if not one.reason]
        read += 1
    left = f"Only {read} of {len(parts)} parts are summarized: {why}"
    return notes, [left] if read < len(parts) else []


def _outline(
    documents: Sequence[tuple[DocumentRef, Sequence[Evidence]]], notices: Sequence[str]
) -> Reply:
    """The sections of the documents with their first sentences."""
    markers = Markers()
    parts = [OUTLINE]
    left = MOST_SECTIONS
    for document, passages in documents:
        sections = sections_of(passages)
        lines = []
        for section in sections[: max(0, left)]:
            path = [heading for heading in section.path if heading != document.title]
            headings = f"{escape_markdown(PATH.join(path))}: " if path else ""
            first = escape_markdown(section.lines[0].words)
            lines.append(f"- {headings}{first} {markers.of(section.lines[:1])}")
        if len(sections) > len(lines):
            lines.append(f"- and {len(sections) - len(lines)} more sections")
        left -= len(lines)
        parts.append("\n".join((f"**{escape_markdown(document.title)}**\n", *lines)))
    return Reply(
        text="\n\n".join(parts),
        citations=tuple(markers.citations),
        confidence="medium",
        score=0.5,
        notices=tuple(notices),
    )


def summary_request(
    request: ActionRequest, write_material: WriteMaterial, note: str = ""
) -> ModelRequest[Summary]:
    """The call; `note` tells the model what the material is."""
    write = new_sections()
    message = shorten(request.plain.strip() or ABOUT, LONGEST_MESSAGE)
    return build_request(
        TEMPLATE,
        Summary,
        [write_material(write), note, write.trusted_section("Message", message)],
        purpose=PURPOSE,
        max_output_tokens=MAX_OUTPUT,
        blanks={"claims": str(MOST_CLAIMS), "formula": EXAMPLE},
    )


def write_notes(write: PromptSections, notes: Sequence[CertifiedClaim]) -> str:
    lines = [
        "\n".join((one.claim.text, *(f"[{span.evidence.ref}] {span.words}" for span in one.spans)))
        for one in notes
    ]
    return write.fenced_section("Notes", *lines)
