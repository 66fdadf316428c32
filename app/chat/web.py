"""Searches the web for an answer."""

from dataclasses import dataclass

from app.chat.claims.body import Markers, page_heading
from app.chat.claims.sources import SourceSpan
from app.chat.documents.passages import from_web
from app.chat.documents.titles import message_words
from app.chat.output.markdown import escape_markdown
from app.chat.tools import ActionRequest, Tools
from app.domain.chat import Evidence, Reply
from app.errors import BudgetReached, SearchUnavailable
from app.search import clean_query
from app.text import patterns

MOST_RESULTS = 5
MOST_SHOWN, LONGEST_SHOWN = 3, 300  # results, and characters of each
SHORT_TITLE = 60  # characters: a longer title would reveal more than a query should
FEW = 4  # words: a shorter query is extended by the document's title
NOTHING_TO_SEARCH = (
    "The web was not searched: nothing is left of the question without private data."
)
NOTHING_FOUND = "The web search found nothing."
# Private data: addresses, telephone, card and account numbers, URLs with parameters.
_PRIVATE = patterns.compile(
    r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+|\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b"
    r"|(?<![\w.])\+?\(?\d(?:[ ()./-]{0,2}\d){6,18}(?!\w)|https?://\S*[?&=@]\S*"
)
_MENTION = patterns.compile(r"(?<!\w)@(?=\w)")


@dataclass(frozen=True, slots=True, kw_only=True)
class WebFindings:
    """The query and its results; `notice` tells the person why there are none."""

    query: str = ""
    found: tuple[Evidence, ...] = ()
    notice: str | None = None


async def search_web(request: ActionRequest, tools: Tools, *, enabled: bool) -> WebFindings:
    """Search the web if `enabled`. Never raises if the search is unavailable."""
    if not enabled:
        return WebFindings()
    if tools.search is None:
        return WebFindings(notice="The web cannot be searched: no search is configured.")
    if (reason := tools.search.available) is not None:
        return WebFindings(notice=f"The web cannot be searched: {reason}")
    query = web_query(request)
    if not query:
        return WebFindings(notice=NOTHING_TO_SEARCH)
    try:
        found = await tools.search.find(query, limit=MOST_RESULTS)
    except (SearchUnavailable, BudgetReached) as error:
        return WebFindings(query=query, notice=f"The web could not be searched: {error.detail}")
    return WebFindings(
        query=query, found=from_web(found, tools.today), notice=None if found else NOTHING_FOUND
    )


def web_query(request: ActionRequest) -> str:
    """The query to send: the question without secrets, private data and tags, extended by the title of a
    tagged document if it is short. It contains nothing that the person did not write, and nothing of a text
    to audit.
    """
    query = clean_query(_PRIVATE.sub(" ", _MENTION.sub(" ", _own_words(request))))
    short = (one.title for one in request.documents if 0 < len(one.title) <= SHORT_TITLE)
    titles = [title for title in short if title in request.message]
    if len(message_words(query)) < FEW and len(titles) == 1:
        query = clean_query(f"{query} {_PRIVATE.sub(' ', titles[0])}")
    return query if message_words(query) else ""


def _own_words(request: ActionRequest) -> str:
    """The standalone question if all of its words come from the person or from titles, else the message: a
    model wrote that question, and may quote documents.
    """
    if request.source:
        return request.plain.replace(request.source, " ")
    titles = (document.title for turn in request.earlier for document in turn.documents)
    messages = (turn.text for turn in request.earlier if turn.role == "user")
    own = (request.message, *messages, *titles)
    known = {word.text for text in own for word in message_words(text)}
    is_own = all(word.text in known for word in message_words(request.question))
    return request.question if is_own else request.plain


def append_web_results(reply: Reply, web: WebFindings) -> Reply:
    """Append the web results to the reply, each under its page, with markers that continue the reply's."""
    notices = (*reply.notices, *([web.notice] if web.notice else []))
    if not web.found or any(one.kind == "web" for one in reply.citations):
        return reply.model_copy(update={"notices": notices})
    markers = Markers(list(reply.citations))
    text = reply.text
    for result in web.found[:MOST_SHOWN]:
        words = " ".join(result.text.split())
        if len(words) > LONGEST_SHOWN:
            words = words[:LONGEST_SHOWN].rpartition(" ")[0]
        marker = markers.of([SourceSpan(result, words)])
        text += f"\n\n{page_heading([result.label])}\n\n{escape_markdown(words)} {marker}"
    return reply.model_copy(
        update={"text": text.lstrip(), "citations": tuple(markers.citations), "notices": notices}
    )
