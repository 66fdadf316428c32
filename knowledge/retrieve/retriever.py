"""Searches a tenant's documents for passages that answer a question."""

import asyncio
from collections.abc import Sequence

import numpy as np
import structlog

from app.domain.access import Policy, site_matches, site_of
from app.domain.knowledge import Chunk, Citation, Document, FoundPassage, Retrieval
from app.errors import BudgetReached
from app.llm.embedder import Embedder, EmbeddingFailed, Vectors
from app.store.knowledge import KnowledgeStore, NearChunk
from knowledge.port import Query
from knowledge.retrieve.candidates import (
    Candidate,
    Candidates,
    Weights,
    find_candidates,
    with_exact_cosines,
)
from knowledge.retrieve.evidence import Closeness, Judge, Relevance, confidence_label
from knowledge.retrieve.index import Facet, FacetFilter, Index
from knowledge.retrieve.index_loader import CacheLimits, IndexCache, IndexLoader
from knowledge.retrieve.passages import Passage, drop_duplicates, join_neighbours
from knowledge.retrieve.stems import Stems

LIMITS, WEIGHTS = CacheLimits(), Weights()
log = structlog.get_logger(__name__)

MAX_READ = 24  # chunks whose text is read from the store
NEAREST = 200  # chunks requested from the server's vector search; some are filtered out or stale
FRESHNESS = 0.02  # relevance added to captures after an interaction, and to the newest
MAX_GAP = 5.0  # passages further below the best score are dropped, among them 1% of the right ones
SAME_SITE = 0.03  # relevance added to documents about the site the question was asked on


class Retriever:
    """The entry point for searches. Caches an index per active tenant, see `CacheLimits`."""

    def __init__(
        self,
        store: KnowledgeStore,
        embedder: Embedder,
        limits: CacheLimits = LIMITS,
        weights: Weights = WEIGHTS,
    ) -> None:
        self._documents = store.documents
        self._embedder = embedder
        self._stems = Stems()
        self._weights = weights
        self._judge = Judge(self._stems, Closeness())
        self._relevance = Relevance.load(embedder.name)
        loader = IndexLoader(store.documents, self._stems, embedder.name, embedder.dimensions)
        self._tenants = IndexCache(loader, limits)

    def mark_stale(self, tenant: str) -> None:
        self._tenants.mark_stale(tenant)

    async def refresh(self, tenant: str) -> None:
        await self._tenants.get(tenant)

    async def close(self) -> None:
        await self._tenants.close()

    async def resolve(self, tenant: str, query: Query, policy: Policy) -> Retrieval:
        """Passages that answer the query, the tenant's own first; empty if none is
        relevant, unless `query.nearest`. Raises `StoreUnavailable`.
        """
        site = site_of(query.url)
        allowed = not (query.url and policy.knowledge_domains) or site_matches(
            site, policy.knowledge_domains, below=True
        )
        nothing = Retrieval(allowed=allowed, domain=site)
        if not query.text.strip():
            return nothing
        index = await self._tenants.get(tenant)
        if not index.entries:
            return nothing
        facet_filter = _facet_filter(query, policy, allowed, site)
        candidates, chunks = await self._read(tenant, index, query, facet_filter)
        passages = await asyncio.to_thread(self._passages, index, candidates, chunks, query, site)
        if not passages:
            return nothing
        best = max(passage.score for passage in passages)
        return Retrieval(
            allowed=allowed,
            domain=site,
            has_org_knowledge=any(one.document.scope == "organization" for one in passages),
            confidence_score=best,
            confidence=confidence_label(best),
            found=tuple(map(_to_found_passage, passages)),
        )

    async def _read(
        self, tenant: str, index: Index, query: Query, facet_filter: FacetFilter
    ) -> tuple[Candidates, dict[str, Chunk]]:
        model, by_server = self._embedder.name, not index.dimensions
        vector = await asyncio.to_thread(self._vector, query.text)
        nearest: list[NearChunk] | None = [] if by_server else None
        if by_server and vector is not None:
            stored = vector.astype("<f4").tobytes()
            nearest = await self._documents.nearest(tenant, model, stored, limit=NEAREST)
        candidates = await asyncio.to_thread(
            find_candidates,
            index,
            query.text,
            vector,
            facet_filter,
            query.documents,
            stems=self._stems,
            weights=self._weights,
            nearest=nearest,
        )
        ids = [one.chunk_id for one in candidates.found[:MAX_READ]]
        chunks = await self._documents.chunks(tenant, ids, with_vectors=by_server)
        if by_server and vector is not None:
            candidates = with_exact_cosines(candidates, chunks, vector, model)
        return candidates, chunks

    def _vector(self, text: str) -> Vectors | None:
        """Embed the question; None if that fails, so that only keywords are searched."""
        try:
            rows = self._embedder.embed([text], query=True)
        except (EmbeddingFailed, BudgetReached) as error:
            log.warning("question_not_embedded", reason=type(error).__name__)
            return None
        return np.asarray(rows[0], dtype=np.float32)

    def _passages(
        self,
        index: Index,
        candidates: Candidates,
        chunks: dict[str, Chunk],
        query: Query,
        site: str,
    ) -> list[Passage]:
        documents: dict[int, Document] = {}
        inputs = []
        for candidate in candidates.found[:MAX_READ]:
            if chunk := chunks.get(candidate.chunk_id):
                number = candidate.place[0]
                documents[number] = documents.get(number) or index.document(number)
                inputs.append((candidate, chunk, documents[number]))
        if not inputs:
            return []
        evidences = self._judge.evidence(query.text, candidates.words, inputs)
        totals = [self._relevance.total(evidence) for evidence in evidences]
        passages = [
            _passage(*passage, self._relevance.likelihood(total, index.chunks))
            for passage, total in zip(inputs, totals, strict=True)
            if total >= max(totals) - MAX_GAP
        ]
        if (
            not query.nearest
            and max(candidate.score for candidate in passages) < self._relevance.least
        ):
            return []
        best = join_neighbours(drop_duplicates(_order(passages, site)))[: query.limit]
        return sorted(best, key=lambda candidate: candidate.document.scope != "organization")


def _passage(candidate: Candidate, chunk: Chunk, document: Document, score: float) -> Passage:
    _, _, ordinal, start, end, page, page_end = candidate.place
    return Passage(
        chunk=chunk,
        document=document,
        text=chunk.text,
        headings=chunk.heading_path,
        score=score,
        chunks=(chunk.chunk_id,),
        ordinals=(ordinal, ordinal),
        start=start,
        end=end,
        page=page or None,
        page_end=page_end or None,
    )


def _order(passages: Sequence[Passage], site: str) -> list[Passage]:
    """Order by relevance; newer passages and those about the site win near ties."""
    by_age = sorted({one.document.ingested_at for one in passages})
    newest = {at: rank / max(1, len(by_age) - 1) for rank, at in enumerate(by_age)}

    def worth(one: Passage) -> float:
        fresh = newest[one.document.ingested_at] if len(by_age) > 1 else 0.0
        opened = one.document.phase == "post-interaction"
        near = bool(site) and one.document.domain == site
        return one.score + FRESHNESS * (fresh + opened) + SAME_SITE * near

    return sorted(passages, key=worth, reverse=True)


def _facet_filter(query: Query, policy: Policy, allowed: bool, site: str) -> FacetFilter:
    sites, language = policy.knowledge_domains, (query.language or "").lower().partition("-")[0]

    def admits(facet: Facet) -> bool:
        if facet.scope == "organization" and not allowed:
            return False
        if sites and facet.domain and not site_matches(facet.domain, sites, below=True):
            return False
        about = facet.domain is not None and site_matches(site, (facet.domain,), below=True)
        if facet.bound and not query.documents and not about:
            return False
        if query.sets and facet.set_name not in query.sets:
            return False
        own = (facet.language or "").lower().partition("-")[0]
        return not language or not own or own == language

    return admits


def _to_found_passage(passage: Passage) -> FoundPassage:
    document = passage.document
    return FoundPassage(
        text=passage.text,
        score=passage.score,
        document=document,
        citation=Citation(
            label=_label(passage),
            document_id=document.document_id,
            chunk_id=passage.chunk.chunk_id,
            title=document.title,
            url=document.url,
            page=passage.page,
            page_end=passage.page_end,
            heading_path=passage.headings,
            start=passage.start,
            end=passage.end,
        ),
        kind=passage.chunk.kind,
        chunk_ids=passage.chunks,
        phase=document.phase,
        trigger_action=document.trigger_action,
        ingested_at=document.ingested_at,
    )


def _label(passage: Passage) -> str:
    """`Employee handbook, p. 3-4` or `Employee handbook, Leave > Parental leave`."""
    title = passage.document.title
    if passage.page:
        last = passage.page_end or passage.page
        return f"{title}, p. {passage.page}" + (f"-{last}" if last > passage.page else "")
    headings = [heading for heading in passage.headings if heading != title]
    return f"{title}, {' > '.join(headings)}" if headings else title
