"""Node `web_search`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext
from app.agent.redacting import hidden_of
from app.agent.situation import situation_of
from app.agent.state import AgentState, Patch
from app.domain.background import WebSearch
from app.engines.searching import private_words, search_for

NO_SEARCH = "No web search is set up here."


async def web_search(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads refinement or, before there is one, analysis; writes background, lookups."""
    context, background = runtime.context, state["background"]
    refinement, analysis = state["refinement"], state["analysis"]
    chosen = refinement.query if refinement and refinement.outcome == "search" else None
    need = chosen or (analysis.search if analysis else None) or state["goal"]
    if context.search is None:
        found = WebSearch(need=need, unavailable=NO_SEARCH)
    else:
        found = await search_for(
            need,
            query=need,
            page_url=context.page.url,
            search=context.search,
            weigh=context.reasoner.weigh,
            hidden=hidden_of(state) | private_words(need, situation_of(state, context)),
        )
    return {
        "background": background.model_copy(update={"searches": (*background.searches, found)}),
        "lookups": state["lookups"] + 1,
    }
