"""The values of a task as parameters: each with the text it had, and texts without them."""

from collections.abc import Iterable

from app.domain.base import Value
from app.domain.page import MASK
from app.domain.recipe import Parameter
from app.engines.redaction import SECRET_FIELD
from app.engines.risk.lexicon import words
from app.text import patterns

LONGEST_NAME = 40  # characters of a parameter's name; a label may be a sentence
TELLING = 3  # characters; a shorter value is a number or a letter that stands anywhere by chance


class Bound(Value):
    """A parameter with the value it had; "" for a secret, whose value is known to nobody."""

    parameter: Parameter
    value: str = ""

    @property
    def hole(self) -> str:
        """How it is written where its value stood."""
        return f"{{{self.parameter.name}}}"


class Values:
    """The parameters found so far, in the order they were found."""

    def __init__(self) -> None:
        self._bound: list[Bound] = []

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """All of them."""
        return tuple(bound.parameter for bound in self._bound)

    def hole(self, value: str, label: str, *, secret: bool = False) -> str:
        """What is written instead of the value; one that is known already keeps its name.

        A secret typed into two fields cannot be told from another one: fields of one kind of name
        ("Password", "Repeat password") share it.
        """
        for bound in self._bound:
            same = bound.value.casefold() == value.casefold() if not secret else False
            if same or (secret and bound.parameter.secret and _alike(bound.parameter.label, label)):
                return bound.hole
        # A secret is known by its parameter's name, wherever only that is at hand.
        called = label if not secret or is_secret(words(label)) else f"password {label}"
        parameter = Parameter(name=self._named(called), label=label, secret=secret)
        made = Bound(parameter=parameter, value="" if secret else value)
        self._bound.append(made)
        return made.hole

    def _named(self, label: str) -> str:
        base = patterns.sub(r"\W+", "_", words(label))[:LONGEST_NAME].strip("_") or "value"
        taken = {bound.parameter.name for bound in self._bound}
        return next(
            name
            for name in (base, *(f"{base}_{number}" for number in range(2, len(taken) + 3)))
            if name not in taken
        )

    def without(self, text: str, *, short: bool = False) -> str:
        """The text with each value replaced by its parameter; `short` ones too."""
        holes: list[str] = []
        for bound in sorted(self._bound, key=lambda one: len(one.value), reverse=True):
            if not bound.value or (len(bound.value) < TELLING and not short):
                continue
            pattern = patterns.compile(
                rf"(?<!\w){patterns.escape(bound.value)}(?!\w)", patterns.IGNORECASE
            )
            if pattern.search(text):
                text = pattern.sub(f"\0{len(holes)}\0", text)  # what is put in is not looked into
                holes.append(bound.hole)
        for at, hole in enumerate(holes):
            text = text.replace(f"\0{at}\0", hole)
        return self._unmasked(text)

    def _unmasked(self, text: str) -> str:
        secret = [bound.hole for bound in self._bound if bound.parameter.secret]
        return text.replace(MASK, secret[0]) if len(secret) == 1 else text


def is_secret(name: str) -> bool:
    """Whether a parameter of that name holds a secret."""
    return SECRET_FIELD.search(name.replace("_", " ")) is not None


def _alike(one: str, other: str) -> bool:
    """Whether two labels of secrets have a word in common."""
    return not set(words(one).split()).isdisjoint(words(other).split())


def shared(text: str, told: Iterable[str]) -> str | None:
    """The longest run of words of the text that one of the sayings holds too."""
    tokens = [(m.group(), m.start(), m.end()) for m in patterns.finditer(r"[\w@.'-]*\w", text)]
    for length in range(len(tokens), 0, -1):
        for at in range(len(tokens) - length + 1):
            run = text[tokens[at][1] : tokens[at + length - 1][2]]
            if len(run) < TELLING:
                continue
            pattern = patterns.compile(rf"(?<!\w){patterns.escape(run)}(?!\w)", patterns.IGNORECASE)
            if any(pattern.search(saying) for saying in told):
                return run
    return None
