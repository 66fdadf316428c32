"""Nodes that look something up: `reading` (on the page) and `web_search` (in documents and the web)."""

from langgraph.runtime import Runtime

from app.agent.context import MAX_PASSAGES, AgentContext, passages_of, situation_of
from app.agent.state import AgentState, Patch, add_to_background, secrets_of
from app.domain.reasoner import Passage, WebResult, WebSearch
from app.search import cite_source, private_words, search_for

NO_SEARCH = "No web search is set up here."


NOT_HERE = "The page does not say."


async def read_from_page(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads refinement, background; writes background, lookups."""
    refinement, background = state["refinement"], state["background"]
    assert refinement is not None
    if refinement.lookups:  # answered with the page, in the next prompt
        return {"lookups": state["lookups"] + 1}
    question = refinement.query
    answer = await runtime.context.reasoner.answer(situation_of(state, runtime.context), question)
    read = background.extracts | {question: answer or NOT_HERE}
    return {
        "background": background.model_copy(update={"extracts": read}),
        "lookups": state["lookups"] + 1,
    }


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
    weighed = WebSearch(need=need, query=need, results=tuple(map(_to_result, passages)))
    said = await _assess_passages(weighed, context)
    if not said:
        return None
    known = (*passages, *(one for one in background.knowledge if one not in passages))[
        :MAX_PASSAGES
    ]
    search = WebSearch(need=need, query=need, solved=True, answer=said)
    changed = {"knowledge": known, "searches": (*background.searches, search)}
    return {
        "background": background.model_copy(update=changed),
        "lookups": state["lookups"] + 1,
    }


async def _assess_passages(search: WebSearch, context: AgentContext) -> str | None:
    """What the reasoner reads out of the passages, where these hold it."""
    judged = await context.reasoner.weigh(search)
    return cite_source(judged.answer, search.results) if judged.solved else None


def _to_result(passage: Passage) -> WebResult:
    return WebResult(title=passage.cited, url=passage.url or passage.title, text=passage.text)
