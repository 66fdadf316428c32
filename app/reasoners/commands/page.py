"""Commands about the page as a whole: saving, waiting, scrolling, reading."""

from lark import Token

from app.domain.directive import Directive, Target
from app.reasoners.commands.target import (
    refused,
    target_of,
)
from app.reasoners.commands.thing import Clause, Things, token, trees
from app.reasoners.commands.vocabulary import phrases, words


class Pages(Things):
    """The clauses that name nothing on the page, or the page itself."""

    def _save(self, clause: Clause) -> list[Directive]:
        value = " ".join(str(clause.children[0]).lower().split())
        return [Directive(verb="submit", value=value, target=self._saved(clause))]

    def _saved(self, clause: Clause) -> Target | None:
        """What is saved, in small letters: "the changes", "the patient"; "it" names nothing."""
        for said in map(self._words, trees(clause, "saved")):
            if said.low == ["it"]:
                return None
            rest = said.without_article()
            is_named = len(rest) < len(said) or rest.low == ["changes"]
            plain = all(token.isalpha() and token.islower() for token in rest.tokens)
            if not is_named or not plain or phrases("prepositions") & set(rest.low):
                raise refused(said.tokens)
            return Target(phrase=rest.closed().text)
        return None

    def _wait(self, clause: Clause) -> list[Directive]:
        duration = token(clause, "DURATION")
        if duration is None:
            thing = trees(clause, "thing")[0]
            if "to" in self._words(thing.children[0]).low:
                raise self._whole(thing)
            return [Directive(verb="wait", target=self._thing(thing))]
        return [Directive(verb="wait", value=str(_milliseconds(duration)))]

    def _scroll(self, clause: Clause) -> list[Directive]:
        said = " ".join(str(clause.children[1]).lower().split())
        direction = next(word for word in said.split() if word in words()["directions"])
        return [
            Directive(
                verb="scroll", value=words()["directions"][direction], times=self._times(clause)
            )
        ]

    def _read(self, clause: Clause) -> list[Directive]:
        asked = self._inner(clause)
        if asked.low[0] in phrases("indefinite"):
            raise refused(asked.tokens)
        at = next((i for i in range(len(asked) - 1, 0, -1) if asked.low[i] in {"of", "for"}), None)
        if at is not None and at < len(asked) - 1:
            target = target_of(asked[:at]).model_copy(
                update={"within": self._container(asked[at + 1 :])}
            )
        else:
            target = target_of(asked)
        source = self._goal[clause.meta.start_pos : clause.meta.end_pos]
        return [Directive(verb="read", value=source, target=target)]

    def _logout(self, clause: Clause) -> list[Directive]:
        return [Directive(verb="logout")]

    def _back(self, clause: Clause) -> list[Directive]:
        return [Directive(verb="back")]

    def _reload(self, clause: Clause) -> list[Directive]:
        return [Directive(verb="reload")]


def _milliseconds(duration: Token) -> int:
    text = duration.lower()
    amount = float("".join(char for char in text if char.isdigit() or char == "."))
    unit = text.lstrip("0123456789. ")
    factor = 1 if unit.startswith(("ms", "milli")) else 60_000 if unit.startswith("m") else 1_000
    return round(amount * factor)
