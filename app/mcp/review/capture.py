"""The capture server: whoever is unsure hands a case in for review, and sees what became of it."""

from importlib.metadata import version
from itertools import chain

from mcp.server import MCPServer

from app.domain.access import Principal
from app.domain.review import LOCATIONS, MOST_LINES, SHORT, TEXT
from app.mcp.prompt_files import fields, listed, prompt
from app.mcp.review.records import Listing, OfOne
from app.mcp.services import Services
from app.mcp.showing import decision, moment, summary
from app.mcp.submitting import Handed, fields_of
from app.mcp.tools import ADDS, READS, Result, of_id, ok, tool
from app.review.routing import HIGH, MEDIUM, WORDS
from app.review.service import ReviewService

INSTRUCTIONS = (
    "Hand a case in for review when you are not highly confident of what you recommend, when evidence "
    "conflicts, when the impact is high, or when the person asks for a second opinion. Give the person "
    "your best effort meanwhile, and say that an operator looks at it. Your prompt 'escalation' says how."
)


def capture_server(made: Services) -> MCPServer:
    """The server, over these services."""
    capture = Capture(made.reviews)
    server = MCPServer(
        "tabwright-capture",
        title="Tabwright: hand in for review",
        instructions=INSTRUCTIONS,
        version=version("tabwright"),
        subscriptions=False,
        tools=[
            tool(
                Handed,
                capture.submit,
                name="submit_issue_for_review",
                title="Submit an issue for review",
                hints=ADDS,
                invalid=lambda who: made.reviews.refused(who.tenant),
            ),
            tool(
                OfOne,
                capture.status,
                name="get_submission_status",
                title="Get the status of a submission",
                hints=READS,
            ),
            tool(
                Listing,
                capture.listed,
                name="list_submissions",
                title="List submissions",
                hints=READS,
            ),
        ],
    )
    server.add_prompt(
        prompt(
            "escalation",
            title="When and how to ask for a review",
            description="The confidence step, what is escalated, and what a submission must hold",
            file="capture.v1",
            high=f"{HIGH:g}",
            medium=f"{MEDIUM:g}",
            triggers=listed(f"{words}." for words in WORDS.values()),
            required=fields(Handed.model_fields, required=True),
            optional=fields(Handed.model_fields, required=False),
            text=f"{TEXT:,}",
            short=f"{SHORT:,}",
            lines=str(MOST_LINES),
        )
    )
    return server


class Capture:
    """What the server's tools do."""

    def __init__(self, reviews: ReviewService) -> None:
        self._reviews = reviews

    async def submit(self, who: Principal, handed: Handed) -> Result:
        """Hand a case in for an operator's review. It waits in the queue until an operator approves or
        rejects the recommendation; nothing is carried out by this. Returns the record's id: keep it to
        ask for the status.
        """
        record = await self._reviews.submit(who, fields_of(handed))
        return ok(id=record.id, location=record.location, submitted_at_ms=record.submitted_at_ms)

    async def status(self, who: Principal, asked: OfOne) -> Result:
        """Say whether a submission still waits (location 'pending') or was decided ('approved' or
        'rejected'), and then by whom, when and with which notes.
        """

        async def look(submission_id: str) -> Result:
            record = await self._reviews.get(who, submission_id)
            told = {"id": record.id, "location": record.location}
            return ok(**told, submitted_at_ms=record.submitted_at_ms, **decision(record))

        return await of_id(asked.submission_id, look)

    async def listed(self, who: Principal, asked: Listing) -> Result:
        """List what this key's user submitted, waiting or decided, the newest first; with an operator's
        key, what anyone of the tenant did.
        """
        found = [
            await self._reviews.listed(who, location, limit=asked.limit) for location in LOCATIONS
        ]
        newest = sorted(chain.from_iterable(found), key=moment, reverse=True)[: asked.limit]
        return ok(count=len(newest), submissions=[summary(record) for record in newest])
