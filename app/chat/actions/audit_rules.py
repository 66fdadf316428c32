"""The subject of an audit, and its rules, which a model lists and code locates."""

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

TEXT, MESSAGE = "T", "M"  # references of the person's own text and message
LONGEST_TEXT = 100_000  # characters of the person's text
PASSAGES_PER_RULE = 4  # of long documents
LONGEST_QUERY = 600  # characters
BEGINNING_TOKENS = 8_000  # read of long documents in which no passage is found


@dataclass(slots=True)
class Subject:
    """What an audit may read, by reference: the person's text ("T"), the rest of the message ("M"), and
    `documents` ("D1"). `fits`: everything can be read at once.
    """

    passages: dict[str, list[Evidence]] = field(default_factory=dict)
    documents: dict[str, DocumentRef] = field(default_factory=dict)
    fits: bool = True
    notices: list[str] = field(default_factory=list)

    def of(self, refs: Container[str]) -> list[Evidence]:
        """The passages with these references."""
        return [one for ref, passages in self.passages.items() if ref in refs for one in passages]

    def prompt(self, write: PromptSections, evidence: Sequence[Evidence]) -> str:
        """These passages, in one fence per document, and the person's text."""
        refs = {document.id: ref for ref, document in self.documents.items()}
        passages = [
            one.model_copy(update={"title": f"{refs[one.document_id]}: {one.title}"})
            for one in evidence
            if one.document_id
        ]
        own = (one for one in evidence if not one.document_id)
        texts = (write.fenced_section(f"[{one.ref}] {one.title}", one.text) for one in own)
        return join_sections([Material(evidence=passages).prompt(write), *texts])


async def read_subject(request: ActionRequest, tools: Tools) -> Subject:
    """Raises `StoreUnavailable`."""
    subject = Subject()
    text = request.source.strip()[:LONGEST_TEXT]
    if len(request.source.strip()) > LONGEST_TEXT:
        subject.notices.append(f"The text is long: its first {LONGEST_TEXT:,} characters are read.")
    message = request.plain.strip()
    if text and text in message:
        message = split_message(message).request if text != message else ""
    own = ((TEXT, "The text", text), (MESSAGE, "The message", message[:LONGEST_TEXT]))
    for ref, title, content in own:
        if content:
            subject.passages[ref] = [Evidence(ref=ref, title=title, text=content)]
    opened = await read_documents(list(dict.fromkeys(request.documents)), tools)
    subject.notices += opened.notices
    numbered = Material()
    for at, (document, passages) in enumerate(opened.passages, 1):
        subject.documents[f"D{at}"] = document
        subject.passages[f"D{at}"] = numbered.add(passages)
    subject.fits = opened.tokens + len(text) // 4 <= tools.whole_tokens
    return subject


async def select_passages(
    queries: Sequence[str], audited: frozenset[str], subject: Subject, tools: Tools
) -> list[Evidence]:
    """Everything that is audited, or of long documents the passages nearest to each query; their beginning if
    there are none, so that "not covered" always refers to text that was read.
    """
    whole = subject.of(audited)
    if sum(map(tokens_of, whole)) <= tools.whole_tokens:
        return whole
    ids = tuple(subject.documents[ref].id for ref in audited if ref in subject.documents)
    near = {one.ref for one in whole if not one.document_id}
    for query in queries if ids else ():
        resolved = await tools.documents.resolve(
            tools.tenant,
            Query(text=query[:LONGEST_QUERY], documents=ids, limit=PASSAGES_PER_RULE, nearest=True),
            tools.policy,
        )
        chunks = {
            chunk for one in resolved.found for chunk in (one.chunk_ids or (one.citation.chunk_id,))
        }
        near |= {one.ref for one in whole if one.chunk_id in chunks}
    if not near:
        totals = accumulate(map(tokens_of, whole))
        near = {
            one.ref for one, total in zip(whole, totals, strict=True) if total <= BEGINNING_TOKENS
        }
    return [one for one in whole if one.ref in near]


RULES_TEMPLATE = "auditing_rules.v2"
PURPOSE = "audit"
MAX_RULES_OUTPUT = 8_000  # tokens: a hundred rules with their quotes
MOST_RULES = 100
MOST_QUOTES = 4  # per rule
CALL_TOKENS = 30_000  # of long documents, per call
MOST_CALLS = 8
LONGEST_MESSAGE = 2_000  # characters
LONGEST_NOTICE = 120  # characters of a rule in a notice
Rule = tuple[SourceSpan, ...]  # its quotes


class RuleReply(BaseModel):
    """One rule, given by its quotes."""

    text: str = ""
    quotes: list[QuoteReply] = Field(default_factory=list)


class RuleList(BaseModel):
    """The references of what is audited, and the rules."""

    audited: list[str] = Field(default_factory=list)
    rules: list[RuleReply] = Field(default_factory=list)
    language: str = ""


@dataclass(slots=True)
class Rules:
    """The rules whose quotes were found; `audited` are references."""

    rules: list[Rule] = field(default_factory=list)
    audited: frozenset[str] = frozenset()
    language: str = ""
    notices: list[str] = field(default_factory=list)


async def list_rules(request: ActionRequest, subject: Subject, model: Model) -> Rules:
    """List the rules with one call, or more for long documents. Raises `ModelFailed` and `BudgetReached` if
    the first call fails; after that, the rules found so far are returned.
    """
    first, later = _split_passages(subject)
    reply = await model.ask(rules_request(request, subject, first))
    refs = set(subject.passages)
    audited = {ref.strip("[] ").upper() for ref in reply.audited} & (refs - {MESSAGE})
    language = reply.language.partition("-")[0].casefold()
    found = Rules(audited=frozenset(audited), language=language)
    _add_rules(found, reply, subject)
    rules = {one.ref for one in subject.of(refs - found.audited)}
    groups = list(batches((one for one in later if one.ref in rules), tokens_of, CALL_TOKENS))
    if len(groups) >= MOST_CALLS:
        found.notices.append("The rules are long: not all of them were read.")
    for group in groups[: MOST_CALLS - 1]:
        try:
            reply = await model.ask(rules_request(request, subject, group))
        except UNAVAILABLE as error:
            found.notices.append(f"Not all rules were read: {error.detail}")
            break
        _add_rules(found, reply, subject)
    if len(found.rules) > MOST_RULES:
        found.notices.append(
            f"Only the first {MOST_RULES} of {len(found.rules)} rules were checked."
        )
        del found.rules[MOST_RULES:]
    return found


def rules_request(
    request: ActionRequest, subject: Subject, passages: Sequence[Evidence]
) -> ModelRequest[RuleList]:
    write = new_sections()
    documents = [f"{ref} {document.title}" for ref, document in subject.documents.items()]
    message = shorten(request.message, LONGEST_MESSAGE)
    return build_request(
        RULES_TEMPLATE,
        RuleList,
        [
            subject.prompt(write, passages),
            write.fenced_section("Documents", *documents),
            write.fenced_section("The message with what was tagged", message),
        ],
        purpose=PURPOSE,
        max_output_tokens=MAX_RULES_OUTPUT,
        blanks={"rules": str(MOST_RULES)},
    )


def _split_passages(subject: Subject) -> tuple[list[Evidence], list[Evidence]]:
    """The passages for the first call, which sees the beginning of each long document, and the rest."""
    if subject.fits:
        return subject.of(subject.passages), []
    first: list[Evidence] = []
    later: list[Evidence] = []
    room = CALL_TOKENS // max(1, len(subject.documents))
    for ref, passages in subject.passages.items():
        used = 0
        for passage in passages:
            used += tokens_of(passage) if ref in subject.documents else 0
            (first if used <= room else later).append(passage)
    return first, later


def _add_rules(found: Rules, reply: RuleList, subject: Subject) -> None:
    """Add the new rules of the reply whose quotes are all found outside of what is audited."""
    sources = Sources(subject.of(subject.passages.keys() - found.audited))
    not_found: list[str] = []
    for rule in reply.rules:
        spans = [sources.find(quote.source.strip("[] "), quote.words) for quote in rule.quotes]
        quotes = tuple(span for span in spans[:MOST_QUOTES] if span is not None)
        if not quotes or None in spans:
            text = rule.text or " ".join(quote.words for quote in rule.quotes)
            not_found.append(escape_markdown(text))
        elif quotes not in found.rules:
            found.rules.append(quotes)
    if not_found:
        names = "; ".join(f"\u201c{text[:LONGEST_NOTICE]}\u201d" for text in not_found if text)
        found.notices.append(f"Not audited, since these rules are not in the sources: {names}.")
