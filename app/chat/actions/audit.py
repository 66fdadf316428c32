"""The action `audit`: checks a text or a document against rules, with quotes for each verdict."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from pydantic import BaseModel, Field

from app.chat.actions.audit_rules import (
    MESSAGE,
    PURPOSE,
    TEXT,
    Rule,
    Rules,
    Subject,
    list_rules,
    read_subject,
    select_passages,
)
from app.chat.claims.body import DOUBTED, SCORES, Markers, empty_reply
from app.chat.claims.certificate import CertifiedClaim, Claim, ClaimReply, Quote, claims_of
from app.chat.claims.formula import EXAMPLE
from app.chat.claims.proof import prove_claims
from app.chat.claims.sources import Sources, SourceSpan
from app.chat.model_request import UNAVAILABLE, build_request, new_sections
from app.chat.output.markdown import cell, escape_markdown
from app.chat.tools import ActionRequest, Tools
from app.domain.chat import Evidence, Reply
from app.domain.knowledge import Confidence
from app.llm.port import Model, ModelRequest
from app.llm.prompt import PromptSections, join_sections

NEEDS_MODEL = "An audit needs a model, and none is configured: nothing was checked."
AWAY = "An audit needs a model, and it could not be asked: nothing was checked."
NOTHING = (
    "There is nothing to audit: provide a text or a document, and the rules to check it against."
)
NO_RULES = "No rules were found to check it against: nothing was checked."
SILENT = "no passage covers this"
PARTLY = (
    "The audited text is long: only the passages closest to each rule were read, so "
    "\u201cnot covered\u201d and \u201cmet\u201d apply to these alone."
)
VERDICT_TEMPLATE = "auditing.v2"
MAX_VERDICT_OUTPUT = 5_000  # tokens: twenty verdicts with their quotes
RULES_PER_CALL = 20
ENGLISH = "en"
NO_QUOTE = "no quote from the audited text shows it"
NO_VERDICT = "the model gave no verdict"
CHANGED = "the repaired claim has another verdict"
Verdict = Literal["breached", "unclear", "not covered", "met"]
VERDICTS: tuple[Verdict, ...] = ("breached", "unclear", "not covered", "met")


class VerdictReply(ClaimReply):
    """The verdict on the rule with this number, counted from 1."""

    text: str = ""
    rule: int
    verdict: Verdict = "unclear"
    grave: bool = False


class Judgement(BaseModel):
    """The model's reply: one verdict per rule."""

    verdicts: list[VerdictReply] = Field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A rule and its verdict, with the `certified` claim, if any; `why` gives the reason for any doubt.
    `unread`: no second check took place.
    """

    rule: Rule
    verdict: Verdict = "unclear"
    certified: CertifiedClaim | None = None
    why: str = ""
    doubted: bool = False
    grave: bool = False
    unread: bool = False


async def audit_documents(request: ActionRequest, tools: Tools) -> Reply:
    """A verdict for each rule, with its quotes; needs a model. Raises `StoreUnavailable`."""
    if tools.model is None:
        return empty_reply(NEEDS_MODEL)
    subject = await read_subject(request, tools)
    if len(subject.passages) < 2:
        return empty_reply(NOTHING, subject.notices)
    try:
        rules = await list_rules(request, subject, tools.model)
    except UNAVAILABLE as error:
        return empty_reply(AWAY, [*subject.notices, error.detail])
    notices = [*subject.notices, *rules.notices]
    if not rules.audited:
        return empty_reply(NOTHING, notices)
    if not rules.rules:
        return empty_reply(NO_RULES, notices)
    findings: list[Finding] = []
    whole = subject.of(rules.audited)
    for at in range(0, len(rules.rules), RULES_PER_CALL):
        batch = rules.rules[at : at + RULES_PER_CALL]
        queries = [" ".join(span.words for span in rule) for rule in batch]
        audited = await select_passages(queries, rules.audited, subject, tools)
        if len(audited) < len(whole) and PARTLY not in notices:
            notices.append(PARTLY)
        findings += await judge_rules(rules, batch, audited, subject, tools.model)
    return _reply(findings, whole, notices)


def _reply(findings: Sequence[Finding], audited: Sequence[Evidence], notices: list[str]) -> Reply:
    markers = Markers()
    refs = {one.ref for one in audited}
    ordered = sorted(findings, key=lambda finding: VERDICTS.index(finding.verdict))
    rows = [_row(finding, refs, markers) for finding in ordered]
    counts = Counter(finding.verdict for finding in findings)
    summary = ", ".join(f"{counts[one]} {one}" for one in VERDICTS if counts[one])
    titles = dict.fromkeys(
        one.title if one.ref == TEXT else f"\u201c{escape_markdown(one.title)}\u201d"
        for one in audited
    )
    rules = f"{len(findings)} rule{'' if len(findings) == 1 else 's'}"
    table = "\n".join(("| Rule | Verdict | Evidence |", "|---|---|---|", *rows))
    unsure = sum(bool(finding.why) or finding.unread for finding in findings)
    confidence: Confidence = (
        "high" if not unsure else "low" if unsure == len(findings) else "medium"
    )
    return Reply(
        text=f"**{' and '.join(titles)}, checked against {rules}: {summary}.**\n\n{table}",
        citations=tuple(markers.citations),
        confidence=confidence,
        score=SCORES[confidence],
        by_model=True,
        claims=len(findings),
        doubted=sum(finding.doubted for finding in findings),
        grave=any(finding.grave and not finding.doubted for finding in findings),
        notices=tuple(notices),
    )


def _row(finding: Finding, audited: set[str], markers: Markers) -> str:
    verdict = f"**{finding.verdict}**{f' {DOUBTED}' if finding.doubted else ''}"
    rule = " ".join(_quote_cell(span, markers) for span in finding.rule)
    evidence: list[str] = []
    if (certified := finding.certified) is not None:
        evidence.append(cell(certified.claim.text.partition(": ")[2]))
        if certified.computed:
            evidence.append(f"({cell(certified.computed)})")
        spans = (span for span in certified.spans if span.evidence.ref in audited)
        evidence += [_quote_cell(span, markers) for span in spans]
    elif finding.verdict == "not covered":
        evidence.append(SILENT)
    if finding.why:
        evidence.append(f"({cell(finding.why)})")
    return f"| {rule} | {verdict} | {' '.join(evidence) or ' '} |"


def _quote_cell(span: SourceSpan, markers: Markers) -> str:
    """The quote, with a marker unless it is from the person's own text, which cannot be opened."""
    is_own = span.evidence.ref in (TEXT, MESSAGE)
    return f"\u201c{escape_markdown(span.words)}\u201d" if is_own else markers.quote(span)


async def judge_rules(
    rules: Rules, batch: Sequence[Rule], audited: Sequence[Evidence], subject: Subject, model: Model
) -> list[Finding]:
    """One finding per rule of the batch. A verdict without a quote is "unclear"; so is "met" if the second
    check doubts it or did not take place, and everything if no model is available.
    """
    write = partial(write_material, rules=batch, audited=audited, subject=subject)
    try:
        reply = await model.ask(verdicts_request(write, rules.language))
    except UNAVAILABLE as error:
        why = f"the model could not be asked: {error.detail}"
        return [Finding(rule=rule, why=why, unread=True) for rule in batch]
    replies = {one.rule - 1: one for one in reversed(reply.verdicts) if 0 < one.rule <= len(batch)}
    claims = {
        at: claim for at, one in sorted(replies.items()) if (claim := _to_claim(one, batch[at]))
    }
    proof = await prove_claims(
        list(claims.values()),
        Sources([*audited, *(span.evidence for rule in batch for span in rule)]),
        model,
        purpose=PURPOSE,
        material=write,
        question="",
        language=rules.language,
    )
    refs = {one.ref for one in audited}
    certified = dict(zip(claims, enumerate(proof.claims), strict=True))
    findings: list[Finding] = []
    for at, rule in enumerate(batch):
        place, own = certified.get(at, (-1, None))
        doubt, unread = proof.doubts.get(place), bool(proof.notices)
        findings.append(_finding(rule, replies.get(at), own, doubt, refs, unread))
    return findings


def verdicts_request(
    material: Callable[[PromptSections], str], language: str
) -> ModelRequest[Judgement]:
    return build_request(
        VERDICT_TEMPLATE,
        Judgement,
        [material(new_sections())],
        purpose=PURPOSE,
        max_output_tokens=MAX_VERDICT_OUTPUT,
        blanks={"formula": EXAMPLE, "language": language[:3] or ENGLISH},
    )


def write_material(
    write: PromptSections, rules: Sequence[Rule], audited: Sequence[Evidence], subject: Subject
) -> str:
    quotes = (
        (f"[{span.evidence.ref}] ({span.place_line}) {span.words}" for span in rule)
        for rule in rules
    )
    numbered = [f"{number}. {' ... '.join(rule)}" for number, rule in enumerate(quotes, 1)]
    return join_sections([subject.prompt(write, audited), write.fenced_section("Rules", *numbered)])


def _to_claim(reply: VerdictReply, rule: Rule) -> Claim | None:
    """The claim to certify; it includes the verdict and the quotes of the rule."""
    if reply.verdict == "not covered" or not reply.quotes:
        return None
    own = tuple(Quote(span.evidence.ref, span.words) for span in rule)
    for claim in claims_of([reply]):
        return Claim(f"{_label(reply.verdict)}{claim.text}", (*claim.quotes, *own), claim.formula)
    return None


def _finding(
    rule: Rule, reply: VerdictReply | None, claim: CertifiedClaim | None, doubt: str | None,
    audited: set[str], unread: bool,
) -> Finding:  # fmt: skip
    why, doubted = "", doubt is not None
    if reply is None:
        why = NO_VERDICT
    elif claim is None:
        if reply.verdict not in ("met", "breached"):
            return Finding(rule=rule, verdict=reply.verdict)
        why = NO_QUOTE
    elif claim.reason:
        why = claim.reason
    elif not any(span.evidence.ref in audited for span in claim.spans):
        why = NO_QUOTE
    elif not claim.claim.text.startswith(_label(reply.verdict)):
        why = CHANGED
    elif reply.verdict == "met" and (doubted or unread):
        doubts = f"the second check doubts that it is met: {doubt}"
        why = doubts if doubt else "it was checked only once"
        return Finding(rule=rule, certified=claim, why=why, doubted=doubted)
    else:
        return Finding(
            rule=rule,
            verdict=reply.verdict,
            certified=claim,
            why=doubt or "",
            doubted=doubted,
            grave=reply.grave and reply.verdict == "breached",
            unread=unread,
        )
    return Finding(rule=rule, why=why)


def _label(verdict: Verdict) -> str:
    return f"{verdict.capitalize()}: "
