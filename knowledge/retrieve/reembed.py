"""New vectors for chunks whose vector another model made, while they are searched by their words."""

import asyncio
from collections.abc import Callable

from app.errors import ModelUnavailable
from app.llm.embedding.embedder import Embedder, EmbeddingFailed
from app.store.knowledge import Documents
from knowledge.retrieve.embedded_text import embedded_text

BATCH = 100  # chunks embedded and stored at once; as many as one call of Gemini takes

Told = Callable[[int, int], None]


async def reembed(documents: Documents, embedder: Embedder, tenant: str, told: Told) -> int:
    """Have the embedder make all vectors of the tenant that are not its own; how many it made.

    `told` is called with how many are done, and of how many, as far as is known. Goes on where it
    was stopped: what is done is stored. Raises `ModelUnavailable`, `BudgetReached`.
    """
    done, before = 0, frozenset[str]()
    while chunks := await documents.other_models(tenant, embedder.name, limit=BATCH):
        ids = frozenset(chunk.chunk_id for chunk in chunks)
        if ids == before:
            break  # the store did not take them: they are no longer there
        texts = [embedded_text(chunk) for chunk in chunks]
        try:
            rows = await asyncio.to_thread(embedder.embed, texts)
        except EmbeddingFailed as error:
            raise ModelUnavailable("the model that embeds did not answer") from error
        await documents.put(
            [
                chunk.model_copy(
                    update={"model": embedder.name, "vector": row.astype("<f4").tobytes()}
                )
                for chunk, row in zip(chunks, rows, strict=True)
            ]
        )
        done, before = done + len(chunks), ids
        told(done, done + (BATCH if len(chunks) == BATCH else 0))
    return done
