"""Secrets stay out of prompts: the model is shown a name for each and writes that name."""

from dataclasses import dataclass

from app.domain.action import Action
from app.engines.reasoner import Situation
from app.engines.redaction import secrets, secrets_in, secrets_told
from app.text import patterns

_MAY_BE_ID = patterns.compile(r"\d+(:\d+)?")


@dataclass(frozen=True, slots=True)
class Veil:
    """The secrets of a run and the names that stand for them, longest secret first."""

    names: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def over(situation: Situation) -> "Veil":
        """What the person gave for a field with a secret's name, in the goal or as an answer."""
        known = set(secrets_told(situation.instruction, situation.background))
        known |= secrets(situation.plan.instruction) | secrets_in(situation.said)
        ordered = sorted(filter(None, known), key=lambda value: (-len(value), value))
        return Veil(tuple((value, f"SECRET_{at}") for at, value in enumerate(ordered, start=1)))

    def hide(self, text: str, *, keep_ids: bool = False) -> str:
        """The text with each secret's name in its place.

        `keep_ids`: on a page a secret of digits may be the id of a control, and stays.
        """
        for value, name in self.names:
            if not (keep_ids and _MAY_BE_ID.fullmatch(value)):
                text = patterns.sub(rf"(?<!\w){patterns.escape(value)}(?!\w)", name, text)
        return text

    def reveal(self, action: Action) -> Action:
        """The action with the secrets themselves, where an argument is the name of one, or of several."""
        known = {name: value for value, name in self.names}
        args = {
            key: _revealed(value, known) if isinstance(value, str) else value
            for key, value in action.args.items()
        }
        return action if args == action.args else action.model_copy(update={"args": args})


def _revealed(text: str, known: dict[str, str]) -> str:
    if not text.split() or not known.keys() >= set(text.split()):
        return text  # a sentence that speaks of a secret does not hold it
    return " ".join(known[name] for name in text.split())
