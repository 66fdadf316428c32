"""The action `audit`."""

from collections import Counter
from collections.abc import Sequence

from app.chat.audit.rules import rules_of
from app.chat.audit.subject import MESSAGE, TEXT, Subject, read_for, subject_of
from app.chat.audit.verdicts import EACH_CALL, VERDICTS, Finding, findings_of
from app.chat.claims.body import DOUBTED, SCORES, Markers, empty_reply
from app.chat.claims.sources import SourceSpan
from app.chat.output.markdown import cell, escape_markdown
from app.chat.tools import ActionRequest, Tools
from app.domain.chat import Evidence, Reply
from app.domain.knowledge import Confidence
from app.errors import BudgetReached, ModelFailed

NEEDS_MODEL = "An audit needs a model, and none is configured: nothing was checked."
AWAY = "An audit needs a model, and it could not be asked: nothing was checked."
NOTHING = "There is nothing to audit: give a text or a document, and the rules to hold it against."
NO_RULES = "No rules were found to hold it against: nothing was checked."
SILENT = "nothing in it speaks of this"
PARTLY = (
    "What is audited is long: for each rule the passages nearest to it were read, so that "
    "\u201cnot covered\u201d and \u201cmet\u201d are of these alone."
)


async def audit(asked: ActionRequest, tools: Tools) -> Reply:
    """A verdict for each rule, with the words that show it; without a model, that it needs one. Nothing is
    met without words that show it. Raises `StoreUnavailable`.
    """
    if tools.model is None:
        return empty_reply(NEEDS_MODEL)
    subject = await subject_of(asked, tools)
    if len(subject.own) + len(subject.documents) < 2:
        return empty_reply(NOTHING, subject.notices)
    try:
        rules = await rules_of(asked, subject, tools.model)
    except (ModelFailed, BudgetReached) as error:
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
        findings += await findings_of(batch, audited, subject, tools.model, rules.language)
    return _reply(findings, every, subject, notices)


def _reply(
    findings: Sequence[Finding], audited: Sequence[Evidence], subject: Subject, notices: list[str]
) -> Reply:
    markers = Markers()
    shown = {one.ref for one in audited}
    ordered = sorted(findings, key=lambda one: VERDICTS.index(one.verdict))
    rows = [_row(one, shown, markers) for one in ordered]
    counts = Counter(one.verdict for one in findings)
    said = ", ".join(f"{counts[one]} {one}" for one in VERDICTS if counts[one])
    of = " and ".join(dict.fromkeys(_title_of(one) for one in audited))
    rules = f"{len(findings)} rule{'' if len(findings) == 1 else 's'}"
    table = "\n".join(("| Rule | Verdict | What shows it |", "|---|---|---|", *rows))
    open_ = sum(bool(one.why) or one.unread for one in findings)
    sure: Confidence = "high" if not open_ else "low" if open_ == len(findings) else "medium"
    return Reply(
        text=f"**{of}, held against {rules}: {said}.**\n\n{table}",
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
    words = [_quote_cell(held, markers) for held in one.rule]
    shows: list[str] = []
    if one.said is not None:
        shows.append(cell(one.said.claim.text.partition(": ")[2]))
        if one.said.computed:
            shows.append(f"({cell(one.said.computed)})")
        shows += [
            _quote_cell(held, markers) for held in one.said.held if held.evidence.ref in audited
        ]
    elif one.verdict == "not covered":
        shows.append(SILENT)
    if one.why:
        shows.append(f"({cell(one.why)})")
    return f"| {' '.join(words)} | {verdict} | {' '.join(shows) or ' '} |"


def _quote_cell(held: SourceSpan, markers: Markers) -> str:
    """The words, with a marker where they can be opened: what the person wrote cannot."""
    own = held.evidence.ref in (TEXT, MESSAGE)
    return f"\u201c{escape_markdown(held.words)}\u201d" if own else markers.quote(held)


def _title_of(one: Evidence) -> str:
    return one.title if one.ref == TEXT else f"\u201c{escape_markdown(one.title)}\u201d"
