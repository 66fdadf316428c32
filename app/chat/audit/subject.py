"""What an audit reads: the person's text and message, and documents, each under a reference."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from app.chat.documents.passages import open_documents, tokens_of
from app.chat.documents.source_text import split_message
from app.chat.inquiry.material import Material
from app.chat.tools import ActionRequest, Tools
from app.domain.chat import DocumentRef, Evidence
from app.llm.fence import PromptSections, join_sections
from knowledge import Query

TEXT, MESSAGE = "T", "M"  # references of the person's own
LONGEST_TEXT = 100_000  # characters of the person's text
FOUND_EACH = 4  # passages of a long document that are read for one rule
LONGEST_QUERY = 600  # characters
BEGINNING_TOKENS = 8_000  # of long documents that no passage is found in


@dataclass(slots=True)
class Subject:
    """`own` is what the person wrote: their text, and the message around it. `documents` by their references
    ("D1"), `passages` those of each. `whole`: they are small enough to be read at once.
    """

    own: list[Evidence] = field(default_factory=list)
    documents: dict[str, DocumentRef] = field(default_factory=dict)
    passages: dict[str, list[Evidence]] = field(default_factory=dict)
    whole: bool = True
    notices: list[str] = field(default_factory=list)

    @property
    def evidence(self) -> list[Evidence]:
        """All of it."""
        return [*self.own, *(one for each in self.passages.values() for one in each)]

    def of(self, refs: Iterable[str]) -> list[Evidence]:
        """What stands under these references."""
        wanted = set(refs)
        own = [one for one in self.own if one.ref in wanted]
        return own + [one for ref, each in self.passages.items() if ref in wanted for one in each]

    def prompt(self, write: PromptSections, evidence: Sequence[Evidence]) -> str:
        """These passages, one fence a document, and the person's text."""
        mine = {one.ref for one in self.own}
        refs = {document.id: ref for ref, document in self.documents.items()}
        shown = [
            one.model_copy(update={"title": f"{refs[one.document_id]}: {one.title}"})
            for one in evidence
            if one.ref not in mine
        ]
        own = [
            write.fenced_section(f"[{one.ref}] {one.title}", one.text)
            for one in evidence
            if one.ref in mine
        ]
        return join_sections([Material(evidence=shown).prompt(write), *own])


async def subject_of(asked: ActionRequest, tools: Tools) -> Subject:
    """All that the audit may read. Raises `StoreUnavailable`."""
    found = Subject()
    text = asked.source.strip()[:LONGEST_TEXT]
    if len(asked.source.strip()) > LONGEST_TEXT:
        found.notices.append(f"The text is long: its first {LONGEST_TEXT:,} characters are read.")
    message = asked.plain.strip()
    if text and text in message:
        message = split_message(message).request if text != message else ""
    own = ((TEXT, "The text", text), (MESSAGE, "The message", message[:LONGEST_TEXT]))
    found.own = [Evidence(ref=ref, title=title, text=said) for ref, title, said in own if said]
    documents = list(dict.fromkeys(asked.documents))
    read = await open_documents(documents, tools)
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
    """What is audited: all of it, or of long documents the passages nearest to each query, and how they begin
    where there are none: "not covered" is never said of what nobody read.
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
