"""What a model is asked to reply with; private to this room."""

from pydantic import BaseModel, ConfigDict


class _Shape(BaseModel):
    """A model adds keys of its own; they are not worth a second call."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class Cite(_Shape):
    """A passage and its words."""

    ref: str
    quote: str = ""


class Said(_Shape):
    """One sentence and what holds it."""

    text: str
    cites: list[Cite]


class Summarized(_Shape):
    """The claims about some passages."""

    claims: list[Said]


class Joined(_Shape):
    """One sentence made of claims, which `of` names."""

    text: str
    of: list[str]


class Merged(_Shape):
    """The claims about everything."""

    claims: list[Joined]
