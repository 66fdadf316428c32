"""The passages that may answer a question."""

from app.chat.evidence import from_found
from app.chat.inquiring.found import Retrieved
from app.chat.inquiring.question import question_of
from app.chat.inquiring.within import within
from app.chat.tools import Asked, Tools
from knowledge.port import Query

MOST = 8  # passages


async def retrieved(asked: Asked, tools: Tools) -> Retrieved:
    """In the documents and sets that are meant, in all where none are; a question that leans on the turn
    before it ("and for part-timers?") is searched with what that was about.

    The chat is on no page, so that the team's own documents may be used whatever site they are about.
    Raises `StoreUnavailable`.
    """
    question = question_of(asked)
    documents = tuple(dict.fromkeys(one.id for one in asked.documents))
    sets = () if documents else asked.sets
    query = Query(text=question.query, sets=sets, documents=documents, limit=MOST)
    resolved = await tools.documents.resolve(tools.tenant, query, tools.policy)
    found = Retrieved(
        passages=from_found(resolved.found),
        confidence=resolved.confidence,
        score=min(1.0, max(0.0, resolved.confidence_score)),
    )
    if documents and found.weak:
        return await within(found, question, asked.documents, tools)
    if found.passages:
        return found
    titles = await tools.documents.titles(tools.tenant)
    there = any(not sets or one.set_name in sets for one in titles)
    return Retrieved(nothing_to_search=not there)
