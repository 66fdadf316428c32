"""From what a model claims to what is shown: checked, mended once where it fails, and read a second time."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

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
    material: Callable[[PromptSections], str],
    question: str,
    language: str = "",
    checked: Callable[[Sequence[CertifiedClaim]], Awaitable[None]] | None = None,
    beside: Callable[[CertifiedClaim], str] = lambda one: "",
) -> Proof:
    """At most two calls: one to mend what fails, with the reasons and the `material`; one that judges what
    holds. Neither raises for a model that is away: what it would have mended fails, and what it would have
    judged is said to be unread. `language` is what the model says of its claims: it is held against their
    words, since the names of a claim in a foreign language are not looked for. Before each call `checked` is
    told what holds. What is `beside` a claim is shown with it to the judge.
    """
    language = (
        detect_language(" ".join(one.text for one in claims))
        or language.partition("-")[0].casefold()
    )
    found = [certify_claims(one, sources, question=question, language=language) for one in claims]
    if checked is not None:
        await checked(found)
    if any(one.reason for one in found):
        found = await _repair_claims(found, sources, model, purpose, material, question, language)
        if checked is not None:
            await checked(found)
    holding = [at for at, one in enumerate(found) if not one.reason]
    if not holding:
        return Proof(claims=tuple(found))
    try:
        # What is beside a claim may be looked for in all of a long document.
        read = [found[at] for at in holding]
        reply = await model.ask(await asyncio.to_thread(judge_request, question, read, beside))
    except UNAVAILABLE as error:
        return Proof(claims=tuple(found), notices=(NOT_READ + error.detail,))
    doubts = doubts_of(reply, len(holding))
    return Proof(claims=tuple(found), doubts={holding[at]: why for at, why in doubts.items()})


async def _repair_claims(
    found: Sequence[CertifiedClaim],
    sources: Sources,
    model: Model,
    purpose: str,
    material: Callable[[PromptSections], str],
    question: str,
    language: str,
) -> list[CertifiedClaim]:
    failed = {at + 1: one for at, one in enumerate(found) if one.reason}
    try:
        reply = await model.ask(_repair_request(purpose, material, question, failed))
    except UNAVAILABLE:
        return list(found)
    made = list(found)
    for one in reply.claims:
        for claim in claims_of([one]) if failed.pop(one.number, None) else ():
            made[one.number - 1] = certify_claims(
                claim, sources, question=question, language=language
            )
    return made


def _repair_request(
    purpose: str,
    material: Callable[[PromptSections], str],
    question: str,
    failed: Mapping[int, CertifiedClaim],
) -> ModelRequest[RepairList]:
    write = new_sections()
    shown = [
        write.fenced_section(
            f"Claim {number} failed",
            one.claim.text,
            f"Why: {one.reason}",
            *(f"It quoted {each.ref}: {each.words}" for each in one.claim.quotes),
        )
        for number, one in failed.items()
    ]
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
            *(_claim(at, one, beside(one), write) for at, one in enumerate(claims, 1)),
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


def _claim(number: int, one: CertifiedClaim, beside: str, write: PromptSections) -> str:
    quotes = [f"- ({held.place_line}) {held.words}" for held in one.held]
    formula = f"Computed: {one.computed}" if one.computed else ""
    return write.fenced_section(
        f"Claim {number}, and its quotes", one.claim.text, formula, *quotes, beside
    )
