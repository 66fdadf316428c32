"""What a question is answered from: documents read whole where they are small, else passages of them."""

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
MOST_PASSAGES = 10  # of one search
MOST_UNNAMED = 12  # documents of a library that is read whole where none is named
MOST_TITLES = 40  # that are shown where nothing was found, or others may be searched
MOST_OUTLINED = 4  # documents whose sections may be asked for
MOST_SECTIONS = 60  # of each of them
MOST_QUERIES, MOST_READ = 3, 4  # of one round
LONGEST_QUERY = 600  # characters


@dataclass(slots=True)
class Material:
    """`evidence` are the passages in the order in which they are shown; `whole`: they are all that the
    documents say; `others`: there are more documents, which may be searched all the same. `sections` may be
    read by their reference, those of `outlined` documents. `looked` are documents that were looked into.
    `titles` are some that can be searched. `nothing`: there are none. `notices` are sentences for the person.
    """

    evidence: list[Evidence] = field(default_factory=list)
    whole: bool = False
    others: bool = False
    sections: dict[str, tuple[DocumentRef, tuple[str, ...], tuple[Part, ...]]] = field(
        default_factory=dict
    )
    outlined: set[str] = field(default_factory=set)
    looked: list[DocumentRef] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    nothing: bool = False
    notices: list[str] = field(default_factory=list)

    def add(self, found: Iterable[Evidence]) -> list[Evidence]:
        """Add those passages that are not there already, under references of their own; returns them."""
        before = len(self.evidence)
        for one in found:
            place = (one.document_id, one.url)
            # Those that a search finds are joined of several: one may be shown within another.
            if any(
                place == (other.document_id, other.url) and one.text in other.text
                for other in self.evidence
            ):
                continue
            kind = "W" if one.kind == "web" else "P"
            self.evidence.append(one.model_copy(update={"ref": f"{kind}{len(self.evidence) + 1}"}))
            if one.kind == "document" and document_ref(one) not in self.looked:
                self.looked.append(document_ref(one))
        return self.evidence[before:]

    def prompt(self, write: PromptSections) -> str:
        """All of it for a model: one fence per document, its passages under their references and sections."""
        by_document: dict[str, list[Evidence]] = {}
        for one in self.evidence:
            by_document.setdefault(one.document_id or one.url or one.title, []).append(one)
        parts = [
            write.fenced_section(
                "A page of the web" if passages[0].kind == "web" else "A document",
                passages[0].title,
                *(_shown(one) for one in passages),
            )
            for passages in by_document.values()
        ]
        sections = [
            f"{ref} {PATH.join(dict.fromkeys((one.title, *path)))}"
            for ref, (one, path, _) in self.sections.items()
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
    asked: ActionRequest, tools: Tools, web: Sequence[Evidence] = ()
) -> Material:
    """The documents that are meant, whole if they have at most `Tools.whole_tokens`; else what a search finds
    in them, with their sections. If none is named, all of a small library. Raises `StoreUnavailable`.
    """
    material = Material()
    documents = list(asked.documents)
    titles = await tools.documents.titles(tools.tenant)
    among = None
    if not documents:
        among = [
            document_ref(one)
            for one in titles
            if one.set_name in asked.sets or not (is_site_bound(one) or asked.sets)
        ]
        material.nothing = not among
        documents = among if len(among) <= MOST_UNNAMED else []
    if documents:
        await _read(documents, asked, tools, material)
    if not material.whole and not material.nothing:
        await search_passages(asked.question, asked, tools, material)
        await _outline(asked, tools, material)
    material.others = bool(asked.documents) and not asked.tagged and len(titles) > len(documents)
    material.add(web)
    if material.others or not material.evidence:
        likely = (
            titles[at] for at in index_titles(titles).rank_likely(asked.question, MOST_TITLES)
        )
        shown = [one for one in likely if among is None or document_ref(one) in among]
        material.titles = [one.title for one in shown if not is_site_bound(one)]
    return material


async def search_passages(
    query: str, asked: ActionRequest, tools: Tools, material: Material
) -> None:
    """Add what a search finds in the documents and sets that are meant, or in all if others may be used."""
    meant = () if material.others else asked.documents
    ids = tuple(dict.fromkeys(one.id for one in meant))
    resolved = await tools.documents.resolve(
        tools.tenant,
        Query(
            text=query[:LONGEST_QUERY],
            sets=() if ids else asked.sets,
            documents=ids,
            limit=MOST_PASSAGES,
        ),
        tools.policy,
    )
    material.add(from_found(resolved.found))


async def extend(
    queries: Sequence[str],
    sections: Sequence[str],
    asked: ActionRequest,
    tools: Tools,
    material: Material,
) -> None:
    """Add what a model asks for, as far as it fits."""
    for query in [one for one in queries if one.strip()][:MOST_QUERIES]:
        await search_passages(query, asked, tools, material)
    for ref in sections[:MOST_READ]:
        if (section := material.sections.get(ref.strip("[] "), None)) is None:
            continue
        document, _, parts = section
        used = sum(map(tokens_of, material.evidence)) + sum(one.chunk.tokens for one in parts)
        if used <= tools.whole_tokens:
            material.add(from_parts(document, parts))
    await _outline(asked, tools, material)


async def _read(
    documents: Sequence[DocumentRef], asked: ActionRequest, tools: Tools, material: Material
) -> None:
    read = await read_documents(documents, tools, most=tools.whole_tokens)
    if asked.documents:
        material.notices += read.notices
    if read.tokens > tools.whole_tokens:
        return
    passages = [one for _, each in read.passages for one in each]
    material.whole = True
    material.nothing = not passages
    material.add(passages)


async def _outline(asked: ActionRequest, tools: Tools, material: Material) -> None:
    """Add the sections of the documents that are meant, or that passages were found in."""
    meant = dict.fromkeys(asked.documents or material.looked)
    for document in list(meant)[:MOST_OUTLINED]:
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
        for path, under in list(by_path.items())[:MOST_SECTIONS]:
            ref = f"S{len(material.sections) + 1}"
            material.sections[ref] = (document, path, tuple(under))


def _shown(one: Evidence) -> str:
    pages = f", page {one.page}" if one.page is not None else ""
    place = f"{PATH.join(one.heading_path)}{pages}"
    return f"[{one.ref}]{f' ({place})' if place else ''}\n{one.text}"
