"""Arguments of the task tools."""

from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints

from app.bounds import Bounded
from app.domain.base import Value
from app.net.urls import is_http_url

LONGEST_ID = 128
MOST_FOUND = 20


def _check_http(url: str) -> str:
    if not is_http_url(url):
        raise ValueError("must start with http:// or https://")
    return url


Id = Annotated[str, StringConstraints(min_length=1, pattern=r"^[^\x00]+$")]
AnswerText = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$"), Bounded("answer")]
Words = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, pattern=r"^[^\x00]+$")
]
Url = Annotated[
    str, StringConstraints(pattern=r"^[^\x00]*$"), Bounded("url"), AfterValidator(_check_http)
]


class ToolArguments(Value):
    """Arguments; unknown ones are rejected rather than silently ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class RunTask(ToolArguments):
    """A task in words."""

    goal: Annotated[Words, Bounded("goal"), Field(description="What to do, in plain words")]
    url: Url | None = Field(
        None, description="The page to start on; default: the user's current tab"
    )


class TaskArguments(ToolArguments):
    """Arguments that name a task."""

    task_id: Id = Field(description="`task_id` or `delegation_id` of a result")


class AnswerQuestion(ToolArguments):
    """The user's answer to a question."""

    task_id: Id = Field(description="`task_id` or `conversation_id` of the question")
    answer: bool | AnswerText | list[AnswerText] = Field(
        description="The user's own words; an option's label or id; yes or no"
    )
    question_id: Id | None = Field(
        None, description="`id` of the question; default: the pending one"
    )


class Search(ToolArguments):
    """A search in the documents."""

    query: Annotated[Words, Bounded("question"), Field(description="What to search for")]
    url: Url | None = Field(
        None, description="The page it is about, to include documents of that site"
    )
    limit: int = Field(8, ge=1, le=MOST_FOUND, description="Maximum number of passages")


class Ask(ToolArguments):
    """A turn of a conversation about the documents."""

    question: Annotated[Words, Bounded("message"), Field(description="What to ask")]
    conversation_id: Id | None = Field(
        None, description="`conversation_id` of an earlier answer, to continue that conversation"
    )


class ListRecipes(ToolArguments):
    """The site of the recipes."""

    site: str | None = Field(
        None, max_length=253, description="A host, such as crm.example; default: all sites"
    )


class RunRecipe(ToolArguments):
    """A recipe and the values of its parameters."""

    recipe_id: Id = Field(description="`recipe_id` of list_recipes")
    parameters: dict[str, AnswerText] = Field(
        {}, max_length=50, description="Values by parameter name, except secret ones"
    )
