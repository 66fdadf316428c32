"""The capture server: submit cases for review, and follow their status."""

import json
from dataclasses import dataclass
from importlib.metadata import version
from itertools import chain
from typing import Annotated, Any

from mcp.server import MCPServer
from pydantic import BeforeValidator, Field

from app.domain.access import Principal
from app.domain.review import (
    LOCATIONS,
    MOST_LINES,
    SHORT,
    TEXT,
    Identity,
    Impact,
    Investigation,
    Issue,
    Level,
    Lines,
    Recommendation,
    RequiredName,
    RequiredText,
    Short,
    Strict,
    Text,
)
from app.mcp.review_tools import (
    LimitArguments,
    RecordArguments,
    bullet_list,
    decision_view,
    field_list,
    load_prompt,
    record_summary,
    require_id,
)
from app.mcp.services import Services
from app.mcp.tools import ADDS, READS, ToolContext, ToolReply, ok, tool
from app.review import (
    HIGH_CONFIDENCE,
    MEDIUM_CONFIDENCE,
    REASON_TEXTS,
    ReviewCase,
    ReviewService,
    reasons_of,
)

LIST = f"At most {MOST_LINES} texts of at most {TEXT:,} characters each."


def _parse_list(value: object) -> object:
    """Accept a list that the client sent as JSON text."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


Listed = Annotated[Lines, BeforeValidator(_parse_list)]


class SubmissionArguments(Strict):
    """Arguments of `submit_issue_for_review`."""

    reported_symptom: RequiredText = Field(
        description="What was reported or asked, in the user's own words"
    )
    what_checked: Listed = Field(description=f"What was checked. {LIST}")
    evidence: Listed = Field(
        description=f"What was observed, with its source; include contradicting evidence. {LIST}"
    )
    candidate_root_cause: Text | None = Field(None, description="The most likely cause, if known")
    services_connections_involved: Listed = Field(
        (), description=f"Systems, services and connections involved. {LIST}"
    )
    confidence: Level = Field(
        description=f"high for at least {HIGH_CONFIDENCE:g} of 1, "
        f"medium for at least {MEDIUM_CONFIDENCE:g}, otherwise low"
    )
    impact: Impact = Field(description="high if it is irreversible or critical")
    proposed_next_action: RequiredText = Field(description="The next action that you recommend")
    expected_outcome: Text = Field("", description="The expected result of that action")
    why_escalated: RequiredText = Field(
        description="Why a review is needed, and what you ask the operator"
    )
    missing_information: Listed = Field(
        (), description=f"What you would need to know to be certain. {LIST}"
    )
    submitter_name: RequiredName = Field(description="The submitter: a person or a program")
    submitter_role: RequiredName = Field(
        description="The submitter's role, such as 'support assistant'"
    )
    submitter_id: Short | None = Field(None, description="The submitter's id")
    submitter_team: Short | None = Field(None, description="The submitter's team")
    ticket_id: Short | None = Field(None, description="The related ticket")
    lgv_id: Short | None = Field(None, description="The id of the vehicle or asset")
    site: Short | None = Field(None, description="The location or web site")
    goal: Text | None = Field(None, description="The goal")
    task_id: Short | None = Field(None, description="The related task")
    thread_id: Short | None = Field(None, description="The related conversation")


def record_fields(arguments: SubmissionArguments) -> dict[str, Any]:
    """The fields of the record, except those that the queue sets itself."""
    values = arguments.model_dump()
    parts: dict[str, type[Strict]] = {
        "issue": Issue,
        "investigation": Investigation,
        "recommendation": Recommendation,
    }
    case = ReviewCase(confidence=arguments.confidence, impact=arguments.impact)
    return {
        **{
            part: {name: values[name] for name in model.model_fields}
            for part, model in parts.items()
        },
        "why_escalated": arguments.why_escalated,
        "missing_information": arguments.missing_information,
        "submitter": {name: values[f"submitter_{name}"] for name in Identity.model_fields},
        "origin": {"kind": "mcp", "reasons": reasons_of(case) or ("asked_for",)},
    }


INSTRUCTIONS = (
    "Submit a case for review when you are not highly confident in your recommendation, when evidence "
    "conflicts, when the impact is high, or when the user asks for a second opinion. Meanwhile give the "
    "user your best answer and say that an operator will review it. The prompt 'escalation' explains how."
)


def capture_server(services: Services) -> MCPServer:
    capture = Capture(services.reviews)
    server = MCPServer(
        "tabwright-capture",
        title="Tabwright: submit for review",
        instructions=INSTRUCTIONS,
        version=version("tabwright"),
        subscriptions=False,
        tools=[
            tool(
                SubmissionArguments, capture.submit, "submit_issue_for_review",
                "Submit an issue for review", ADDS,
                invalid=lambda principal: services.reviews.refused(principal.tenant),
            ),
            tool(
                RecordArguments, capture.status, "get_submission_status",
                "Get the status of a submission", READS, named="submission_id",
            ),
            tool(LimitArguments, capture.list_submissions, "list_submissions", "List submissions", READS),
        ],
    )  # fmt: skip
    server.add_prompt(
        load_prompt(
            "escalation",
            title="When and how to ask for a review",
            description="How to assess confidence, what to escalate, and what a submission must contain",
            file="capture.v1",
            high=f"{HIGH_CONFIDENCE:g}",
            medium=f"{MEDIUM_CONFIDENCE:g}",
            triggers=bullet_list(f"{words}." for words in REASON_TEXTS.values()),
            required=field_list(SubmissionArguments.model_fields, required=True),
            optional=field_list(SubmissionArguments.model_fields, required=False),
            text=f"{TEXT:,}",
            short=f"{SHORT:,}",
            lines=str(MOST_LINES),
        )
    )
    return server


@dataclass(frozen=True, slots=True)
class Capture:
    """The tools of the capture server; their docstrings are the descriptions that clients see."""

    reviews: ReviewService

    async def submit(
        self, ctx: ToolContext, principal: Principal, arguments: SubmissionArguments
    ) -> ToolReply:
        """Submit a case for review by an operator. It stays in the queue until an operator approves or
        rejects the recommendation; submitting performs no action. Returns the record's id: keep it to
        query the status.
        """
        record = await self.reviews.submit(principal, record_fields(arguments))
        return ok(id=record.id, location=record.location, submitted_at_ms=record.submitted_at_ms)

    async def status(
        self, ctx: ToolContext, principal: Principal, arguments: RecordArguments
    ) -> ToolReply:
        """Return whether a submission is 'pending', 'approved' or 'rejected', and in the latter cases by
        whom, when and with which notes.
        """
        record = await self.reviews.get(principal, require_id(arguments.submission_id))
        return ok(
            id=record.id,
            location=record.location,
            submitted_at_ms=record.submitted_at_ms,
            **decision_view(record),
        )

    async def list_submissions(
        self, ctx: ToolContext, principal: Principal, arguments: LimitArguments
    ) -> ToolReply:
        """List the submissions of this key's user, pending or decided, newest first; with an operator's
        key, those of the whole tenant.
        """
        by_location = [
            await self.reviews.listed(principal, location, limit=arguments.limit)
            for location in LOCATIONS
        ]
        newest = sorted(
            chain.from_iterable(by_location), key=lambda record: record.place, reverse=True
        )[: arguments.limit]
        return ok(count=len(newest), submissions=[record_summary(record) for record in newest])
