"""Writes the sections of one prompt. Secrets are shown to the model as names."""

from dataclasses import dataclass

from app.domain.action import Action
from app.domain.reasoner import Situation
from app.domain.redaction import secrets, secrets_in, secrets_told
from app.llm.prompt import PromptSections
from app.text import patterns

_MAY_BE_ID = patterns.compile(r"\d+(:\d+)?")


@dataclass(frozen=True, slots=True)
class Veil:
    """The secrets of a run and their names, longest secret first."""

    names: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def of_situation(situation: Situation) -> "Veil":
        """Collect the secrets that the person gave, in the goal or as answers for secret fields."""
        secret_values = set(secrets_told(situation.instruction, situation.background))
        secret_values |= secrets(situation.plan.instruction) | secrets_in(situation.stated_goal)
        ordered = sorted(filter(None, secret_values), key=lambda value: (-len(value), value))
        return Veil(tuple((value, f"SECRET_{at}") for at, value in enumerate(ordered, start=1)))

    def hide(self, text: str, *, keep_ids: bool = False) -> str:
        """Replace secrets by their names. `keep_ids`: leave numbers in page text that may be ids."""
        for value, name in self.names:
            if not (keep_ids and _MAY_BE_ID.fullmatch(value)):
                text = patterns.sub(rf"(?<!\w){patterns.escape(value)}(?!\w)", name, text)
        return text

    def reveal(self, action: Action) -> Action:
        """Replace names by the secrets, only in arguments that consist of names."""
        values_by_name = {name: value for value, name in self.names}
        args = dict(action.args)
        for key, value in action.args.items():
            names = value.split() if isinstance(value, str) else []
            if names and values_by_name.keys() >= set(names):
                args[key] = " ".join(values_by_name[name] for name in names)
        return action if args == action.args else action.model_copy(update={"args": args})


@dataclass(frozen=True)
class Writer(PromptSections):
    """Assembles one prompt: trusted sections as they are, everything else in the fence."""

    veil: Veil = Veil()

    def trusted_section(self, heading: str, text: str) -> str:
        return super().trusted_section(heading, self.veil.hide(text))

    def fenced_section(self, heading: str, *parts: str, keep_ids: bool = False) -> str:
        hidden = self.veil.hide("\n".join(filter(None, parts)), keep_ids=keep_ids)
        return super().fenced_section(heading, hidden)
