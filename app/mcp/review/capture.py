"""The capture server: submit cases for review, and follow their status."""

import json
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
    Impact,
    Level,
    Lines,
    RequiredName,
    RequiredText,
    Short,
    Strict,
    Text,
)
from app.mcp.prompt_files import bullet_list, field_list, load_prompt
from app.mcp.review.records import (
    LimitArguments,
    RecordArguments,
    decision_view,
    record_summary,
    record_time,
)
from app.mcp.services import Services
from app.mcp.tools import ADDS, READS, ToolResult, call_with_id, ok, tool
from app.review.service import ReviewService
from app.review.submission import HIGH, MEDIUM, WORDS, ReviewCase, reasons_of

LIST = f"At most {MOST_LINES} texts of at most {TEXT:,} characters each."


def _parse_list(given: object) -> object:
    """Accept a list that the client sent as JSON text."""
    if isinstance(given, str) and given.lstrip().startswith("["):
        try:
            return json.loads(given)
        except (ValueError, RecursionError):
            return given
    return given


Listed = Annotated[Lines, BeforeValidator(_parse_list)]


class SubmissionArguments(Strict):
    """The arguments of `submit_issue_for_review`."""

    reported_symptom: Annotated[
        RequiredText, Field(description="What was reported or asked, in the user's own words")
    ]
    what_checked: Annotated[Listed, Field(description=f"What was checked. {LIST}")]
    evidence: Annotated[
        Listed,
        Field(
            description=f"What was observed, with its source; include contradicting evidence. {LIST}"
        ),
    ]
    candidate_root_cause: Annotated[
        Text | None, Field(description="The most likely cause, if known")
    ] = None
    services_connections_involved: Annotated[
        Listed, Field(description=f"Systems, services and connections involved. {LIST}")
    ] = ()
    confidence: Annotated[
        Level,
        Field(
            description=f"high for at least {HIGH:g} of 1, medium for at least {MEDIUM:g}, otherwise low"
        ),
    ]
    impact: Annotated[Impact, Field(description="high if it is irreversible or critical")]
    proposed_next_action: Annotated[
        RequiredText, Field(description="The next action that you recommend")
    ]
    expected_outcome: Annotated[Text, Field(description="The expected result of that action")] = ""
    why_escalated: Annotated[
        RequiredText, Field(description="Why a review is needed, and what you ask the operator")
    ]
    missing_information: Annotated[
        Listed, Field(description=f"What you would need to know to be certain. {LIST}")
    ] = ()
    submitter_name: Annotated[
        RequiredName, Field(description="The submitter: a person or a program")
    ]
    submitter_role: Annotated[
        RequiredName, Field(description="The submitter's role, such as 'support assistant'")
    ]
    submitter_id: Annotated[Short | None, Field(description="The submitter's id")] = None
    submitter_team: Annotated[Short | None, Field(description="The submitter's team")] = None
    ticket_id: Annotated[Short | None, Field(description="The related ticket")] = None
    lgv_id: Annotated[Short | None, Field(description="The id of the vehicle or asset")] = None
    site: Annotated[Short | None, Field(description="The location or web site")] = None
    goal: Annotated[Text | None, Field(description="The goal")] = None
    task_id: Annotated[Short | None, Field(description="The related task")] = None
    thread_id: Annotated[Short | None, Field(description="The related conversation")] = None


ISSUE = ("ticket_id", "lgv_id", "site", "reported_symptom", "goal", "task_id", "thread_id")
INVESTIGATION = (
    "what_checked",
    "evidence",
    "candidate_root_cause",
    "services_connections_involved",
    "confidence",
    "impact",
)
RECOMMENDATION = ("proposed_next_action", "expected_outcome")


def record_fields(arguments: SubmissionArguments) -> dict[str, Any]:
    """The fields of the record, except those that the queue sets itself."""
    given = arguments.model_dump()
    case = ReviewCase(confidence=arguments.confidence, impact=arguments.impact)
    submitter = {name: given[f"submitter_{name}"] for name in ("name", "role", "id", "team")}
    return {
        "issue": {name: given[name] for name in ISSUE},
        "investigation": {name: given[name] for name in INVESTIGATION},
        "recommendation": {name: given[name] for name in RECOMMENDATION},
        "why_escalated": arguments.why_escalated,
        "missing_information": arguments.missing_information,
        "submitter": submitter,
        "origin": {"kind": "mcp", "reasons": reasons_of(case) or ("asked_for",)},
    }


INSTRUCTIONS = (
    "Submit a case for review when you are not highly confident in your recommendation, when evidence "
    "conflicts, when the impact is high, or when the user asks for a second opinion. Meanwhile give the "
    "user your best answer and say that an operator will review it. The prompt 'escalation' explains how."
)


def capture_server(made: Services) -> MCPServer:
    """The server with its tools and prompt."""
    capture = Capture(made.reviews)
    server = MCPServer(
        "tabwright-capture",
        title="Tabwright: submit for review",
        instructions=INSTRUCTIONS,
        version=version("tabwright"),
        subscriptions=False,
        tools=[
            tool(
                SubmissionArguments,
                capture.submit,
                name="submit_issue_for_review",
                title="Submit an issue for review",
                hints=ADDS,
                invalid=lambda who: made.reviews.refused(who.tenant),
            ),
            tool(
                RecordArguments,
                capture.status,
                name="get_submission_status",
                title="Get the status of a submission",
                hints=READS,
            ),
            tool(
                LimitArguments,
                capture.listed,
                name="list_submissions",
                title="List submissions",
                hints=READS,
            ),
        ],
    )
    server.add_prompt(
        load_prompt(
            "escalation",
            title="When and how to ask for a review",
            description="How to assess confidence, what to escalate, and what a submission must contain",
            file="capture.v1",
            high=f"{HIGH:g}",
            medium=f"{MEDIUM:g}",
            triggers=bullet_list(f"{words}." for words in WORDS.values()),
            required=field_list(SubmissionArguments.model_fields, required=True),
            optional=field_list(SubmissionArguments.model_fields, required=False),
            text=f"{TEXT:,}",
            short=f"{SHORT:,}",
            lines=str(MOST_LINES),
        )
    )
    return server


class Capture:
    """The tools of the server."""

    def __init__(self, reviews: ReviewService) -> None:
        self._reviews = reviews

    async def submit(self, who: Principal, arguments: SubmissionArguments) -> ToolResult:
        """Submit a case for review by an operator. It stays in the queue until an operator approves or
        rejects the recommendation; submitting performs no action. Returns the record's id: keep it to
        query the status.
        """
        record = await self._reviews.submit(who, record_fields(arguments))
        return ok(id=record.id, location=record.location, submitted_at_ms=record.submitted_at_ms)

    async def status(self, who: Principal, asked: RecordArguments) -> ToolResult:
        """Return whether a submission is 'pending', 'approved' or 'rejected', and in the latter cases by
        whom, when and with which notes.
        """

        async def look(submission_id: str) -> ToolResult:
            record = await self._reviews.get(who, submission_id)
            told = {"id": record.id, "location": record.location}
            return ok(**told, submitted_at_ms=record.submitted_at_ms, **decision_view(record))

        return await call_with_id(asked.submission_id, look)

    async def listed(self, who: Principal, asked: LimitArguments) -> ToolResult:
        """List the submissions of this key's user, pending or decided, newest first; with an operator's
        key, those of the whole tenant.
        """
        found = [
            await self._reviews.listed(who, location, limit=asked.limit) for location in LOCATIONS
        ]
        newest = sorted(chain.from_iterable(found), key=record_time, reverse=True)[: asked.limit]
        return ok(count=len(newest), submissions=[record_summary(record) for record in newest])
