"""Replaces the values of a task by parameters."""

from collections.abc import Iterable

from app.domain.directive import SECRET_FIELD
from app.domain.memory import RecipeParameter
from app.domain.page import MASK, Node
from app.text import patterns
from app.text.lexicon import words

LONGEST_NAME = 40  # characters of a parameter's name; a label may be a sentence
LEAST_CHARS = 3  # characters; a shorter value may occur anywhere by chance


class TaskValues:
    """The parameters in the order found, with their values; "" for secrets, which are unknown."""

    def __init__(self) -> None:
        self._bound: list[tuple[RecipeParameter, str]] = []

    @property
    def parameters(self) -> tuple[RecipeParameter, ...]:
        return tuple(parameter for parameter, _ in self._bound)

    def placeholder(self, value: str, label: str, *, secret: bool = False) -> str:
        """Return the placeholder for the value; secrets of fields of one kind share a parameter."""
        label_words = set(words(label).split())
        for parameter, known in self._bound:
            alike = parameter.secret and not label_words.isdisjoint(words(parameter.label).split())
            if alike if secret else known and known.casefold() == value.casefold():
                return f"{{{parameter.name}}}"
        # A secret is recognized by its parameter's name, where only that is available.
        called = label if not secret or is_secret_name(words(label)) else f"password {label}"
        parameter = RecipeParameter(name=self._named(called), label=label, secret=secret)
        self._bound.append((parameter, "" if secret else value))
        return f"{{{parameter.name}}}"

    def _named(self, label: str) -> str:
        base = words(label).replace(" ", "_")[:LONGEST_NAME].strip("_") or "value"
        taken = {parameter.name for parameter in self.parameters}
        names = (base, *(f"{base}_{number}" for number in range(2, len(taken) + 3)))
        return next(name for name in names if name not in taken)

    def replace_values(self, text: str, *, short: bool = False) -> str:
        """Replace each value by its parameter, `short` ones only on request."""
        known = {
            value: f"{{{parameter.name}}}"
            for parameter, value in self._bound
            if value and (short or len(value) >= LEAST_CHARS)
        }
        if known:
            either = "|".join(map(patterns.escape, sorted(known, key=len, reverse=True)))
            pattern = patterns.compile(rf"(?<!\w)(?:{either})(?!\w)", patterns.IGNORECASE)
            holes = {value.casefold(): hole for value, hole in known.items()}
            text = pattern.sub(lambda found: holes.get(found[0].casefold(), "…"), text)
        secret = [f"{{{one.name}}}" for one in self.parameters if one.secret]
        return text.replace(MASK, secret[0]) if len(secret) == 1 else text


def is_secret_name(name: str) -> bool:
    return SECRET_FIELD.search(name.replace("_", " ")) is not None


def split_group(group: str) -> tuple[tuple[str, str], ...]:
    return Node(id="", role="", name="", group=group).groups


def join_group(group: Iterable[tuple[str, str]]) -> str:
    return " > ".join(f"{kind}: {label}" if label else kind for kind, label in group)


def longest_shared(text: str, texts: Iterable[str]) -> str | None:
    """Return the longest run of words that the text shares with one of these texts."""
    tokens = [(m.start(), m.end()) for m in patterns.finditer(r"[\w@.'-]*\w", text)]
    for length in range(len(tokens), 0, -1):
        for at in range(len(tokens) - length + 1):
            run = text[tokens[at][0] : tokens[at + length - 1][1]]
            if len(run) < LEAST_CHARS:
                continue
            pattern = patterns.compile(rf"(?<!\w){patterns.escape(run)}(?!\w)", patterns.IGNORECASE)
            if any(pattern.search(saying) for saying in texts):
                return run
    return None
