"""From what a model claims to what is shown: checked, mended once where it fails, and read a second time."""

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
NOT_READ = "The answer was not read a second time, since the model could not be asked: "


class RepairedReply(ClaimReply):
    """The claim with this number, from 1 on, put right."""

    number: int


class RepairList(BaseModel):
    """Those that could be."""

    claims: list[RepairedReply] = Field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The claims in order. `doubts` says by a claim's place why it is doubted; one with a `reason` is
    supported by nothing. `notices` are sentences for the person.
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
    checked: Callable[[Sequence[CertifiedClaim]], Awaitable[None]] | None = None,
    beside: Callable[[CertifiedClaim], str] = lambda one: "",
) -> Proof:
    """At most two calls: one to repair what fails, with the reasons and the `material`; one that judges what
    holds. Neither raises if the model is away: what would have been repaired fails, and a notice says what
    was not judged. `language`, as the model names it, counts if the words do not tell it: names of a claim in
    a foreign language are not looked for. Before each call `checked` is told what holds. What is `beside` a
    claim is shown with it to the judge.
    """
    spoken = detect_language(" ".join(one.text for one in claims))
    language = spoken or language.partition("-")[0].casefold()
    certify = partial(certify_claims, sources=sources, question=question, language=language)
    found = [certify(one) for one in claims]
    if checked is not None:
        await checked(found)
    failed = {number: one for number, one in enumerate(found, 1) if one.reason}
    if failed:
        with suppress(*UNAVAILABLE):
            reply = await model.ask(_repair_request(purpose, material, question, failed))
            for one in reply.claims:
                for claim in claims_of([one]) if failed.pop(one.number, None) else ():
                    found[one.number - 1] = certify(claim)
        if checked is not None:
            await checked(found)
    holding = [at for at, one in enumerate(found) if not one.reason]
    if not holding:
        return Proof(claims=tuple(found))
    read = [found[at] for at in holding]
    try:
        # What is beside a claim may be looked for in all of a long document.
        request = await asyncio.to_thread(judge_request, question, read, beside)
        doubts = doubts_of(await model.ask(request), len(holding))
    except UNAVAILABLE as error:
        return Proof(claims=tuple(found), notices=(NOT_READ + error.detail,))
    return Proof(claims=tuple(found), doubts={holding[at]: why for at, why in doubts.items()})


def _repair_request(
    purpose: str, material: WriteMaterial, question: str, failed: Mapping[int, CertifiedClaim]
) -> ModelRequest[RepairList]:
    write = new_sections()
    shown = (
        write.fenced_section(
            f"Claim {number} failed",
            one.claim.text,
            f"Why: {one.reason}",
            *(f"It quoted {each.ref}: {each.words}" for each in one.claim.quotes),
        )
        for number, one in failed.items()
    )
    return build_request(
        REPAIR_TEMPLATE,
        RepairList,
        [material(write), write.fenced_section("The question", question), *shown],
        purpose=purpose,
        max_output_tokens=REPAIR_OUTPUT,
        blanks=EXAMPLES,
    )


JUDGE_TEMPLATE = "supporting.v2"
JUDGE_PURPOSE = "support"
JUDGE_OUTPUT = 1_500  # tokens
LONGEST_WHY = 200  # characters
NOT_JUDGED = "it was not read a second time"


class Verdict(BaseModel):
    """Of the claim with this number, from 1 on."""

    claim: int
    supported: bool
    why: str = ""


class JudgeReply(BaseModel):
    """One verdict a claim."""

    verdicts: list[Verdict] = Field(default_factory=list)


def judge_request(
    question: str, claims: Sequence[CertifiedClaim], beside: Callable[[CertifiedClaim], str]
) -> ModelRequest[JudgeReply]:
    """The call: each claim with its quotes, where they stand, and what is `beside` it; no other passages."""
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
                    beside(one),
                )
                for number, one in enumerate(claims, 1)
            ),
        ],
        purpose=JUDGE_PURPOSE,
        tier="fast",
        max_output_tokens=JUDGE_OUTPUT,
    )


def doubts_of(reply: JudgeReply, count: int) -> Mapping[int, str]:
    """Why each doubted claim is doubted, by its place from 0. One without a verdict is doubted too."""
    told = {one.claim - 1: one for one in reply.verdicts}
    return {
        at: " ".join(told[at].why.split())[:LONGEST_WHY] if at in told else NOT_JUDGED
        for at in range(count)
        if at not in told or not told[at].supported
    }
