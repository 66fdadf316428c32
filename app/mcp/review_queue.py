"""The review server: operators work through the queue from their own assistant."""

from dataclasses import dataclass
from importlib.metadata import version

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
from app.mcp.review_tools import (
    DEFAULT,
    Id,
    Limit,
    RecordArguments,
    decision_view,
    field_list,
    load_prompt,
    record_summary,
    require_id,
)
from app.mcp.services import Services
from app.mcp.tools import DECIDES, READS, ToolContext, ToolReply, error, ok, tool
from app.review import ReviewService

INSTRUCTIONS = (
    "The review queue: cases that an agent or assistant was unsure about. Show the operator each record "
    "with its evidence; the decision and its notes are theirs, never yours. The prompt 'review_queue' "
    "explains how."
)
SKIP = "skip"
SKIPPED = "'skip' is not an outcome. Do not call this tool to skip a record; it stays pending."


class ListArguments(Strict):
    """The size and location of a list."""

    limit: Limit = DEFAULT
    location: str = Field(
        "pending",
        description="The location of the records",
        json_schema_extra={"enum": list(LOCATIONS)},
    )


class DecisionArguments(Strict):
    """Arguments of `record_review`."""

    submission_id: Id
    outcome: str = Field(
        description="The operator's decision on the recommendation",
        json_schema_extra={"enum": list(OUTCOMES)},
    )
    reviewed_by: RequiredName = Field(description="Who signs the review")
    review_notes: RequiredText = Field(description="The reasons, in the operator's words")
    operator_name: RequiredName = Field(description="The operator's name")
    operator_role: RequiredName = Field(description="The operator's role, such as 'dispatcher'")
    operator_id: Short | None = Field(None, description="The operator's id")
    operator_team: Short | None = Field(None, description="The operator's team")


def review_server(services: Services) -> MCPServer:
    """The server with its tools and prompt. All tools require an operator's key."""
    queue = Queue(services.reviews)
    server = MCPServer(
        "tabwright-review",
        title="Tabwright: review queue",
        instructions=INSTRUCTIONS,
        version=version("tabwright"),
        subscriptions=False,
        tools=[
            tool(
                ListArguments, queue.list_submissions, "list_submissions", "List the review queue", READS,
                operators=True,
            ),
            tool(
                RecordArguments, queue.get, "get_submission", "Get a submission", READS,
                named="submission_id", operators=True,
            ),
            tool(
                DecisionArguments, queue.record, "record_review", "Record an operator's decision",
                DECIDES, named="submission_id", operators=True,
                invalid=lambda principal: services.reviews.refused(principal.tenant),
            ),
        ],
    )  # fmt: skip
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


@dataclass(frozen=True, slots=True)
class Queue:
    """The tools of the review server; their docstrings are the descriptions that clients see."""

    reviews: ReviewService

    async def list_submissions(
        self, ctx: ToolContext, principal: Principal, arguments: ListArguments
    ) -> ToolReply:
        """List the records of one location, newest first: 'pending', 'approved' or 'rejected'. The count
        is 0 if there are none.
        """
        records = await self.reviews.listed(principal, arguments.location, limit=arguments.limit)
        summaries = [record_summary(record) for record in records]
        return ok(location=arguments.location, count=len(summaries), submissions=summaries)

    async def get(
        self, ctx: ToolContext, principal: Principal, arguments: RecordArguments
    ) -> ToolReply:
        """Get a complete record: what was reported, checked and observed, the submitter's confidence and
        proposal, why it was escalated, what is missing, and the decision, if there is one.
        """
        record = await self.reviews.get(principal, require_id(arguments.submission_id))
        submission = record.model_dump(mode="json")
        return ok(id=record.id, location=record.location, submission=submission)

    async def record(
        self, ctx: ToolContext, principal: Principal, decision: DecisionArguments
    ) -> ToolReply:
        """Record an operator's decision on a pending record: 'approved' or 'rejected', with their notes
        and identity, which are required for both. The decision is final: a second review is rejected.
        To skip a record, do not call this tool; it stays pending.
        """
        if decision.outcome == SKIP:
            return error(SKIPPED)
        operator = {name: getattr(decision, f"operator_{name}") for name in Identity.model_fields}
        reviewed = await self.reviews.decide(
            principal,
            require_id(decision.submission_id),
            outcome=decision.outcome,
            notes=decision.review_notes,
            operator=operator,
            reviewed_by=decision.reviewed_by,
        )
        return ok(id=reviewed.id, location=reviewed.location, **decision_view(reviewed))
