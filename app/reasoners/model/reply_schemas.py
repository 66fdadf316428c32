"""What a model is asked to reply with. Private to this room; `decisions` makes domain values of them.

Each call sends its schema, so names are short, lists of pairs are lists of texts, and what the
instructions say is not said again. What is required is what a model must not forget. The order is
the one to think in: what is wanted before what to do, the words before the actions.
"""

from typing import Annotated, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, WithJsonSchema, model_validator

from app.domain.access import EFFECTS, Effect
from app.domain.verdict import AnswerMeaning

# The words for these stand in the instructions, and the schema does not list them again. Another word
# is no reason to ask again; an effect in other words is not said.
_WORD = WithJsonSchema({"type": "string"})


def _else(otherwise: str | None, *known: str) -> BeforeValidator:
    def read(said: object) -> str | None:
        word = said.strip().lower() if isinstance(said, str) else ""
        return word if word in known else otherwise

    return BeforeValidator(read)


ModeWord = Literal["semantic", "skeleton", "hybrid", "full"]
Mode = Annotated[ModeWord | None, _else(None, *get_args(ModeWord)), _WORD]
IntentWord = Literal["operation", "conversation", "meta"]
Intent = Annotated[IntentWord, _else("operation", *get_args(IntentWord)), _WORD]
Said = Annotated[Effect | None, _else(None, *EFFECTS), _WORD]
Judged = Literal["yes", "no", "unsure"]
Verdict = Annotated[Judged, _else("unsure", *get_args(Judged)), _WORD]


class Shape(BaseModel):
    """A model adds keys of its own; they are not worth a second call."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nothing(cls, given: object) -> object:
        """A key with null is one left out."""
        if not isinstance(given, dict):
            return given
        return {key: value for key, value in given.items() if value is not None}


class Step(Shape):
    """One line of a plan, and how the page shows that it is done."""

    text: str
    shows: str = ""


class Part(Shape):
    """A sub-task; `needs` and `gives` are names with commas between them."""

    goal: str
    needs: str = ""
    gives: str = ""


class Moves(Shape):
    """What to do now, and what the page shows when it was done. `outputs` are "name=value"."""

    thought: str
    do: list[str]
    ends: bool
    see: list[str] = []
    next: str = ""
    must: bool = False
    mode: Mode = None
    outputs: list[str] = []
    derived: list[str] = []
    quote: str = ""
    effect: Said = None
    sure: float


class _Now(Shape):
    thought: str
    steps: list[Step] = []
    ask: list[str] = []


class Acting(Moves, _Now):
    """What to do now, with new steps or questions before it. The last base holds the first fields."""


class Correcting(Acting):
    """What to try instead."""

    strategy: str


class _Whole(Shape):
    thought: str
    intent: Intent
    say: str = ""
    search: str = ""
    ask: list[str] = []
    parts: list[Part] = []
    steps: list[Step] = []
    ifs: list[str] = []


class Opening(Moves, _Whole):
    """What the goal is and needs, the plan, and its first actions. `ifs` are "when: what to do"."""


class Criticising(Shape):
    """Whether it makes sense."""

    ok: bool
    why: str = ""


class Hearing(Shape):
    """What an answer means."""

    means: Annotated[AnswerMeaning, _else("unclear", *get_args(AnswerMeaning)), _WORD]


class Examining(Shape):
    """What acts do now, and whether they are wanted."""

    effect: Said
    wanted: bool


class Judging(Shape):
    """What came of the last action, and whether the goal is reached."""

    why: str = ""
    worked: Verdict
    reached: Verdict = "unsure"
    quote: str = ""
    sure: float


class Answering(Shape):
    """The answer, when it was there."""

    found: bool
    answer: str = ""


class Weighing(Shape):
    """Whether the results say it, or what to search for instead."""

    solved: bool
    answer: str = ""
    query: str = ""
