"""Arguments and views of review records, for both review servers."""

from collections.abc import Iterable, Mapping
from importlib import resources
from string import Template
from typing import Annotated, Any

from mcp.server.mcpserver.prompts import Prompt
from pydantic import BeforeValidator, Field
from pydantic.fields import FieldInfo

from app.domain.review import Record, ReviewedRecord, Strict
from app.errors import Invalid
from app.review import MOST_RECORDS


def record_summary(record: Record) -> dict[str, Any]:
    return {
        "id": record.id,
        "location": record.location,
        "submitted_at_ms": record.submitted_at_ms,
        "reported_symptom": record.issue.reported_symptom,
        "site": record.issue.site,
        "ticket_id": record.issue.ticket_id,
        "confidence": record.investigation.confidence,
        "impact": record.investigation.impact,
        "proposed_next_action": record.recommendation.proposed_next_action,
        "why_escalated": record.why_escalated,
        "submitter": record.submitter.model_dump(mode="json"),
        **decision_view(record),
    }


def decision_view(record: Record) -> dict[str, Any]:
    """The decision as `review`; empty while the record is pending."""
    if not isinstance(record, ReviewedRecord):
        return {}
    return {"review": record.review.model_dump(mode="json")}


DEFAULT = 10

Id = Annotated[
    str,
    BeforeValidator(lambda value: "" if value is None else value),
    Field(description="The id of the record: 'HITL-' and a version 4 UUID"),
]
Limit = Annotated[
    int,
    Field(ge=1, le=MOST_RECORDS, description=f"Maximum number, newest first; 1 to {MOST_RECORDS}"),
]


def require_id(submission_id: str) -> str:
    """The id. Raises `Invalid` if it is blank."""
    if not submission_id.strip():
        raise Invalid("submission_id is required")
    return submission_id


class RecordArguments(Strict):
    """The id of a record."""

    submission_id: Id


class LimitArguments(Strict):
    """The size of a list."""

    limit: Limit = DEFAULT


def load_prompt(name: str, *, title: str, description: str, file: str, **blanks: str) -> Prompt:
    """A prompt without arguments, from a file and the values of its blanks."""
    template = resources.files("app.mcp").joinpath("prompts", f"{file}.md").read_text("utf-8")
    text = Template(template.strip()).substitute(blanks)
    return Prompt.from_function(lambda: text, name=name, title=title, description=description)


def bullet_list(names: Iterable[str]) -> str:
    return "\n".join(f"- {name}" for name in names)


def field_list(fields: Mapping[str, FieldInfo], *, required: bool) -> str:
    """The required (or the optional) fields of a model, with their descriptions."""
    return bullet_list(
        f"`{name}`: {field.description}"
        for name, field in fields.items()
        if field.is_required() is required
    )
