"""A search of the web for an answer, where it is asked for and needed."""

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
SHORT_TITLE = 60  # characters: a longer one says more than a query should
FEW = 4  # words: a query of fewer is helped by the title of the document
NOTHING_TO_SEARCH = "The web was not searched: without private data nothing is left to ask."
NOTHING_FOUND = "The web was searched, and nothing was found."
# What is somebody's and no question: addresses, telephone, card and account numbers.
_PRIVATE = patterns.compile(
    r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+|\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b"
    r"|(?<![\w.])\+?\(?\d(?:[ ()./-]{0,2}\d){6,18}(?!\w)|https?://\S*[?&=@]\S*"
)
_MENTION = patterns.compile(r"(?<!\w)@(?=\w)")


@dataclass(frozen=True, slots=True, kw_only=True)
class WebFindings:
    """The query and its results; `notice` says to the person why nothing was searched."""

    query: str = ""
    found: tuple[Evidence, ...] = ()
    notice: str | None = None


async def search_web(asked: ActionRequest, tools: Tools, *, wanted: bool) -> WebFindings:
    """Nothing unless `wanted`. Never raises for a search that is away."""
    if not wanted:
        return WebFindings()
    if tools.search is None:
        return WebFindings(notice="The web cannot be searched: no search is configured.")
    if (why := tools.search.available) is not None:
        return WebFindings(notice=f"The web cannot be searched: {why}")
    query = web_query(asked)
    if not query:
        return WebFindings(notice=NOTHING_TO_SEARCH)
    try:
        found = await tools.search.find(query, limit=MOST_RESULTS)
    except (SearchUnavailable, BudgetReached) as error:
        return WebFindings(query=query, notice=f"The web could not be searched: {error.detail}")
    return WebFindings(
        query=query, found=from_web(found, tools.today), notice=None if found else NOTHING_FOUND
    )


def web_query(asked: ActionRequest) -> str:
    """The query to send: the question without secrets, private data and tags, with the title of a tagged
    document if the question alone says little. Nothing that the person did not say, and nothing of a text to
    audit.
    """
    said = clean_query(_PRIVATE.sub(" ", _MENTION.sub(" ", _own(asked))))
    short = (one.title for one in asked.documents if 0 < len(one.title) <= SHORT_TITLE)
    titles = [one for one in short if one in asked.message]
    if len(message_words(said)) < FEW and len(titles) == 1:
        said = clean_query(f"{said} {_PRIVATE.sub(' ', titles[0])}")
    return said if message_words(said) else ""


def _own(asked: ActionRequest) -> str:
    """The standalone question if the person or titles said all of its words, otherwise the message: who wrote
    that question has read documents. Without the text to audit in any case.
    """
    if asked.source:
        return asked.plain.replace(asked.source, " ")
    titles = (one.title for turned in asked.earlier for one in turned.documents)
    own = [asked.message, *(one.text for one in asked.earlier if one.role == "user"), *titles]
    known = {word.text for text in own for word in message_words(text)}
    stands = all(one.text in known for one in message_words(asked.question))
    return asked.question if stands else asked.plain


def append_web_results(reply: Reply, web: WebFindings) -> Reply:
    """The reply followed by what the web says, each under its page, numbered on from the reply's markers;
    with the notice alone if that is nothing.
    """
    notices = (*reply.notices, *([web.notice] if web.notice else []))
    if not web.found or any(one.kind == "web" for one in reply.citations):
        return reply.model_copy(update={"notices": notices})
    markers = Markers(list(reply.citations))
    text = reply.text
    for one in web.found[:MOST_SHOWN]:
        words = " ".join(one.text.split())
        if len(words) > LONGEST_SHOWN:
            words = words[:LONGEST_SHOWN].rpartition(" ")[0]
        marker = markers.of([SourceSpan(one, words)])
        text += f"\n\n{page_heading([one.label])}\n\n{escape_markdown(words)} {marker}"
    return reply.model_copy(
        update={"text": text.lstrip(), "citations": tuple(markers.citations), "notices": notices}
    )
