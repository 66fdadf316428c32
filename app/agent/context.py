"""The context that a request gives to the nodes, and the situation that reasoners decide on."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from urllib.parse import urlsplit

import structlog

from app.agent.state import AgentState, Patch
from app.bounds import bounds, cut
from app.domain.access import Policy, Principal
from app.domain.action import ClientReport
from app.domain.hitl import Question, UserAction
from app.domain.knowledge import FoundPassage, IngestRequest, Retrieval
from app.domain.page import Observation
from app.domain.plan import Decision, Plan
from app.domain.reasoner import Background, Passage, Reasoner, Situation
from app.errors import Unreadable
from app.hitl import Inbox, create_question
from app.page import explain_missing_picture, look_up
from app.plans import current_goal
from app.search import Search, clean_query
from app.store.tasks.leases import Lease
from app.usage import Allowance
from knowledge import Knowledge

log = structlog.get_logger(__name__)

MAX_PASSAGES = 6  # per search; as many as a prompt takes
MAX_PASSAGE_CHARS = 1_500  # more than a chunk has
SEARCH_TIMEOUT_S = 3.0  # then the task continues without documents
READ_TIMEOUT_S = 5.0  # of a file, beside others
MEMORY_SET = "memory"  # the set of documents with texts that people had saved


class KnowledgeLookup:
    """Searches and extends the team's documents, if there are any. Never raises."""

    def __init__(self, documents: Knowledge | None) -> None:
        self._documents = documents

    @property
    def is_available(self) -> bool:
        return self._documents is not None

    async def search(
        self, tenant: str, url: str, query: str, hidden: frozenset[str]
    ) -> Retrieval | None:
        """The relevant passages with their confidence; None without any, or after a failure.

        `hidden` values are removed from the query.
        """
        query = clean_query(query, hidden)
        if self._documents is None or not query:
            return None
        try:
            async with asyncio.timeout(SEARCH_TIMEOUT_S):
                found = await self._documents.get_rag_chunks(url, query, tenant)
        except Exception:
            log.exception("the documents could not be asked")
            return None
        return found if found.found else None

    async def extract_text(
        self, tenant: str, name: str, declared: str, data: bytes
    ) -> tuple[str, str]:
        """The file as Markdown, and the reason if there is none."""
        if self._documents is None:
            return "", "files are not read here"
        try:
            async with asyncio.timeout(READ_TIMEOUT_S):
                return await self._documents.read(tenant, name, declared, data), ""
        except Unreadable as error:
            return "", error.detail
        except TimeoutError:
            return "", "reading it takes too long"
        except Exception:
            log.exception("a file could not be read")
            return "", "it could not be read"

    async def save_text(self, who: Principal, text: str) -> bool:
        """Submit the text as a document of the team; return whether it was accepted."""
        if self._documents is None:
            return False
        title = cut(text, bounds().title)
        request = IngestRequest(
            kind="text",
            title=title,
            set_name=MEMORY_SET,
            declared="text/plain",
            scope="organization",
        )
        try:
            await self._documents.submit(who, request, _bytes_of(text))
        except Exception:
            log.exception("a text could not be kept among the documents")
            return False
        return True


async def _bytes_of(text: str) -> AsyncIterator[bytes]:
    yield text.encode()


def passages_of(found: Retrieval) -> tuple[Passage, ...]:
    return tuple(_passage(one) for one in found.found[:MAX_PASSAGES])


def _passage(one: FoundPassage) -> Passage:
    own = one.document.scope == "organization"
    return Passage(
        text=one.text[:MAX_PASSAGE_CHARS],
        title=one.document.title,
        url=one.document.url,
        score=round(one.score, 3),
        label=one.citation.label,
        document_id=one.document.document_id,
        own=own,
        vouched=own and one.document.phase is None,
    )


def with_passages(url: str, background: Background, passages: tuple[Passage, ...]) -> Background:
    return background.model_copy(
        update={"knowledge": passages, "knowledge_url": knowledge_key(url)}
    )


def knowledge_key(url: str) -> str:
    """The page's address without query and fragment, which do not change what documents apply."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}{parts.path}"


ANONYMOUS = Principal(tenant="", user="")


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentContext:
    """What nodes get as `runtime.context`.

    The page is here and not in the state, so that no tree is written to checkpoints. Without `search` there
    is no web search. `has_model`: the reasoner has a model, whose doubtful decisions are reviewed. `inbox`
    stores questions under the run's `lease`. `hand_back` is what the person did before they handed the task
    back with this request; None if they did not have it. `allowance` is what the request may spend, None
    without a model. `today` is this machine's date at the request.
    """

    reasoner: Reasoner
    page: Observation
    report: ClientReport
    request_id: str
    max_steps: int
    search: Search | None = None
    knowledge: KnowledgeLookup = KnowledgeLookup(None)
    has_model: bool = False
    task_id: str = ""
    policy: Policy = Policy(tenant="")
    inbox: Inbox | None = None
    lease: Lease | None = None
    hand_back: tuple[UserAction, ...] | None = None
    who: Principal = ANONYMOUS
    allowance: Allowance | None = None
    today: date = field(default_factory=lambda: datetime.now().astimezone().date())


def situation_of(
    state: AgentState, context: AgentContext, *, plan: Plan | None = None
) -> Situation:
    """The situation on this page, with `plan` instead of the state's if given.

    With sub-tasks the goal is the current one's; the whole goal is the instruction's text.
    """
    plan = plan or state["plan"]
    last, analysis = state["refinement"], state["analysis"]
    accepted = last if state["refusal_reason"] is None else None
    return Situation(
        goal=current_goal(plan, state["goal"]),
        page=context.page,
        effect=analysis.effect if analysis is not None else None,
        instruction=state["instruction"],
        plan=plan,
        records=tuple(state["action_records"][state["subtask_start"] :]),
        background=state["background"],
        verdict=state["verdict"],
        before=state["page_before"],
        shown_before=state["page_before_effect"],
        refused=state["refusal_reason"],
        unsent=accepted.unsent if accepted else (),
        seeing=_requested_view(accepted, context.page) if accepted else "",
        looked_up=_lookup_answers(last, context.page, state["background"]) if last else "",
        today=context.today,
        rules_only=state["recipe"] is not None or state["spending"].without_model,
        replanning=state["replanning"],
    )


def ask(question: Question, state: AgentState, request_id: str) -> Patch:
    """Ask the person before the run continues; counts towards the questions of the task."""
    created = create_question(question, request_id)
    return {"question": created, "question_count": state["question_count"] + 1}


def _lookup_answers(last: Decision, page: Observation, known: Background) -> str:
    """Each requested lookup, followed by what the page or a file says."""
    return "\n".join(
        f"{lookup.text}:\n{look_up(lookup, page, known.downloads)}" for lookup in last.lookups
    )


def _requested_view(last: Decision, page: Observation) -> str:
    """The thought that requested another view of the page, and the result; "" without a request."""
    if last.outcome != "look" or last.mode is None:
        return ""
    if page.mode == last.mode and (last.mode != "hybrid" or page.screenshot is not None):
        return f"{last.thought} So you asked to see the page as {last.mode}: here it is."
    if last.mode == "hybrid":
        return f"{last.thought} So you asked for a picture: {explain_missing_picture(page)}."
    return f"{last.thought} So you asked to see the page as {last.mode}, which it cannot be."


MAX_SCREENSHOTS = 32  # pictures, of some 100 kB each


class ScreenshotCache:
    """The last screenshots, in memory only: no picture of a page is ever stored."""

    def __init__(self, most: int = MAX_SCREENSHOTS) -> None:
        self._most = most
        self._screenshots: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    def restore(self, tenant: str, task_id: str, page: Observation) -> Observation:
        """The page with its screenshot, which clients omit if it has not changed (CONTRACT)."""
        if page.mode != "hybrid" and not (page.pictured and page.says_little):
            return replace(page, screenshot=None)  # unneeded, it would only cost tokens
        key = (tenant, task_id)
        picture = page.screenshot or self._screenshots.get(key)
        if picture is None:
            return page
        self._screenshots[key] = picture
        self._screenshots.move_to_end(key)
        if len(self._screenshots) > self._most:
            self._screenshots.popitem(last=False)
        return replace(page, screenshot=picture)
