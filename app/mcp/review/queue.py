"""The review server: an operator works through the queue from the assistant that they already have."""

from importlib.metadata import version
from typing import Annotated

from mcp.server import MCPServer
from pydantic import Field

from app.domain.access import Principal
from app.domain.review import (
    LOCATIONS,
    OUTCOMES,
    SHORT,
    TEXT,
    Identity,
    RequiredName,
    RequiredText,
    Short,
    Strict,
)
from app.mcp.prompt_files import fields, prompt
from app.mcp.review.records import DEFAULT, Id, Limit, RecordArguments, decision, summary
from app.mcp.services import Services
from app.mcp.tools import DECIDES, READS, ToolResult, error, of_id, ok, tool
from app.review.service import ReviewService

INSTRUCTIONS = (
    "The review queue of what an agent or assistant was unsure of. Show the operator the record with its "
    "evidence; the decision and its notes are theirs, never yours. Your prompt 'review_queue' says how."
)
SKIP = "skip"
SKIPPED = "'skip' is not stored: leave the record as it is, it stays pending"


class ListArguments(Strict):
    """How many, and of which."""

    limit: Limit = DEFAULT
    location: Annotated[
        str, Field(description="Which of them", json_schema_extra={"enum": list(LOCATIONS)})
    ] = "pending"


class DecisionArguments(Strict):
    """The arguments of `record_review`."""

    submission_id: Id
    outcome: Annotated[
        str,
        Field(
            description="What the operator decided of the recommendation",
            json_schema_extra={"enum": list(OUTCOMES)},
        ),
    ]
    reviewed_by: Annotated[RequiredName, Field(description="Who signs for the review")]
    review_notes: Annotated[RequiredText, Field(description="Why, in the operator's words")]
    operator_name: Annotated[RequiredName, Field(description="The operator's name")]
    operator_role: Annotated[
        RequiredName, Field(description="The operator's role, such as 'dispatcher'")
    ]
    operator_id: Annotated[Short | None, Field(description="The operator's own id")] = None
    operator_team: Annotated[Short | None, Field(description="The operator's team")] = None


def review_server(made: Services) -> MCPServer:
    """The server, over these services. All of its tools take an operator's key."""
    queue = Queue(made.reviews)
    server = MCPServer(
        "tabwright-review",
        title="Tabwright: review queue",
        instructions=INSTRUCTIONS,
        version=version("tabwright"),
        subscriptions=False,
        tools=[
            tool(
                ListArguments,
                queue.listed,
                name="list_submissions",
                title="List the review queue",
                hints=READS,
                operators=True,
            ),
            tool(
                RecordArguments,
                queue.get,
                name="get_submission",
                title="Get a submission",
                hints=READS,
                operators=True,
            ),
            tool(
                DecisionArguments,
                queue.record,
                name="record_review",
                title="Record an operator's decision",
                hints=DECIDES,
                operators=True,
                invalid=lambda who: made.reviews.refused(who.tenant),
            ),
        ],
    )
    server.add_prompt(
        prompt(
            "review_queue",
            title="Work through the review queue",
            description="How to take an operator through it, and what a decision needs",
            file="review.v1",
            outcomes=" or ".join(f"`{outcome}`" for outcome in OUTCOMES),
            locations=", ".join(f"`{location}`" for location in LOCATIONS),
            default=str(DEFAULT),
            required=fields(DecisionArguments.model_fields, required=True),
            optional=fields(DecisionArguments.model_fields, required=False),
            text=f"{TEXT:,}",
            short=f"{SHORT:,}",
        )
    )
    return server


class Queue:
    """What the server's tools do, for operators."""

    def __init__(self, reviews: ReviewService) -> None:
        self._reviews = reviews

    async def listed(self, who: Principal, asked: ListArguments) -> ToolResult:
        """List the records of the queue, the newest first: those that wait for a decision ('pending'), or
        those that were 'approved' or 'rejected'. An empty queue has a count of 0.
        """
        found = await self._reviews.listed(who, asked.location, limit=asked.limit)
        shown = [summary(record) for record in found]
        return ok(location=asked.location, count=len(shown), submissions=shown)

    async def get(self, who: Principal, asked: RecordArguments) -> ToolResult:
        """Get one record whole: what was reported, checked and seen, how sure the submitter is, what they
        propose, why it was escalated, what is missing, and the decision where there is one.
        """

        async def look(submission_id: str) -> ToolResult:
            record = await self._reviews.get(who, submission_id)
            told = record.model_dump(mode="json")
            return ok(id=record.id, location=record.location, submission=told)

        return await of_id(asked.submission_id, look)

    async def record(self, who: Principal, decided: DecisionArguments) -> ToolResult:
        """Record what an operator decided of a record that waits: 'approved' or 'rejected', with their
        notes and identity, which are required for both. It holds for good: a second review is refused.
        To skip a record, do not call this: it stays pending.
        """
        if decided.outcome == SKIP:
            return error(SKIPPED)

        async def keep(submission_id: str) -> ToolResult:
            reviewed = await self._reviews.decide(
                who,
                submission_id,
                outcome=decided.outcome,
                notes=decided.review_notes,
                operator=_operator(decided).model_dump(),
                reviewed_by=decided.reviewed_by,
            )
            return ok(id=reviewed.id, location=reviewed.location, **decision(reviewed))

        return await of_id(decided.submission_id, keep)


def _operator(decided: DecisionArguments) -> Identity:
    return Identity(
        name=decided.operator_name,
        role=decided.operator_role,
        id=decided.operator_id,
        team=decided.operator_team,
    )
