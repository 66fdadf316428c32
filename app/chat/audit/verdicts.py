"""How a text stands to each rule: as a model says it, with quotes that code finds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from app.chat.audit.rules import PURPOSE
from app.chat.audit.subject import Subject
from app.chat.claims import CertifiedClaim, Claim, ClaimReply, Quote, Sources, claims_of
from app.chat.claims.formula import EXAMPLE
from app.chat.claims.proof import prove_claims
from app.chat.claims.sources import SourceSpan
from app.domain.chat import Evidence
from app.errors import BudgetReached, ModelFailed
from app.llm.fence import NAME, PromptSections, join_sections, new_tag
from app.llm.port import Model, ModelRequest
from app.llm.prompt_templates import fill_prompt

TEMPLATE = "auditing.v2"
MAX_OUTPUT = 5_000  # tokens: twenty verdicts with their quotes
EACH_CALL = 20  # rules
ENGLISH = "en"
NO_WORDS = "no words of what is audited show it"
NO_VERDICT = "the model gave no verdict"
TURNED = "on a second look the verdict was another"
Verdict = Literal["breached", "unclear", "not covered", "met"]
VERDICTS: tuple[Verdict, ...] = ("breached", "unclear", "not covered", "met")


class VerdictReply(ClaimReply):
    """Of the rule with this number, from 1 on."""

    text: str = ""
    rule: int
    verdict: Verdict = "unclear"
    grave: bool = False


class Judgement(BaseModel):
    """One verdict a rule."""

    verdicts: list[VerdictReply] = Field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A rule and its verdict. `said` is what code certified of it, None where there is nothing; `why` says
    why it is open.
    """

    rule: tuple[SourceSpan, ...]
    verdict: Verdict
    said: CertifiedClaim | None = None
    why: str = ""
    doubted: bool = False
    grave: bool = False
    unread: bool = False


async def findings_of(
    rules: Sequence[tuple[SourceSpan, ...]],
    audited: Sequence[Evidence],
    subject: Subject,
    model: Model,
    language: str,
) -> list[Finding]:
    """One finding a rule, of at most `EACH_CALL` rules. A verdict without words that show it, and one that
    nothing bears, is "unclear"; so is "met" where a second reading doubts it, or did not take place. A model
    that is away leaves all of them unclear.
    """
    try:
        reply = await model.ask(request(rules, audited, subject, language))
    except (ModelFailed, BudgetReached) as error:
        why = f"the model could not be asked: {error.detail}"
        return [Finding(rule=rule, verdict="unclear", why=why, unread=True) for rule in rules]
    given = {one.rule - 1: one for one in reversed(reply.verdicts)}
    told = {at: given[at] for at in range(len(rules)) if at in given}
    claims = {at: claim for at, one in told.items() if (claim := _to_claim(one, rules[at]))}
    shown = {one.ref for one in audited}
    proof = await prove_claims(
        list(claims.values()),
        Sources([*audited, *(each.evidence for rule in rules for each in rule)]),
        model,
        purpose=PURPOSE,
        material=lambda write: _material(write, rules, audited, subject),
        question="",
        language=language,
    )
    said = dict(zip(claims, enumerate(proof.claims), strict=True))
    found: list[Finding] = []
    for at, rule in enumerate(rules):
        if at not in told:
            found.append(Finding(rule=rule, verdict="unclear", why=NO_VERDICT))
        elif at not in said:
            open_ = told[at].verdict in ("met", "breached")
            found.append(
                Finding(
                    rule=rule,
                    verdict="unclear" if open_ else told[at].verdict,
                    why=NO_WORDS if open_ else "",
                )
            )
        else:
            place, one = said[at]
            doubt = proof.doubts.get(place)
            found.append(_finding(rule, told[at], one, doubt, shown, unread=bool(proof.notices)))
    return found


def request(
    rules: Sequence[tuple[SourceSpan, ...]],
    audited: Sequence[Evidence],
    subject: Subject,
    language: str,
) -> ModelRequest[Judgement]:
    """The call: what is audited, and the rules, all of it fenced."""
    write = PromptSections(new_tag())
    return ModelRequest(
        purpose=PURPOSE,
        system=fill_prompt(TEMPLATE, fence=NAME, formula=EXAMPLE, language=language[:3] or ENGLISH),
        template=TEMPLATE,
        prompt=_material(write, rules, audited, subject),
        reply=Judgement,
        tier="strong",
        max_output_tokens=MAX_OUTPUT,
    )


def _material(
    write: PromptSections,
    rules: Sequence[tuple[SourceSpan, ...]],
    audited: Sequence[Evidence],
    subject: Subject,
) -> str:
    listed = (
        (f"[{one.evidence.ref}] ({one.place_line}) {one.words}" for one in rule) for rule in rules
    )
    numbered = [f"{number}. {' ... '.join(rule)}" for number, rule in enumerate(listed, 1)]
    return join_sections([subject.prompt(write, audited), write.fenced_section("Rules", *numbered)])


def _to_claim(told: VerdictReply, rule: Sequence[SourceSpan]) -> Claim | None:
    """What is to be certified: the verdict is a part of it, and so are the words of the rule."""
    if told.verdict == "not covered" or not told.quotes:
        return None
    own = tuple(Quote(one.evidence.ref, one.words) for one in rule)
    for one in claims_of([told]):
        return Claim(f"{_label(told.verdict)}{one.text}", (*one.quotes, *own), one.formula)
    return None


def _finding(
    rule: tuple[SourceSpan, ...],
    told: VerdictReply,
    one: CertifiedClaim,
    doubt: str | None,
    shown: set[str],
    *,
    unread: bool,
) -> Finding:
    why = one.reason
    if not why and not any(held.evidence.ref in shown for held in one.held):
        why = NO_WORDS
    if not why and not one.claim.text.startswith(_label(told.verdict)):
        why = TURNED
    if why:
        return Finding(rule=rule, verdict="unclear", why=why)
    if told.verdict == "met" and (doubt is not None or unread):
        doubts = f"a second reading doubts that it is met: {doubt}"
        why = doubts if doubt else "it was read once only"
        return Finding(rule=rule, verdict="unclear", said=one, why=why, doubted=doubt is not None)
    return Finding(
        rule=rule,
        verdict=told.verdict,
        said=one,
        why=doubt or "",
        doubted=doubt is not None,
        grave=told.grave and told.verdict == "breached",
        unread=unread,
    )


def _label(verdict: Verdict) -> str:
    return f"{verdict.capitalize()}: "
