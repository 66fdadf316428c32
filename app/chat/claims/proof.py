"""Proves claims: code certifies them, a model repairs those that fail, and judges those that hold."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from pydantic import BaseModel, Field

from app.chat.claims.certificate import CertifiedClaim, Claim, ClaimReply, certify_claims, claims_of
from app.chat.claims.formula import EXAMPLES
from app.chat.claims.sources import Sources
from app.chat.model_request import UNAVAILABLE, build_request, new_sections
from app.llm.port import Model, ModelRequest
from app.llm.prompt import PromptSections
from app.text.language import detect_language

REPAIR_TEMPLATE = "mending.v2"
REPAIR_OUTPUT = 2_500  # tokens
WriteMaterial = Callable[[PromptSections], str]
NOT_CHECKED = "The answer was not checked a second time, since the model could not be asked: "


class RepairedReply(ClaimReply):
    """The repaired claim with this number, counted from 1."""

    number: int


class RepairList(BaseModel):
    """The model's reply: the claims that it could repair."""

    claims: list[RepairedReply] = Field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The claims in order; one with a `reason` is unsupported. `doubts` maps the index of a doubted claim to
    the reason. `notices` are sentences for the person.
    """

    claims: tuple[CertifiedClaim, ...] = ()
    doubts: Mapping[int, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


async def prove_claims(
    claims: Sequence[Claim],
    sources: Sources,
    model: Model,
    *,
    purpose: str,
    material: WriteMaterial,
    question: str,
    language: str = "",
    on_certified: Callable[[Sequence[CertifiedClaim]], Awaitable[None]] | None = None,
    context_of: Callable[[CertifiedClaim], str] = lambda claim: "",
) -> Proof:
    """Prove claims with at most two calls: one to repair those that fail, with the reasons and the
    `material`; one to judge those that hold. Without a model nothing raises: failed claims stay failed, and a
    notice says that the others were not judged.

    `language`, as named by the model, counts if it cannot be detected. `on_certified` gets the claims before
    each call. The judge sees each claim with its `context_of`.
    """
    detected = detect_language(" ".join(claim.text for claim in claims))
    language = detected or language.partition("-")[0].casefold()
    certify = partial(certify_claims, sources=sources, question=question, language=language)
    found = [certify(claim) for claim in claims]
    if on_certified is not None:
        await on_certified(found)
    failed = {number: one for number, one in enumerate(found, 1) if one.reason}
    if failed:
        with suppress(*UNAVAILABLE):
            reply = await model.ask(_repair_request(purpose, material, question, failed))
            for repaired in reply.claims:
                for claim in claims_of([repaired]) if failed.pop(repaired.number, None) else ():
                    found[repaired.number - 1] = certify(claim)
        if on_certified is not None:
            await on_certified(found)
    holding = [at for at, one in enumerate(found) if not one.reason]
    if not holding:
        return Proof(claims=tuple(found))
    try:
        # `context_of` may search a long document.
        request = await asyncio.to_thread(
            judge_request, question, [found[at] for at in holding], context_of
        )
        doubts = doubts_of(await model.ask(request), len(holding))
    except UNAVAILABLE as error:
        return Proof(claims=tuple(found), notices=(NOT_CHECKED + error.detail,))
    return Proof(claims=tuple(found), doubts={holding[at]: why for at, why in doubts.items()})


def _repair_request(
    purpose: str, material: WriteMaterial, question: str, failed: Mapping[int, CertifiedClaim]
) -> ModelRequest[RepairList]:
    write = new_sections()
    claims = (
        write.fenced_section(
            f"Claim {number} failed",
            one.claim.text,
            f"Why: {one.reason}",
            *(f"It quoted {quote.ref}: {quote.words}" for quote in one.claim.quotes),
        )
        for number, one in failed.items()
    )
    return build_request(
        REPAIR_TEMPLATE,
        RepairList,
        [material(write), write.fenced_section("The question", question), *claims],
        purpose=purpose,
        max_output_tokens=REPAIR_OUTPUT,
        blanks=EXAMPLES,
    )


JUDGE_TEMPLATE = "supporting.v2"
JUDGE_PURPOSE = "support"
JUDGE_OUTPUT = 1_500  # tokens
LONGEST_REASON = 200  # characters
NOT_JUDGED = "it was not checked a second time"


class Verdict(BaseModel):
    """The verdict on the claim with this number, counted from 1."""

    claim: int
    supported: bool
    why: str = ""


class JudgeReply(BaseModel):
    """The model's reply: one verdict per claim."""

    verdicts: list[Verdict] = Field(default_factory=list)


def judge_request(
    question: str, claims: Sequence[CertifiedClaim], context_of: Callable[[CertifiedClaim], str]
) -> ModelRequest[JudgeReply]:
    """The call: each claim with its quotes, their places and its context; no other passages."""
    write = new_sections()
    return build_request(
        JUDGE_TEMPLATE,
        JudgeReply,
        [
            write.fenced_section("The question that was answered", question),
            *(
                write.fenced_section(
                    f"Claim {number}, and its quotes",
                    one.claim.text,
                    f"Computed: {one.computed}" if one.computed else "",
                    *(f"- ({span.place_line}) {span.words}" for span in one.spans),
                    context_of(one),
                )
                for number, one in enumerate(claims, 1)
            ),
        ],
        purpose=JUDGE_PURPOSE,
        tier="fast",
        max_output_tokens=JUDGE_OUTPUT,
    )


def doubts_of(reply: JudgeReply, count: int) -> Mapping[int, str]:
    """The doubts by index of the claim. A claim without a verdict is doubted too."""
    verdicts = {one.claim - 1: one for one in reply.verdicts}
    return {
        at: " ".join(verdicts[at].why.split())[:LONGEST_REASON] if at in verdicts else NOT_JUDGED
        for at in range(count)
        if at not in verdicts or not verdicts[at].supported
    }
