"""Gathers what a question is answered from: small documents as a whole, else passages of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from app.chat.documents.passages import from_found, from_parts, read_documents, tokens_of
from app.chat.documents.titles import document_ref, index_titles
from app.chat.tools import ActionRequest, Tools
from app.domain.chat import DocumentRef, Evidence
from app.domain.knowledge import is_site_bound
from app.errors import NotFound
from app.llm.prompt import PromptSections, join_sections
from knowledge import Part, Query

PATH = " \u203a "  # between the headings of a section
MOST_PASSAGES = 10  # per search
MOST_UNNAMED = 12  # documents of a library that is read as a whole if none is named
MOST_TITLES = 40  # shown if nothing was found or other documents may be searched
MOST_OUTLINED = 4  # documents whose sections the model may ask for
MOST_SECTIONS = 60  # of each of them
MOST_QUERIES, MOST_READ = 3, 4  # per round
LONGEST_QUERY = 600  # characters


@dataclass(slots=True)
class Material:
    """The passages for a model, and what it may ask for.

    `evidence` holds the passages in order; `whole`: they are the whole documents; `others`: other documents
    may be searched as well. `sections` of `outlined` documents may be read by reference. `searched` are the
    documents with passages. `titles` can be searched; `is_empty`: there are no documents. `notices` are
    sentences for the person.
    """

    evidence: list[Evidence] = field(default_factory=list)
    whole: bool = False
    others: bool = False
    sections: dict[str, tuple[DocumentRef, tuple[str, ...], tuple[Part, ...]]] = field(
        default_factory=dict
    )
    outlined: set[str] = field(default_factory=set)
    searched: list[DocumentRef] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    is_empty: bool = False
    notices: list[str] = field(default_factory=list)

    def add(self, passages: Iterable[Evidence]) -> list[Evidence]:
        """Add new passages under new references; returns them."""
        count = len(self.evidence)
        for passage in passages:
            place = (passage.document_id, passage.url)
            # A search joins neighbors, so one passage may be contained in another.
            if any(
                place == (other.document_id, other.url) and passage.text in other.text
                for other in self.evidence
            ):
                continue
            ref = f"{'W' if passage.kind == 'web' else 'P'}{len(self.evidence) + 1}"
            self.evidence.append(passage.model_copy(update={"ref": ref}))
            if passage.kind == "document" and document_ref(passage) not in self.searched:
                self.searched.append(document_ref(passage))
        return self.evidence[count:]

    def prompt(self, write: PromptSections) -> str:
        """Render for a model: one fence per document, with the references and sections of its passages."""
        by_document: dict[str, list[Evidence]] = {}
        for passage in self.evidence:
            key = passage.document_id or passage.url or passage.title
            by_document.setdefault(key, []).append(passage)
        parts = [
            write.fenced_section(
                "A page of the web" if passages[0].kind == "web" else "A document",
                passages[0].title,
                *map(_passage_text, passages),
            )
            for passages in by_document.values()
        ]
        sections = [
            f"{ref} {PATH.join(dict.fromkeys((document.title, *path)))}"
            for ref, (document, path, _) in self.sections.items()
        ]
        titles = self.titles if self.others or not self.evidence else ()
        return join_sections(
            [
                *parts,
                write.fenced_section("Documents that can be searched", *titles),
                write.fenced_section("Sections of these documents", *sections),
            ]
        )


async def gather_material(
    request: ActionRequest, tools: Tools, web: Sequence[Evidence] = ()
) -> Material:
    """The requested documents as a whole if they have at most `Tools.whole_tokens`, else the passages that a
    search finds in them, with their sections. If none is named, a small library is read as a whole. Raises
    `StoreUnavailable`.
    """
    material = Material()
    documents = list(request.documents)
    titles = await tools.documents.titles(tools.tenant)
    library = None
    if not documents:
        library = [
            document_ref(title)
            for title in titles
            if title.set_name in request.sets or not (is_site_bound(title) or request.sets)
        ]
        material.is_empty = not library
        documents = library if len(library) <= MOST_UNNAMED else []
    if documents:
        await _read_whole(documents, request, tools, material)
    if not material.whole and not material.is_empty:
        await search_passages(request.question, request, tools, material)
        await _outline(request, tools, material)
    material.others = (
        bool(request.documents) and not request.tagged and len(titles) > len(documents)
    )
    material.add(web)
    if material.others or not material.evidence:
        ranked = index_titles(titles).rank_likely(request.question, MOST_TITLES)
        material.titles = [
            title.title
            for title in (titles[at] for at in ranked)
            if (library is None or document_ref(title) in library) and not is_site_bound(title)
        ]
    return material


async def search_passages(
    query: str, request: ActionRequest, tools: Tools, material: Material
) -> None:
    """Search the requested documents and sets, or all documents if others may be searched."""
    ids = () if material.others else tuple(dict.fromkeys(one.id for one in request.documents))
    resolved = await tools.documents.resolve(
        tools.tenant,
        Query(
            text=query[:LONGEST_QUERY],
            sets=() if ids else request.sets,
            documents=ids,
            limit=MOST_PASSAGES,
        ),
        tools.policy,
    )
    material.add(from_found(resolved.found))


async def extend(
    queries: Sequence[str],
    sections: Sequence[str],
    request: ActionRequest,
    tools: Tools,
    material: Material,
) -> None:
    """Add what the model asks for, as far as it fits."""
    for query in [query for query in queries if query.strip()][:MOST_QUERIES]:
        await search_passages(query, request, tools, material)
    for ref in sections[:MOST_READ]:
        if (section := material.sections.get(ref.strip("[] "))) is None:
            continue
        document, _, parts = section
        used = sum(map(tokens_of, material.evidence)) + sum(part.chunk.tokens for part in parts)
        if used <= tools.whole_tokens:
            material.add(from_parts(document, parts))
    await _outline(request, tools, material)


async def _read_whole(
    documents: Sequence[DocumentRef], request: ActionRequest, tools: Tools, material: Material
) -> None:
    opened = await read_documents(documents, tools, max_tokens=tools.whole_tokens)
    if request.documents:
        material.notices += opened.notices
    if opened.tokens > tools.whole_tokens:
        return
    passages = [passage for _, each in opened.passages for passage in each]
    material.whole = True
    material.is_empty = not passages
    material.add(passages)


async def _outline(request: ActionRequest, tools: Tools, material: Material) -> None:
    """Add the sections of the requested documents, or of those with passages."""
    documents = dict.fromkeys(request.documents or material.searched)
    for document in list(documents)[:MOST_OUTLINED]:
        if document.id in material.outlined:
            continue
        material.outlined.add(document.id)
        try:
            parts = await tools.documents.parts(tools.tenant, document.id)
        except NotFound:
            continue
        by_path: dict[tuple[str, ...], list[Part]] = {}
        for part in parts:
            if part.chunk.heading_path:
                by_path.setdefault(part.chunk.heading_path, []).append(part)
        for path, section in list(by_path.items())[:MOST_SECTIONS]:
            ref = f"S{len(material.sections) + 1}"
            material.sections[ref] = (document, path, tuple(section))


def _passage_text(passage: Evidence) -> str:
    page = f", page {passage.page}" if passage.page is not None else ""
    place = f"{PATH.join(passage.heading_path)}{page}"
    return f"[{passage.ref}]{f' ({place})' if place else ''}\n{passage.text}"
