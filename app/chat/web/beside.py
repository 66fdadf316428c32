"""A search of the web for an answer, where it is asked for and needed."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.chat.evidence import Cited, Citing, Claim, from_web
from app.chat.evidence.wording import tells
from app.chat.inquiring.question import Question, question_of
from app.chat.inquiring.ranking import Ranked, ranked
from app.chat.tools import Asked, Tools
from app.domain.chat import ChatAction, Evidence, Reply
from app.engines.provenance.tokens import fold
from app.engines.web_search import cleaned
from app.errors import BudgetReached, SearchUnavailable
from app.text import patterns

HEADING = "From the web"
MOST_RESULTS = 5
MOST_SENTENCES = 3
LEAST_COVERED = 0.5  # of the question's words, by rarity; less is about something else
CLOSE = 0.6  # of worth: what is further below the best sentence is not shown beside it
SHORT_TITLE = 60  # characters: a longer one says more than a query should
FEW = 4  # telling words: a query of fewer is helped by the title of the document
NOT_FOR_COMPARE = "The web is not searched to compare documents."
SURE_ALREADY = "The documents answer this, so the web was not searched."
NOTHING_TO_SEARCH = (
    "The web was not searched: nothing is left to ask once private data is taken out."
)
NOTHING_FOUND = "The web was searched, and nothing was found."
# What is somebody's and no question: addresses, telephone, card and account numbers.
_PRIVATE = patterns.compile(
    r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+|\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b"
    r"|(?<![\w.])\+?\(?\d(?:[ ()./-]{0,2}\d){6,18}(?!\w)|https?://\S*[?&=@]\S*",
)
_MENTION = patterns.compile(r"(?<!\w)@(?=\w)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """What was searched for and found; `notice` says to the person why nothing was searched."""

    query: str = ""
    found: tuple[Evidence, ...] = ()
    notice: str | None = None


async def sought(
    action: ChatAction, asked: Asked, tools: Tools, *, wanted: bool, explicit: bool = False
) -> Web:
    """Nothing where it is not `wanted`, or where the documents answer surely, unless the person tagged the
    web for it (`explicit`). Never raises for a search that is away.
    """
    if not wanted:
        return Web()
    if action == "compare":
        return Web(notice=NOT_FOR_COMPARE)
    if action == "inquire" and asked.passages and asked.confidence == "high" and not explicit:
        return Web(notice=SURE_ALREADY)
    if tools.search is None:
        return Web(notice="The web cannot be searched: no search is configured.")
    if (why := tools.search.available) is not None:
        return Web(notice=f"The web cannot be searched: {why}")
    query = query_of(asked)
    if not query:
        return Web(notice=NOTHING_TO_SEARCH)
    try:
        found = await tools.search.find(query, limit=MOST_RESULTS)
    except (SearchUnavailable, BudgetReached) as error:
        return Web(query=query, notice=f"The web could not be searched: {error.detail}")
    return Web(query=query, found=from_web(found), notice=None if found else NOTHING_FOUND)


def query_of(asked: Asked) -> str:
    """What is sent to the search: the question without secrets, private data and tags; with the title of the
    document where the question alone says little. Nothing of a document's text, nor of a text to audit.
    """
    question = question_of(asked)
    said = cleaned(_PRIVATE.sub(" ", _MENTION.sub(" ", question.query)))
    telling = {word for word in patterns.findall(r"[^\W_]+", fold(said)) if tells(word)}
    titles = [one.title for one in asked.documents if 0 < len(one.title) <= SHORT_TITLE]
    if len(telling) < FEW and len(titles) == 1:
        title = cleaned(_PRIVATE.sub(" ", titles[0]))
        said = said if fold(title) in fold(said) else cleaned(f"{said} {title}")
        telling |= {word for word in patterns.findall(r"[^\W_]+", fold(title)) if tells(word)}
    return said if telling else ""


async def beside(reply: Reply, web: Web, asked: Asked, tools: Tools) -> Reply:
    """The reply with what the web says in a section of its own, cited apart, its markers after those of the
    reply; as it is, with the notice, where that is nothing.
    """
    notices = (*reply.notices, *([web.notice] if web.notice else []))
    if not web.found or any(one.kind == "web" for one in reply.citations):
        return reply.model_copy(update={"notices": notices})
    citing = Citing(web.found, citations=list(reply.citations))
    question = question_of(asked)
    told = [_cited(one, citing) for one in _best(question, web.found, tools)]
    lines = list(dict.fromkeys(filter(None, told)))
    if not lines:
        none = "The web was searched, and nothing there answers this."
        return reply.model_copy(update={"notices": (*notices, none)})
    text = f"{reply.text}\n\n**{HEADING}**\n\n" + "\n\n".join(lines)
    return reply.model_copy(
        update={
            "text": text.lstrip(),
            "citations": tuple(citing.citations),
            "dropped": reply.dropped + citing.dropped,
            "notices": notices,
        }
    )


def _cited(one: Ranked, citing: Citing) -> str | None:
    sentence = one.sentence
    return citing.cited(Claim(sentence.text, (Cited(sentence.evidence.ref, sentence.quote),)))


def _best(question: Question, found: Sequence[Evidence], tools: Tools) -> list[Ranked]:
    """The sentences that answer, at most one of each page, the best first."""
    ordered = ranked(question, found, tools.embedder)
    kept: list[Ranked] = []
    for one in ordered:
        if len(kept) == MOST_SENTENCES or one.worth < ordered[0].worth - CLOSE:
            break
        if one.covers >= LEAST_COVERED and all(
            one.sentence.evidence is not other.sentence.evidence for other in kept
        ):
            kept.append(one)
    return kept
