"""Node `web_search`."""

from langgraph.runtime import Runtime

from app.agent.context import MAX_PASSAGES, AgentContext, passages_of, situation_of
from app.agent.state import AgentState, Patch, add_to_background, secrets_of
from app.domain.reasoner import WebResult, WebSearch
from app.search import cite_source, private_words, search_for

NO_SEARCH = "No web search is set up here."


async def web_search(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Asks the team's documents, and the web for what they do not say. Reads refinement or, before there
    is one, analysis; writes background, lookups.
    """
    context, background = runtime.context, state["background"]
    refinement, analysis = state["refinement"], state["analysis"]
    chosen = refinement.query if refinement and refinement.outcome == "search" else None
    need = chosen or (analysis.search if analysis else None) or state["goal"]
    told = await _search_documents(need, state, context)
    if told is not None:
        return told
    if context.search is None:
        found = WebSearch(need=need, unavailable=NO_SEARCH)
    else:
        found = await search_for(
            need,
            query=need,
            page_url=context.page.url,
            search=context.search,
            weigh=context.reasoner.weigh,
            hidden=secrets_of(state) | private_words(need, situation_of(state, context)),
        )
    known = add_to_background(background, searches=(found,))
    return {"background": known, "lookups": state["lookups"] + 1}


async def _search_documents(need: str, state: AgentState, context: AgentContext) -> Patch | None:
    """What the documents tell of the need, where they surely do; None to go on to the web."""
    background, tenant = state["background"], state["tenant"]
    found = await context.knowledge.search(tenant, context.page.url, need, secrets_of(state))
    if found is None or found.confidence != "high":
        return None
    passages = passages_of(found)
    results = tuple(
        WebResult(title=one.cited, url=one.url or one.title, text=one.text) for one in passages
    )
    judged = await context.reasoner.weigh(WebSearch(need=need, query=need, results=results))
    said = cite_source(judged.answer, results) if judged.solved else None
    if not said:
        return None
    known = dict.fromkeys((*passages, *background.knowledge))
    search = WebSearch(need=need, query=need, solved=True, answer=said)
    background = add_to_background(background, searches=(search,))
    background = background.model_copy(update={"knowledge": tuple(known)[:MAX_PASSAGES]})
    return {"background": background, "lookups": state["lookups"] + 1}
