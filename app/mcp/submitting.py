"""What is handed in to the review queue: flat arguments, and the record's fields that they become."""

import json
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from app.domain.review import (
    MOST_LINES,
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
from app.review.routing import HIGH, MEDIUM, Case, reasons_of

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


class Handed(Strict):
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


def fields_of(handed: Handed) -> dict[str, Any]:
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
