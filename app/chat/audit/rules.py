"""The rules of an audit, as a model lists them and code finds them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, Field

from app.chat.audit.subject import TEXT, Subject
from app.chat.claims.claim import QuoteReply
from app.chat.claims.sources import Sources, SourceSpan
from app.chat.documents.passages import batches, tokens_of
from app.chat.output.markdown import escape_markdown
from app.chat.request.model import shorten
from app.chat.tools import ActionRequest
from app.domain.chat import Evidence
from app.errors import BudgetReached, ModelFailed
from app.llm.fence import NAME, PromptSections, join_sections, new_tag
from app.llm.port import Model, ModelRequest
from app.llm.prompt_templates import fill_prompt

TEMPLATE = "auditing_rules.v2"
PURPOSE = "audit"
MAX_OUTPUT = 8_000  # tokens: a hundred rules with their quotes
MOST_RULES = 100
MOST_QUOTES = 4  # of one rule
CALL_TOKENS = 30_000  # of passages of long documents in one call
MOST_CALLS = 8
LONGEST_MESSAGE = 2_000  # characters
LONGEST_TOLD = 120


class RuleReply(BaseModel):
    """One rule by its quotes."""

    text: str = ""
    quotes: list[QuoteReply] = Field(default_factory=list)


class RuleList(BaseModel):
    """What is audited, by reference, and the rules."""

    audited: list[str] = Field(default_factory=list)
    rules: list[RuleReply] = Field(default_factory=list)
    language: str = ""


@dataclass(slots=True)
class Rules:
    """The rules that stand where the model says, each as its quotes; `audited` are references."""

    rules: list[tuple[SourceSpan, ...]] = field(default_factory=list)
    audited: frozenset[str] = frozenset()
    language: str = ""
    notices: list[str] = field(default_factory=list)


async def rules_of(asked: ActionRequest, subject: Subject, model: Model) -> Rules:
    """One call, more for long documents. Raises `ModelFailed` and `BudgetReached` where the first one fails;
    a later one leaves what came before it, and says so.
    """
    first, later = _first(subject)
    reply = await model.ask(request(asked, subject, first))
    known = {one.ref for one in subject.own} | subject.documents.keys()
    told = frozenset(one.strip("[] ").upper() for one in reply.audited) & {
        *subject.documents,
        TEXT,
    }
    found = Rules(audited=told & known)
    found.language = reply.language.partition("-")[0].casefold()
    _add(found, reply, subject)
    rules = {one.ref for one in subject.of(known - found.audited)}
    groups = list(batches((one for one in later if one.ref in rules), tokens_of, CALL_TOKENS))
    if len(groups) >= MOST_CALLS:
        found.notices.append("The rules are long: not all of them were read.")
    for group in groups[: MOST_CALLS - 1]:
        try:
            reply = await model.ask(request(asked, subject, group))
        except (ModelFailed, BudgetReached) as error:
            found.notices.append(f"Not all rules were read: {error.detail}")
            break
        _add(found, reply, subject)
    if len(found.rules) > MOST_RULES:
        found.notices.append(
            f"Of {len(found.rules)} rules the first {MOST_RULES} were held against it."
        )
        del found.rules[MOST_RULES:]
    return found


def request(
    asked: ActionRequest, subject: Subject, shown: Sequence[Evidence]
) -> ModelRequest[RuleList]:
    """The call; everything but the person's own message stands in a fence."""
    write = PromptSections(new_tag())
    documents = [f"{ref} {document.title}" for ref, document in subject.documents.items()]
    return ModelRequest(
        purpose=PURPOSE,
        system=fill_prompt(TEMPLATE, fence=NAME, rules=str(MOST_RULES)),
        template=TEMPLATE,
        prompt=join_sections(
            [
                subject.prompt(write, shown),
                write.fenced_section("Documents", *documents),
                write.fenced_section(
                    "The message with what was tagged", shorten(asked.message, LONGEST_MESSAGE)
                ),
            ]
        ),
        reply=RuleList,
        tier="strong",
        max_output_tokens=MAX_OUTPUT,
    )


def _first(subject: Subject) -> tuple[list[Evidence], list[Evidence]]:
    """What the first call is shown, and what is left: of long documents it sees how each begins."""
    if subject.whole:
        return subject.evidence, []
    shown = list(subject.own)
    left: list[Evidence] = []
    room = CALL_TOKENS // max(1, len(subject.documents))
    for passages in subject.passages.values():
        used = 0
        for one in passages:
            used += tokens_of(one)
            (shown if used <= room else left).append(one)
    return shown, left


def _add(found: Rules, reply: RuleList, subject: Subject) -> None:
    """Those whose words stand where rules come from, each once."""
    audited = {one.ref for one in subject.of(found.audited)}
    sources = Sources([one for one in subject.evidence if one.ref not in audited])
    nowhere: list[str] = []
    for one in reply.rules:
        held = [sources.find(each.source.strip("[] "), each.words) for each in one.quotes]
        whole = tuple(each for each in held[:MOST_QUOTES] if each is not None)
        if not whole or None in held:
            nowhere.append(escape_markdown(one.text or " ".join(each.words for each in one.quotes)))
        elif whole not in found.rules:
            found.rules.append(whole)
    if nowhere:
        told = "; ".join(f"\u201c{one[:LONGEST_TOLD]}\u201d" for one in nowhere if one)
        found.notices.append(f"Not audited, since these rules stand nowhere: {told}.")
