"""Schemas of a model's replies. Private to this room; `decisions` converts them to domain values.

Each call sends its schema, so names are short and pairs are texts. Only what a model must not omit
is required. The order of the fields is the order to think in: words before actions.
"""

from typing import Annotated, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, WithJsonSchema, model_validator

from app.domain.access import EFFECTS, Effect
from app.domain.verdict import AnswerMeaning

# The instructions list the words, so the schema does not. An unknown word is replaced by the default
# instead of asking again.
_WORD = WithJsonSchema({"type": "string"})


def _default_to(otherwise: str | None, *known: str) -> BeforeValidator:
    def read(reply: object) -> str | None:
        word = reply.strip().lower() if isinstance(reply, str) else ""
        return word if word in known else otherwise

    return BeforeValidator(read)


ModeWord = Literal["semantic", "skeleton", "hybrid", "full"]
Mode = Annotated[ModeWord | None, _default_to(None, *get_args(ModeWord)), _WORD]
IntentWord = Literal["operation", "conversation", "meta"]
Intent = Annotated[IntentWord, _default_to("operation", *get_args(IntentWord)), _WORD]
EffectWord = Annotated[Effect | None, _default_to(None, *EFFECTS), _WORD]
Judged = Literal["yes", "no", "unsure"]
Verdict = Annotated[Judged, _default_to("unsure", *get_args(Judged)), _WORD]


class Shape(BaseModel):
    """Ignores additional keys, which are not worth a second call."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nothing(cls, given: object) -> object:
        """Treat a null as an omitted key."""
        if not isinstance(given, dict):
            return given
        return {key: value for key, value in given.items() if value is not None}


class Step(Shape):
    """A step of a plan, and how the page shows that it is done."""

    text: str
    shows: str = ""


class Part(Shape):
    """A sub-task; `needs` and `gives` are comma-separated names."""

    goal: str
    needs: str = ""
    gives: str = ""


class Moves(Shape):
    """What to do now, and what the page will show then. `outputs` are "name=value"."""

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
    effect: EffectWord = None
    sure: float


class _Now(Shape):
    thought: str
    steps: list[Step] = []
    ask: list[str] = []


class Acting(Moves, _Now):
    """What to do now, with new steps or questions before it. The fields of the last base come first."""


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
    """What the goal needs, the plan, and its first actions. `ifs` are "trigger: what to do"."""


class Criticising(Shape):
    """Whether it makes sense."""

    ok: bool
    why: str = ""


class Hearing(Shape):
    """What an answer means."""

    means: Annotated[AnswerMeaning, _default_to("unclear", *get_args(AnswerMeaning)), _WORD]


class Examining(Shape):
    """What acts do now, and whether they are wanted."""

    effect: EffectWord
    wanted: bool


class Judging(Shape):
    """What came of the last action, and whether the goal is reached."""

    why: str = ""
    worked: Verdict
    reached: Verdict = "unsure"
    quote: str = ""
    sure: float


class Answering(Shape):
    """The answer, if it was found."""

    found: bool
    answer: str = ""


class Weighing(Shape):
    """The answer in the results, or what to search for instead."""

    solved: bool
    answer: str = ""
    query: str = ""
