"""What the tools for tasks take."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints

from app.bounds import Bounded
from app.domain.base import Value

LONGEST_ID = 128
MOST_FOUND = 20


def _of_the_web(url: str) -> str:
    """The address; only http and https are opened for a program."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        usable = False
    if not usable:
        raise ValueError("an address of the web begins with http:// or https://")
    return url


Id = Annotated[str, StringConstraints(min_length=1, pattern=r"^[^\x00]+$")]
Said = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$"), Bounded("answer")]
Words = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, pattern=r"^[^\x00]+$")
]
Url = Annotated[
    str,
    StringConstraints(pattern=r"^[^\x00]*$"),
    Bounded("url"),
    AfterValidator(_of_the_web),
]


class Given(Value):
    """Arguments: what is not known is refused, so that nobody believes it did something."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class RunTask(Given):
    """A task in words."""

    goal: Annotated[Words, Bounded("goal"), Field(description="What is to be done, in plain words")]
    url: Annotated[
        Url | None,
        Field(description="The page to begin on; without it, the tab that the person has open"),
    ] = None


class OfTask(Given):
    """Which task."""

    task_id: Annotated[Id, Field(description="`task_id` or `delegation_id` of a result")]


class AnswerQuestion(Given):
    """What the person says to a question."""

    task_id: Annotated[Id, Field(description="`task_id` or `conversation_id` of the question")]
    answer: Annotated[
        bool | Said | list[Said],
        Field(description="The person's own words; an option's label or id; yes or no"),
    ]
    question_id: Annotated[
        Id | None, Field(description="`id` of the question; without it, the one that waits")
    ] = None


class Search(Given):
    """A question to the documents."""

    query: Annotated[Words, Bounded("question"), Field(description="What is looked for")]
    url: Annotated[Url | None, Field(description="The page it is about, for its site's own")] = None
    limit: Annotated[int, Field(ge=1, le=MOST_FOUND, description="Passages at most")] = 8


class Ask(Given):
    """A turn of a conversation over the documents."""

    question: Annotated[Words, Bounded("message"), Field(description="What to ask")]
    conversation_id: Annotated[
        Id | None, Field(description="Of an earlier answer, to go on with that conversation")
    ] = None


class ListRecipes(Given):
    """Recipes of which site."""

    site: Annotated[
        str | None, Field(max_length=253, description="A host, as crm.example; without it, all")
    ] = None


class RunRecipe(Given):
    """A recipe with its values."""

    recipe_id: Annotated[Id, Field(description="`recipe_id` of list_recipes")]
    parameters: Annotated[
        dict[str, Said],
        Field(max_length=50, description="Values by parameter name, without secret ones"),
    ] = {}
