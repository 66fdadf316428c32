"""What an audit reads, and its rules, as a model lists them and code finds them."""

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from pydantic import BaseModel, Field

from app.chat.actions.material import Material
from app.chat.claims.certificate import QuoteReply
from app.chat.claims.sources import Sources, SourceSpan
from app.chat.documents.passages import batches, read_documents, tokens_of
from app.chat.documents.source_text import split_message
from app.chat.model_request import UNAVAILABLE, build_request, new_sections, shorten
from app.chat.output.markdown import escape_markdown
from app.chat.tools import ActionRequest, Tools
from app.domain.chat import DocumentRef, Evidence
from app.llm.port import Model, ModelRequest
from app.llm.prompt import PromptSections, join_sections
from knowledge import Query

TEXT, MESSAGE = "T", "M"  # references of the person's own
LONGEST_TEXT = 100_000  # characters of the person's text
FOUND_EACH = 4  # passages of a long document that are read for one rule
LONGEST_QUERY = 600  # characters
BEGINNING_TOKENS = 8_000  # of long documents that no passage is found in


@dataclass(slots=True)
class Subject:
    """What an audit may read, by reference: the person's text, the message around it, `documents` ("D1").
    `whole`: they are small enough to be read at once.
    """

    passages: dict[str, list[Evidence]] = field(default_factory=dict)
    documents: dict[str, DocumentRef] = field(default_factory=dict)
    whole: bool = True
    notices: list[str] = field(default_factory=list)

    def of(self, refs: Container[str]) -> list[Evidence]:
        """The passages under these references."""
        return [one for ref, each in self.passages.items() if ref in refs for one in each]

    def prompt(self, write: PromptSections, evidence: Sequence[Evidence]) -> str:
        """These passages, one fence per document, and the person's text."""
        refs = {document.id: ref for ref, document in self.documents.items()}
        shown = [
            one.model_copy(update={"title": f"{refs[one.document_id]}: {one.title}"})
            for one in evidence
            if one.document_id
        ]
        own = (one for one in evidence if not one.document_id)
        texts = (write.fenced_section(f"[{one.ref}] {one.title}", one.text) for one in own)
        return join_sections([Material(evidence=shown).prompt(write), *texts])


async def read_subject(asked: ActionRequest, tools: Tools) -> Subject:
    """Raises `StoreUnavailable`."""
    found = Subject()
    text = asked.source.strip()[:LONGEST_TEXT]
    if len(asked.source.strip()) > LONGEST_TEXT:
        found.notices.append(f"The text is long: its first {LONGEST_TEXT:,} characters are read.")
    message = asked.plain.strip()
    if text and text in message:
        message = split_message(message).request if text != message else ""
    own = ((TEXT, "The text", text), (MESSAGE, "The message", message[:LONGEST_TEXT]))
    for ref, title, said in own:
        if said:
            found.passages[ref] = [Evidence(ref=ref, title=title, text=said)]
    read = await read_documents(list(dict.fromkeys(asked.documents)), tools)
    found.notices += read.notices
    numbered = Material()
    for at, (document, passages) in enumerate(read.passages, 1):
        found.documents[f"D{at}"] = document
        found.passages[f"D{at}"] = numbered.add(passages)
    found.whole = read.tokens + len(text) // 4 <= tools.whole_tokens
    return found


async def read_for(
    queries: Sequence[str], audited: frozenset[str], subject: Subject, tools: Tools
) -> list[Evidence]:
    """All that is audited, or of long documents the passages nearest to each query, and the beginning if
    there are none: "not covered" is never said of what nobody read.
    """
    every = subject.of(audited)
    if sum(map(tokens_of, every)) <= tools.whole_tokens:
        return every
    ids = tuple(subject.documents[ref].id for ref in audited if ref in subject.documents)
    near = {one.ref for one in every if not one.document_id}
    for query in queries if ids else ():
        resolved = await tools.documents.resolve(
            tools.tenant,
            Query(text=query[:LONGEST_QUERY], documents=ids, limit=FOUND_EACH, nearest=True),
            tools.policy,
        )
        chunks = {
            chunk for one in resolved.found for chunk in (one.chunk_ids or (one.citation.chunk_id,))
        }
        near |= {one.ref for one in every if one.chunk_id in chunks}
    if not near:
        read = accumulate(map(tokens_of, every))
        near = {one.ref for one, used in zip(every, read, strict=True) if used <= BEGINNING_TOKENS}
    return [one for one in every if one.ref in near]


RULES_TEMPLATE = "auditing_rules.v2"
PURPOSE = "audit"
MAX_RULES_OUTPUT = 8_000  # tokens: a hundred rules with their quotes
MOST_RULES = 100
MOST_QUOTES = 4  # of one rule
CALL_TOKENS = 30_000  # of passages of long documents in one call
MOST_CALLS = 8
LONGEST_MESSAGE = 2_000  # characters
LONGEST_TOLD = 120
Rule = tuple[SourceSpan, ...]  # its quotes


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

    rules: list[Rule] = field(default_factory=list)
    audited: frozenset[str] = frozenset()
    language: str = ""
    notices: list[str] = field(default_factory=list)


async def rules_of(asked: ActionRequest, subject: Subject, model: Model) -> Rules:
    """One call, more for long documents. Raises `ModelFailed` and `BudgetReached` if the first one fails; if
    a later one does, the rules found before it stand.
    """
    first, later = _first(subject)
    reply = await model.ask(rules_request(asked, subject, first))
    known = set(subject.passages)
    named = {one.strip("[] ").upper() for one in reply.audited} & (known - {MESSAGE})
    language = reply.language.partition("-")[0].casefold()
    found = Rules(audited=frozenset(named), language=language)
    _add(found, reply, subject)
    rules = {one.ref for one in subject.of(known - found.audited)}
    groups = list(batches((one for one in later if one.ref in rules), tokens_of, CALL_TOKENS))
    if len(groups) >= MOST_CALLS:
        found.notices.append("The rules are long: not all of them were read.")
    for group in groups[: MOST_CALLS - 1]:
        try:
            reply = await model.ask(rules_request(asked, subject, group))
        except UNAVAILABLE as error:
            found.notices.append(f"Not all rules were read: {error.detail}")
            break
        _add(found, reply, subject)
    if len(found.rules) > MOST_RULES:
        found.notices.append(
            f"Of {len(found.rules)} rules the first {MOST_RULES} were held against it."
        )
        del found.rules[MOST_RULES:]
    return found


def rules_request(
    asked: ActionRequest, subject: Subject, shown: Sequence[Evidence]
) -> ModelRequest[RuleList]:
    write = new_sections()
    documents = [f"{ref} {document.title}" for ref, document in subject.documents.items()]
    message = shorten(asked.message, LONGEST_MESSAGE)
    return build_request(
        RULES_TEMPLATE,
        RuleList,
        [
            subject.prompt(write, shown),
            write.fenced_section("Documents", *documents),
            write.fenced_section("The message with what was tagged", message),
        ],
        purpose=PURPOSE,
        max_output_tokens=MAX_RULES_OUTPUT,
        blanks={"rules": str(MOST_RULES)},
    )


def _first(subject: Subject) -> tuple[list[Evidence], list[Evidence]]:
    """What the first call is shown, and the rest: of long documents it sees the beginning of each."""
    if subject.whole:
        return subject.of(subject.passages), []
    shown: list[Evidence] = []
    left: list[Evidence] = []
    room = CALL_TOKENS // max(1, len(subject.documents))
    for ref, passages in subject.passages.items():
        used = 0
        for one in passages:
            used += tokens_of(one) if ref in subject.documents else 0
            (shown if used <= room else left).append(one)
    return shown, left


def _add(found: Rules, reply: RuleList, subject: Subject) -> None:
    """Add each rule once whose words stand where rules come from."""
    sources = Sources(subject.of(subject.passages.keys() - found.audited))
    nowhere: list[str] = []
    for one in reply.rules:
        spans = [sources.find(each.source.strip("[] "), each.words) for each in one.quotes]
        whole = tuple(each for each in spans[:MOST_QUOTES] if each is not None)
        if not whole or None in spans:
            nowhere.append(escape_markdown(one.text or " ".join(each.words for each in one.quotes)))
        elif whole not in found.rules:
            found.rules.append(whole)
    if nowhere:
        told = "; ".join(f"\u201c{one[:LONGEST_TOLD]}\u201d" for one in nowhere if one)
        found.notices.append(f"Not audited, since these rules stand nowhere: {told}.")
