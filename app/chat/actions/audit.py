"""The action `audit`: a text or a document held against rules, with the words that show each verdict."""

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
    read_for,
    read_subject,
    rules_of,
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
NOTHING = "There is nothing to audit: give a text or a document, and the rules to hold it against."
NO_RULES = "No rules were found to hold it against: nothing was checked."
SILENT = "nothing in it speaks of this"
PARTLY = (
    "What is audited is long: for each rule the passages nearest to it were read, so that "
    "\u201cnot covered\u201d and \u201cmet\u201d are of these alone."
)
VERDICT_TEMPLATE = "auditing.v2"
MAX_VERDICT_OUTPUT = 5_000  # tokens: twenty verdicts with their quotes
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
    """A rule and its verdict, with what code `certified` of it, if anything; `why` says why it is open."""

    rule: Rule
    verdict: Verdict = "unclear"
    certified: CertifiedClaim | None = None
    why: str = ""
    doubted: bool = False
    grave: bool = False
    unread: bool = False


async def audit_documents(asked: ActionRequest, tools: Tools) -> Reply:
    """A verdict for each rule, with the words that show it; needs a model. Raises `StoreUnavailable`."""
    if tools.model is None:
        return empty_reply(NEEDS_MODEL)
    subject = await read_subject(asked, tools)
    if len(subject.passages) < 2:
        return empty_reply(NOTHING, subject.notices)
    try:
        rules = await rules_of(asked, subject, tools.model)
    except UNAVAILABLE as error:
        return empty_reply(AWAY, [*subject.notices, error.detail])
    notices = [*subject.notices, *rules.notices]
    if not rules.audited:
        return empty_reply(NOTHING, notices)
    if not rules.rules:
        return empty_reply(NO_RULES, notices)
    findings: list[Finding] = []
    every = subject.of(rules.audited)
    for at in range(0, len(rules.rules), EACH_CALL):
        batch = rules.rules[at : at + EACH_CALL]
        queries = [" ".join(one.words for one in rule) for rule in batch]
        audited = await read_for(queries, rules.audited, subject, tools)
        if len(audited) < len(every) and PARTLY not in notices:
            notices.append(PARTLY)
        findings += await findings_of(rules, batch, audited, subject, tools.model)
    return _reply(findings, every, notices)


def _reply(findings: Sequence[Finding], audited: Sequence[Evidence], notices: list[str]) -> Reply:
    markers = Markers()
    shown = {one.ref for one in audited}
    ordered = sorted(findings, key=lambda one: VERDICTS.index(one.verdict))
    rows = [_row(one, shown, markers) for one in ordered]
    counts = Counter(one.verdict for one in findings)
    said = ", ".join(f"{counts[one]} {one}" for one in VERDICTS if counts[one])
    titles = dict.fromkeys(
        one.title if one.ref == TEXT else f"\u201c{escape_markdown(one.title)}\u201d"
        for one in audited
    )
    rules = f"{len(findings)} rule{'' if len(findings) == 1 else 's'}"
    table = "\n".join(("| Rule | Verdict | What shows it |", "|---|---|---|", *rows))
    open_ = sum(bool(one.why) or one.unread for one in findings)
    sure: Confidence = "high" if not open_ else "low" if open_ == len(findings) else "medium"
    return Reply(
        text=f"**{' and '.join(titles)}, held against {rules}: {said}.**\n\n{table}",
        citations=tuple(markers.citations),
        confidence=sure,
        score=SCORES[sure],
        by_model=True,
        claims=len(findings),
        doubted=sum(one.doubted for one in findings),
        grave=any(one.grave and not one.doubted for one in findings),
        notices=tuple(notices),
    )


def _row(one: Finding, audited: set[str], markers: Markers) -> str:
    verdict = f"**{one.verdict}**{f' {DOUBTED}' if one.doubted else ''}"
    words = [_quote_cell(span, markers) for span in one.rule]
    shows: list[str] = []
    if one.certified is not None:
        shows.append(cell(one.certified.claim.text.partition(": ")[2]))
        if one.certified.computed:
            shows.append(f"({cell(one.certified.computed)})")
        shows += [
            _quote_cell(span, markers)
            for span in one.certified.spans
            if span.evidence.ref in audited
        ]
    elif one.verdict == "not covered":
        shows.append(SILENT)
    if one.why:
        shows.append(f"({cell(one.why)})")
    return f"| {' '.join(words)} | {verdict} | {' '.join(shows) or ' '} |"


def _quote_cell(span: SourceSpan, markers: Markers) -> str:
    """The words, with a marker if they can be opened; what the person wrote cannot."""
    own = span.evidence.ref in (TEXT, MESSAGE)
    return f"\u201c{escape_markdown(span.words)}\u201d" if own else markers.quote(span)


async def findings_of(
    rules: Rules, batch: Sequence[Rule], audited: Sequence[Evidence], subject: Subject, model: Model
) -> list[Finding]:
    """One finding for each rule of a `batch`. A verdict without words that show it is "unclear"; so is "met"
    if a second reading doubts it or did not take place. A model that is away leaves all of them unclear.
    """
    write = partial(write_material, rules=batch, audited=audited, subject=subject)
    try:
        reply = await model.ask(verdicts_request(write, rules.language))
    except UNAVAILABLE as error:
        why = f"the model could not be asked: {error.detail}"
        return [Finding(rule=rule, why=why, unread=True) for rule in batch]
    told = {one.rule - 1: one for one in reversed(reply.verdicts) if 0 < one.rule <= len(batch)}
    claims = {at: claim for at, one in sorted(told.items()) if (claim := _to_claim(one, batch[at]))}
    proof = await prove_claims(
        list(claims.values()),
        Sources([*audited, *(each.evidence for rule in batch for each in rule)]),
        model,
        purpose=PURPOSE,
        material=write,
        question="",
        language=rules.language,
    )
    shown = {one.ref for one in audited}
    said = dict(zip(claims, enumerate(proof.claims), strict=True))
    found: list[Finding] = []
    for at, rule in enumerate(batch):
        place, one = said.get(at, (-1, None))
        doubt, unread = proof.doubts.get(place), bool(proof.notices)
        found.append(_finding(rule, told.get(at), one, doubt, shown, unread))
    return found


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
    listed = (
        (f"[{one.evidence.ref}] ({one.place_line}) {one.words}" for one in rule) for rule in rules
    )
    numbered = [f"{number}. {' ... '.join(rule)}" for number, rule in enumerate(listed, 1)]
    return join_sections([subject.prompt(write, audited), write.fenced_section("Rules", *numbered)])


def _to_claim(told: VerdictReply, rule: Rule) -> Claim | None:
    """What is to be certified: the verdict is part of it, and so are the words of the rule."""
    if told.verdict == "not covered" or not told.quotes:
        return None
    own = tuple(Quote(one.evidence.ref, one.words) for one in rule)
    for one in claims_of([told]):
        return Claim(f"{_label(told.verdict)}{one.text}", (*one.quotes, *own), one.formula)
    return None


def _finding(
    rule: Rule, told: VerdictReply | None, one: CertifiedClaim | None, doubt: str | None,
    shown: set[str], unread: bool,
) -> Finding:  # fmt: skip
    if told is None:
        return Finding(rule=rule, why=NO_VERDICT)
    if one is None:
        open_ = told.verdict in ("met", "breached")
        return (
            Finding(rule=rule, why=NO_WORDS) if open_ else Finding(rule=rule, verdict=told.verdict)
        )
    if one.reason:
        return Finding(rule=rule, why=one.reason)
    if not any(span.evidence.ref in shown for span in one.spans):
        return Finding(rule=rule, why=NO_WORDS)
    if not one.claim.text.startswith(_label(told.verdict)):
        return Finding(rule=rule, why=TURNED)
    doubted = doubt is not None
    if told.verdict == "met" and (doubted or unread):
        doubts = f"a second reading doubts that it is met: {doubt}"
        why = doubts if doubt else "it was read once only"
        return Finding(rule=rule, certified=one, why=why, doubted=doubted)
    return Finding(
        rule=rule,
        verdict=told.verdict,
        certified=one,
        why=doubt or "",
        doubted=doubted,
        grave=told.grave and told.verdict == "breached",
        unread=unread,
    )


def _label(verdict: Verdict) -> str:
    return f"{verdict.capitalize()}: "
