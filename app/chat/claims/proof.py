"""From what a model claims to what is shown: checked, mended once where it fails, and read a second time."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, Field

from app.chat.claims import judge
from app.chat.claims.certificate import CertifiedClaim, certify_claims
from app.chat.claims.claim import Claim, ClaimReply, claims_of
from app.chat.claims.formula import EXAMPLES
from app.chat.claims.sources import Sources
from app.errors import BudgetReached, ModelFailed
from app.llm.fence import NAME, PromptSections, join_sections, new_tag
from app.llm.port import Model, ModelRequest
from app.llm.prompt_templates import fill_prompt
from app.text.language import detect_language

TEMPLATE = "mending.v2"
MAX_OUTPUT = 2_500  # tokens
NOT_READ = "The answer was not read a second time, since the model could not be asked: "


class RepairedReply(ClaimReply):
    """The claim with this number, from 1 on, put right."""

    number: int


class RepairList(BaseModel):
    """Those that could be."""

    claims: list[RepairedReply] = Field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The claims in their order. `doubts` says by a claim's place why it is doubted; one with a `reason` is
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
        reply = await model.ask(await asyncio.to_thread(judge.request, question, read, beside))
    except (ModelFailed, BudgetReached) as error:
        return Proof(claims=tuple(found), notices=(NOT_READ + error.detail,))
    doubts = judge.doubts_of(reply, len(holding))
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
        reply = await model.ask(_request(purpose, material, question, failed))
    except (ModelFailed, BudgetReached):
        return list(found)
    made = list(found)
    for one in reply.claims:
        for claim in claims_of([one]) if failed.pop(one.number, None) else ():
            made[one.number - 1] = certify_claims(
                claim, sources, question=question, language=language
            )
    return made


def _request(
    purpose: str,
    material: Callable[[PromptSections], str],
    question: str,
    failed: Mapping[int, CertifiedClaim],
) -> ModelRequest[RepairList]:
    write = PromptSections(new_tag())
    shown = [
        write.fenced_section(
            f"Claim {number} failed",
            one.claim.text,
            f"Why: {one.reason}",
            *(f"It quoted {each.ref}: {each.words}" for each in one.claim.quotes),
        )
        for number, one in failed.items()
    ]
    return ModelRequest(
        purpose=purpose,
        system=fill_prompt(TEMPLATE, fence=NAME, **EXAMPLES),
        template=TEMPLATE,
        prompt=join_sections(
            [material(write), write.fenced_section("The question", question), *shown]
        ),
        reply=RepairList,
        tier="strong",
        max_output_tokens=MAX_OUTPUT,
    )
