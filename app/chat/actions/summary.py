"""The action `summarize`: what matters of whole documents, each claim certified."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

from pydantic import BaseModel, Field

from app.chat.actions.material import PATH, Material
from app.chat.actions.sections import sections_of
from app.chat.claims.body import SCORES, Markers, empty_reply, reply_of
from app.chat.claims.certificate import CertifiedClaim, ClaimReply, certify_claims, claims_of
from app.chat.claims.formula import EXAMPLE
from app.chat.claims.proof import prove_claims
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
OUTLINE = "Without a model this is an outline, the first sentence of each section, and no summary."
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


async def summarize_documents(asked: ActionRequest, tools: Tools) -> Reply:
    """The summary, each claim of which is certified; an outline if there is no model, or it is away. Long
    documents are read part by part. Raises `StoreUnavailable`.
    """
    found = await read_documents(list(dict.fromkeys(asked.documents)), tools)
    notices = found.notices
    material = Material()
    for _, passages in found.passages:
        material.add(passages)
    if not material.evidence:
        return empty_reply(NO_TEXT, notices)
    if tools.model is None:
        return await asyncio.to_thread(_outline, found.passages, notices)
    sources = Sources(material.evidence)
    shown: Callable[[PromptSections], str] = material.prompt
    try:
        if found.tokens <= tools.whole_tokens:
            said = await tools.model.ask(summary_request(asked, shown))
        else:
            notes, told = await _take_notes(asked, material.evidence, sources, tools.model)
            notices += told
            shown = partial(write_notes, notes=notes)
            said = await tools.model.ask(summary_request(asked, shown, ALL_NOTES))
    except UNAVAILABLE as error:
        why = f"The model could not be asked: {error.detail}"
        return await asyncio.to_thread(_outline, found.passages, [*notices, why])
    proof = await prove_claims(
        claims_of(said.claims[:MOST_CLAIMS]),
        sources,
        tools.model,
        purpose=PURPOSE,
        material=shown,
        question=asked.question,
        language=said.language,
    )
    reply = reply_of(proof, listed=said.listed)
    open_ = reply.doubts or reply.unsupported or proof.notices or notices
    sure: Confidence = "low" if not reply.text else "medium" if open_ else "high"
    return reply.model_copy(
        update={
            "text": reply.text or NO_TEXT,
            "confidence": sure,
            "score": SCORES[sure] if reply.text else 0.0,
            "notices": (*notices, *proof.notices),
        }
    )


async def _take_notes(
    asked: ActionRequest, passages: Sequence[Evidence], sources: Sources, model: Model
) -> tuple[list[CertifiedClaim], list[str]]:
    """The certified claims of each part, and a notice of those left out. Raises if the first one fails."""
    parts = list(batches(passages, tokens_of, CALL_TOKENS))
    notes: list[CertifiedClaim] = []
    read = 0
    why = f"the first {MOST_PARTS} parts of some {CALL_TOKENS:,} tokens were read"
    for part in parts[:MOST_PARTS]:
        note = f"This is part {read + 1} of {len(parts)} of a long text: claim what matters of it."
        try:
            said = await model.ask(summary_request(asked, Material(evidence=part).prompt, note))
        except UNAVAILABLE as error:
            if not read:
                raise
            why = f"the model could not be asked: {error.detail}"
            break
        made = [certify_claims(one, sources) for one in claims_of(said.claims[:MOST_CLAIMS])]
        notes += [one for one in made if not one.reason]
        read += 1
    left = f"Only {read} of {len(parts)} parts are summarized: {why}"
    return notes, [left] if read < len(parts) else []


def _outline(
    documents: Sequence[tuple[DocumentRef, Sequence[Evidence]]], notices: Sequence[str]
) -> Reply:
    """The sections of the documents, each with its first sentence."""
    markers = Markers()
    parts = [OUTLINE]
    left = MOST_SECTIONS
    for document, passages in documents:
        sections = sections_of(passages)
        lines = []
        for one in sections[: max(0, left)]:
            path = [each for each in one.path if each != document.title]
            head = f"{escape_markdown(PATH.join(path))}: " if path else ""
            first = escape_markdown(one.lines[0].words)
            lines.append(f"- {head}{first} {markers.of(one.lines[:1])}")
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
    asked: ActionRequest, shown: Callable[[PromptSections], str], note: str = ""
) -> ModelRequest[Summary]:
    """The call for what is `shown`; `note` is a sentence of ours on what it is."""
    write = new_sections()
    message = shorten(asked.plain.strip() or ABOUT, LONGEST_MESSAGE)
    return build_request(
        TEMPLATE,
        Summary,
        [shown(write), note, write.trusted_section("Message", message)],
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
