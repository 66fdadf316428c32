"""The audit as a model does it, both quotes of each finding checked by code."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from app.chat.auditing.checking import Checked
from app.chat.auditing.findings import Finding
from app.chat.auditing.rules import Rule
from app.chat.evidence import supports
from app.chat.evidence.claims import said as bare
from app.chat.evidence.facts import speaks_of
from app.chat.evidence.support import contradict
from app.chat.statements import Held, Statement, shortened
from app.chat.statements.words import plain_words
from app.chat.tools import Asked
from app.domain.chat import Evidence
from app.errors import BudgetReached, ModelFailed
from app.llm.fence import NAME, new_tag
from app.llm.port import Model, ModelRequest
from app.llm.prompting import fill
from app.llm.writing import Writing, joined
from app.text import patterns

TEMPLATE = "auditing.v1"
MAX_OUTPUT = 2_000  # tokens
MOST_FINDINGS = 12
MOST_READ = 4 * MOST_FINDINGS  # of one reply
MOST_CALLS = 4
LONGEST_TEXT = 12_000  # characters of the text in one call, some 3,000 tokens
LONGEST_RULES = 20_000  # of passages in one call
LONGEST_MESSAGE = 600
LONGEST_SENTENCE = 240  # of what is wrong and of a fix
BROKEN, LACKING = "The text does not keep to this rule.", "The text lacks what this rule asks for."
# What the text or the rule says is told as that.
_OF_THEM = patterns.compile(
    r"\b(?:text|sentence|rule|passage|says?|breaks?|violates?|contradicts?)\b", patterns.IGNORECASE
)
KEPT = "Say it as the rule does."


class Told(BaseModel):
    """One finding."""

    severity: Literal["high", "medium", "low"] = "medium"
    wrong: str = ""
    text_quote: str = ""
    passage: str = ""
    rule_quote: str = ""
    fix: str = ""


class Audited(BaseModel):
    """What a call found."""

    findings: list[Told] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Answered:
    """The findings that hold. `asked`: the model answered at least once."""

    findings: tuple[Finding, ...] = ()
    notices: tuple[str, ...] = ()
    asked: bool = False


async def asked_model(
    asked: Asked, source: str, held: Sequence[Held], found: Checked, model: Model
) -> Answered:
    """At most `MOST_CALLS` calls, each with a part of the text and the passages nearest to it first. A model
    that fails leaves what came before it.
    """
    findings: list[Finding] = []
    notices: list[str] = []
    answered = False
    passages, whole = _passages(held, found)
    texts = [source[at : at + LONGEST_TEXT] for at in range(0, len(source), LONGEST_TEXT)]
    calls = [(text, rules) for text in texts for rules in passages]
    if not whole or len(calls) > MOST_CALLS:
        notices.append("There is much to read: the model read the part that seemed most telling.")
    for text, rules in calls[:MOST_CALLS]:
        try:
            reply = await model.ask(request(asked, text, held, rules, Writing(new_tag())))
        except (ModelFailed, BudgetReached) as error:
            notices.append(f"The model could not be asked: {error.title}.")
            break
        answered = True
        findings += [
            one
            for told in reply.findings[:MOST_READ]
            if (one := _finding(told, text, rules, found))
        ]
    return Answered(tuple(findings), tuple(notices), answered)


def request(
    asked: Asked, text: str, held: Sequence[Held], passages: Sequence[Evidence], write: Writing
) -> ModelRequest[Audited]:
    """The call for this part of the text and these passages."""
    parts = [
        write.trusted(
            "The person asks", asked.plain[:LONGEST_MESSAGE] if len(asked.plain) < len(text) else ""
        ),
        write.fenced("Text", text),
        write.fenced("Passages", *(f"[{one.ref}] {one.title}\n{one.text}" for one in passages)),
    ]
    return ModelRequest(
        purpose="audit",
        system=system(),
        template=TEMPLATE,
        prompt=joined(parts),
        reply=Audited,
        tier="strong",
        max_output_tokens=MAX_OUTPUT,
    )


def system() -> str:
    """What every such call shares, word for word."""
    return fill(TEMPLATE, fence=NAME, most=str(MOST_FINDINGS))


def _passages(held: Sequence[Held], found: Checked) -> tuple[list[list[Evidence]], bool]:
    """The passages of each call: those with rules, the nearest to the text first."""
    every = {one.ref: one for each in held for one in each.passages}
    order = dict.fromkeys(one.said.ref for one in (*found.nearest, *found.rules))
    made: list[list[Evidence]] = [[]]
    size = 0
    for ref in order or every:
        if size + len(every[ref].text) > LONGEST_RULES and made[-1]:
            if len(made) == MOST_CALLS:
                return made, False
            made.append([])
            size = 0
        made[-1].append(every[ref])
        size += len(every[ref].text)
    return made, True


def _finding(told: Told, text: str, passages: Sequence[Evidence], found: Checked) -> Finding | None:
    """None where a quote does not stand where it is said to."""
    passage = next((one for one in passages if one.ref == told.passage.strip("[] ")), None)
    quote = " ".join(told.text_quote.strip(' "“”').split())
    rule = " ".join(told.rule_quote.strip(' "“”').split())
    if passage is None or not rule or not told.wrong.strip() or not told.fix.strip():
        return None
    if not supports(rule, rule, passage) or (quote and not _stands(quote, text)):
        return None
    known = next(
        (
            one
            for one in found.rules
            if one.said.ref == passage.ref and _stands(rule, one.said.text)
        ),
        None,
    )
    said = known.said if known else Statement(rule, passage.ref, quote=rule)
    return Finding(
        severity=told.severity,
        wrong=_judged(told.wrong, BROKEN if quote else LACKING, quote, rule, passage.heading_path),
        quote=quote,
        rule=Rule(said, passage.title, told.severity),
        fix=_judged(told.fix, KEPT, quote, rule, passage.heading_path),
        sure=bool(quote),
    )


def _judged(told: str, instead: str, quote: str, rule: str, headings: Sequence[str]) -> str:
    """What the model says of the two quotes, where it speaks of them, adds no fact, and does not say by
    itself the opposite of the rule.
    """
    shown = bare(told)
    turned = contradict(shown, rule) and not _OF_THEM.search(shown)
    if turned or not speaks_of(shown, quote, rule, *headings):
        return instead
    return shortened(shown, LONGEST_SENTENCE)


def _stands(quote: str, text: str) -> bool:
    words = " ".join(plain_words(quote))
    return bool(words) and f" {words} " in f" {' '.join(plain_words(text))} "
