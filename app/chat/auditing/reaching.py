"""The documents whose rules a text is held against; of a long one what is about the text."""

from app.chat.statements import Opened, opened
from app.chat.statements.held import MOST_PASSAGES
from app.chat.tools import Asked, Tools
from app.domain.chat import DocumentRef
from app.errors import NotFound
from knowledge.port import Query

MOST_DOCUMENTS = 6
MOST_QUERIES = 8  # pieces of the text that a long document is searched with
FOUND_EACH = 30  # passages
LONGEST_QUERY = 400  # characters


async def reached(asked: Asked, source: str, tools: Tools) -> Opened:
    """Each whole; of one of more than `MOST_PASSAGES` those passages that a search with the text finds."""
    documents = tuple({one.id: one for one in asked.documents}.values())
    notices: list[str] = []
    if len(documents) > MOST_DOCUMENTS:
        names = ", ".join(f"“{one.title}”" for one in documents[:MOST_DOCUMENTS])
        notices.append(
            f"{len(documents)} documents were named; the rules of the first {MOST_DOCUMENTS} were used: "
            f"{names}."
        )
        documents = documents[:MOST_DOCUMENTS]
    whole = await opened(documents, tools)
    cut = [one for one in whole.held if one.cut]
    if not cut:
        return Opened(whole.held, (*notices, *whole.notices))
    wanted = await _searched([one.document for one in cut], source, tools)
    again = await opened([one.document for one in cut], tools, wanted)
    kept = {one.document.id: one for one in again.held}
    held = tuple(kept.get(one.document.id, one) for one in whole.held)
    titles = ", ".join(f"“{one.document.title}”" for one in cut)
    notices.append(
        f"{titles}: of this long document only the passages nearest to the text were used."
    )
    there = [one for one in whole.notices if f"first {MOST_PASSAGES} passages" not in one]
    return Opened(held, (*notices, *there))


async def _searched(documents: list[DocumentRef], source: str, tools: Tools) -> frozenset[str]:
    ids = tuple(one.id for one in documents)
    found = set[str]()
    for piece in _pieces(source):
        query = Query(text=piece, documents=ids, limit=FOUND_EACH)
        try:
            resolved = await tools.documents.resolve(tools.tenant, query, tools.policy)
        except NotFound:
            continue
        found |= {
            chunk for one in resolved.found for chunk in (one.chunk_ids or (one.citation.chunk_id,))
        }
    return frozenset(found)


def _pieces(source: str) -> list[str]:
    """The text in at most `MOST_QUERIES` pieces, the beginning of each."""
    lines = [line for line in source.splitlines() if line.strip()]
    each = max(1, -(-len(lines) // MOST_QUERIES))
    return [" ".join(lines[at : at + each])[:LONGEST_QUERY] for at in range(0, len(lines), each)]
