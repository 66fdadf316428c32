"""The review server: operators work through the queue from their own assistant."""

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
from app.mcp.prompt_files import field_list, load_prompt
from app.mcp.review.records import (
    DEFAULT,
    Id,
    Limit,
    RecordArguments,
    decision_view,
    record_summary,
)
from app.mcp.services import Services
from app.mcp.tools import DECIDES, READS, ToolResult, call_with_id, error, ok, tool
from app.review.service import ReviewService

INSTRUCTIONS = (
    "The review queue: cases that an agent or assistant was unsure about. Show the operator each record "
    "with its evidence; the decision and its notes are theirs, never yours. The prompt 'review_queue' "
    "explains how."
)
SKIP = "skip"
SKIPPED = "'skip' is not stored: leave the record as it is; it stays pending."


class ListArguments(Strict):
    """The size and location of a list."""

    limit: Limit = DEFAULT
    location: Annotated[
        str,
        Field(
            description="The location of the records", json_schema_extra={"enum": list(LOCATIONS)}
        ),
    ] = "pending"


class DecisionArguments(Strict):
    """The arguments of `record_review`."""

    submission_id: Id
    outcome: Annotated[
        str,
        Field(
            description="The operator's decision on the recommendation",
            json_schema_extra={"enum": list(OUTCOMES)},
        ),
    ]
    reviewed_by: Annotated[RequiredName, Field(description="Who signs the review")]
    review_notes: Annotated[RequiredText, Field(description="The reasons, in the operator's words")]
    operator_name: Annotated[RequiredName, Field(description="The operator's name")]
    operator_role: Annotated[
        RequiredName, Field(description="The operator's role, such as 'dispatcher'")
    ]
    operator_id: Annotated[Short | None, Field(description="The operator's id")] = None
    operator_team: Annotated[Short | None, Field(description="The operator's team")] = None


def review_server(made: Services) -> MCPServer:
    """The server with its tools and prompt. All tools require an operator's key."""
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
        load_prompt(
            "review_queue",
            title="Work through the review queue",
            description="How to guide an operator through the queue, and what a decision requires",
            file="review.v1",
            outcomes=" or ".join(f"`{outcome}`" for outcome in OUTCOMES),
            locations=", ".join(f"`{location}`" for location in LOCATIONS),
            default=str(DEFAULT),
            required=field_list(DecisionArguments.model_fields, required=True),
            optional=field_list(DecisionArguments.model_fields, required=False),
            text=f"{TEXT:,}",
            short=f"{SHORT:,}",
        )
    )
    return server


class Queue:
    """The tools of the server."""

    def __init__(self, reviews: ReviewService) -> None:
        self._reviews = reviews

    async def listed(self, who: Principal, asked: ListArguments) -> ToolResult:
        """List the records of one location, newest first: 'pending', 'approved' or 'rejected'. The count
        is 0 if there are none.
        """
        found = await self._reviews.listed(who, asked.location, limit=asked.limit)
        summaries = [record_summary(record) for record in found]
        return ok(location=asked.location, count=len(summaries), submissions=summaries)

    async def get(self, who: Principal, asked: RecordArguments) -> ToolResult:
        """Get a complete record: what was reported, checked and observed, the submitter's confidence and
        proposal, why it was escalated, what is missing, and the decision, if there is one.
        """

        async def look(submission_id: str) -> ToolResult:
            record = await self._reviews.get(who, submission_id)
            told = record.model_dump(mode="json")
            return ok(id=record.id, location=record.location, submission=told)

        return await call_with_id(asked.submission_id, look)

    async def record(self, who: Principal, decision: DecisionArguments) -> ToolResult:
        """Record an operator's decision on a pending record: 'approved' or 'rejected', with their notes
        and identity, which are required for both. The decision is final: a second review is rejected.
        To skip a record, do not call this tool; it stays pending.
        """
        if decision.outcome == SKIP:
            return error(SKIPPED)

        async def keep(submission_id: str) -> ToolResult:
            reviewed = await self._reviews.decide(
                who,
                submission_id,
                outcome=decision.outcome,
                notes=decision.review_notes,
                operator=_operator(decision).model_dump(),
                reviewed_by=decision.reviewed_by,
            )
            return ok(id=reviewed.id, location=reviewed.location, **decision_view(reviewed))

        return await call_with_id(decision.submission_id, keep)


def _operator(decision: DecisionArguments) -> Identity:
    return Identity(
        name=decision.operator_name,
        role=decision.operator_role,
        id=decision.operator_id,
        team=decision.operator_team,
    )
