"""The capture server: whoever is unsure hands a case in for review, and sees what became of it."""

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
from app.mcp.prompt_files import fields, listed, prompt
from app.mcp.review.records import LimitArguments, RecordArguments, decision, moment, summary
from app.mcp.services import Services
from app.mcp.tools import ADDS, READS, ToolResult, of_id, ok, tool
from app.review.routing import HIGH, MEDIUM, WORDS, Case, reasons_of
from app.review.service import ReviewService

LIST = f"At most {MOST_LINES} texts of at most {TEXT:,} characters each."


def _listed(given: object) -> object:
    """Some clients send a list as the text of its JSON."""
    if isinstance(given, str) and given.lstrip().startswith("["):
        try:
            return json.loads(given)
        except (ValueError, RecursionError):
            return given
    return given


Listed = Annotated[Lines, BeforeValidator(_listed)]


class SubmissionArguments(Strict):
    """The arguments of `submit_issue_for_review`."""

    reported_symptom: Annotated[
        RequiredText, Field(description="What was reported or asked, in the person's own words")
    ]
    what_checked: Annotated[Listed, Field(description=f"What was looked at. {LIST}")]
    evidence: Annotated[
        Listed,
        Field(description=f"What was seen there, with its source; what speaks against too. {LIST}"),
    ]
    candidate_root_cause: Annotated[
        Text | None, Field(description="The most likely cause, if there is one")
    ] = None
    services_connections_involved: Annotated[
        Listed, Field(description=f"Systems, services and connections that it concerns. {LIST}")
    ] = ()
    confidence: Annotated[
        Level,
        Field(description=f"high from {HIGH:g} of 1 on, medium from {MEDIUM:g} on, low below"),
    ]
    impact: Annotated[
        Impact, Field(description="high where it cannot be undone, or much depends on it")
    ]
    proposed_next_action: Annotated[
        RequiredText, Field(description="What you recommend to do next")
    ]
    expected_outcome: Annotated[Text, Field(description="What should come of that")] = ""
    why_escalated: Annotated[
        RequiredText, Field(description="Why someone has to look at it, and what you ask of them")
    ]
    missing_information: Annotated[
        Listed, Field(description=f"What you would have to know to be sure. {LIST}")
    ] = ()
    submitter_name: Annotated[
        RequiredName, Field(description="Who hands it in: a person, or a program")
    ]
    submitter_role: Annotated[
        RequiredName, Field(description="As what, such as 'support assistant'")
    ]
    submitter_id: Annotated[Short | None, Field(description="Their id, where they have one")] = None
    submitter_team: Annotated[Short | None, Field(description="Their team")] = None
    ticket_id: Annotated[Short | None, Field(description="The ticket it belongs to")] = None
    lgv_id: Annotated[
        Short | None, Field(description="The id of the vehicle or thing that it is about")
    ] = None
    site: Annotated[Short | None, Field(description="The place or the web site")] = None
    goal: Annotated[Text | None, Field(description="What was to be reached")] = None
    task_id: Annotated[Short | None, Field(description="The task in which it came up")] = None
    thread_id: Annotated[Short | None, Field(description="The conversation, likewise")] = None


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


def fields_of(handed: SubmissionArguments) -> dict[str, Any]:
    """The fields of the record, but for those that the queue itself gives it."""
    given = handed.model_dump()
    case = Case(confidence=handed.confidence, impact=handed.impact)
    submitter = {name: given[f"submitter_{name}"] for name in ("name", "role", "id", "team")}
    return {
        "issue": {name: given[name] for name in ISSUE},
        "investigation": {name: given[name] for name in INVESTIGATION},
        "recommendation": {name: given[name] for name in RECOMMENDATION},
        "why_escalated": handed.why_escalated,
        "missing_information": handed.missing_information,
        "submitter": submitter,
        "origin": {"kind": "mcp", "reasons": reasons_of(case) or ("asked_for",)},
    }


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
        prompt(
            "escalation",
            title="When and how to ask for a review",
            description="The confidence step, what is escalated, and what a submission must hold",
            file="capture.v1",
            high=f"{HIGH:g}",
            medium=f"{MEDIUM:g}",
            triggers=listed(f"{words}." for words in WORDS.values()),
            required=fields(SubmissionArguments.model_fields, required=True),
            optional=fields(SubmissionArguments.model_fields, required=False),
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

    async def submit(self, who: Principal, handed: SubmissionArguments) -> ToolResult:
        """Hand a case in for an operator's review. It waits in the queue until an operator approves or
        rejects the recommendation; nothing is carried out by this. Returns the record's id: keep it to
        ask for the status.
        """
        record = await self._reviews.submit(who, fields_of(handed))
        return ok(id=record.id, location=record.location, submitted_at_ms=record.submitted_at_ms)

    async def status(self, who: Principal, asked: RecordArguments) -> ToolResult:
        """Say whether a submission still waits (location 'pending') or was decided ('approved' or
        'rejected'), and then by whom, when and with which notes.
        """

        async def look(submission_id: str) -> ToolResult:
            record = await self._reviews.get(who, submission_id)
            told = {"id": record.id, "location": record.location}
            return ok(**told, submitted_at_ms=record.submitted_at_ms, **decision(record))

        return await of_id(asked.submission_id, look)

    async def listed(self, who: Principal, asked: LimitArguments) -> ToolResult:
        """List what this key's user submitted, waiting or decided, the newest first; with an operator's
        key, what anyone of the tenant did.
        """
        found = [
            await self._reviews.listed(who, location, limit=asked.limit) for location in LOCATIONS
        ]
        newest = sorted(chain.from_iterable(found), key=moment, reverse=True)[: asked.limit]
        return ok(count=len(newest), submissions=[summary(record) for record in newest])
