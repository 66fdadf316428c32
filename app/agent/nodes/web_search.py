"""Node `web_search`."""

from langgraph.runtime import Runtime

from app.agent.context import MAX_PASSAGES, AgentContext, passages_of, situation_of
from app.agent.state import AgentState, Patch, add_to_background, secrets_of
from app.domain.reasoner import Background, WebResult, WebSearch
from app.search import cite_source, private_words, search_for

NO_SEARCH = "No web search is set up here."


async def web_search(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Search the team's documents, and the web if they do not answer with certainty.

    The need is the decision's or, before there is one, the analysis's.
    """
    context = runtime.context
    decision, analysis = state["refinement"], state["analysis"]
    query = decision.query if decision and decision.outcome == "search" else None
    need = query or (analysis.search if analysis else None) or state["goal"]
    background = await _search_documents(need, state, context)
    if background is None:
        found = WebSearch(need=need, unavailable=NO_SEARCH)
        if context.search is not None:
            found = await search_for(
                need,
                query=need,
                page_url=context.page.url,
                search=context.search,
                weigh=context.reasoner.weigh,
                hidden=secrets_of(state) | private_words(need, situation_of(state, context)),
            )
        background = add_to_background(state["background"], searches=(found,))
    return {"background": background, "lookups": state["lookups"] + 1}


async def _search_documents(
    need: str, state: AgentState, context: AgentContext
) -> Background | None:
    """Add the documents' answer to the background; None if they have no certain answer."""
    background, tenant = state["background"], state["tenant"]
    found = await context.knowledge.search(tenant, context.page.url, need, secrets_of(state))
    if found is None or found.confidence != "high":
        return None
    passages = passages_of(found)
    results = tuple(
        WebResult(title=one.cited, url=one.url or one.title, text=one.text) for one in passages
    )
    judged = await context.reasoner.weigh(WebSearch(need=need, query=need, results=results))
    answer = cite_source(judged.answer, results) if judged.solved else None
    if not answer:
        return None
    search = WebSearch(need=need, query=need, solved=True, answer=answer)
    knowledge = tuple(dict.fromkeys((*passages, *background.knowledge)))[:MAX_PASSAGES]
    background = add_to_background(background, searches=(search,))
    return background.model_copy(update={"knowledge": knowledge})
