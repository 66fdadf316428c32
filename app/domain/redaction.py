"""Keeping what a person typed as a secret out of everything that is stored."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from pydantic import BaseModel

from app.domain.action import ActionRecord
from app.domain.background import Background
from app.domain.directive import Instruction
from app.domain.page import MASK
from app.domain.plan import Outcome, Plan
from app.domain.reasoner import Situation
from app.text import patterns

SECRET_FIELD = patterns.compile(
    r"\b(pass(word|code|phrase)?|pwd|pin|secret|token|api[ -]?key|security code|cvv|cvc|otp"
    r"|passwort|kennwort|mot de passe|contrase[nñ]a|senha|סיסמ\w+)\b",
    patterns.IGNORECASE,
)
QUOTED = r"\"[^\"]*\"|'[^']*'|“[^”]*”|«[^»]*»"
_IS = r"\s*[:=]\s*|\s(?:is|was|ist|lautet|est|es|é)\s+"
_VALUE = patterns.compile(
    rf"(?:{_IS})(?P<told>{QUOTED}|\S+)|\s+(?P<quoted>{QUOTED})|\s+(?P<odd>\S{{3,}})",
    patterns.IGNORECASE,
)
_PARTS = patterns.compile(r"\s*(?:[\n,;|]|\s/\s|\band\b)\s*")
_REFUSAL_WORDS = "no not none don don't dont cannot can't forgot forget skip cancel unknown"
_REFUSES = frozenset(_REFUSAL_WORDS.split())
Told = TypeVar("Told", bound=BaseModel)
_SHORT = 4  # characters; a shorter secret is masked as a word and not within others


def secrets(instruction: Instruction | None) -> frozenset[str]:
    """The values of an instruction that are meant for a field with a secret's name."""
    if instruction is None:
        return frozenset()
    found = set(secrets_in(instruction.text))
    for directive in instruction.directives:
        found.update(f.value for f in directive.fields if SECRET_FIELD.search(f.field))
        target = directive.target
        if directive.value and target and SECRET_FIELD.search(target.phrase):
            found.add(directive.value)
    return frozenset(filter(None, found))


def secret_in_word(word: str) -> str:
    """What of a word after "password" is no word of a sentence: "" for none.

    All of one with a digit and a letter in it, else the three to eight digits that it begins with.
    """
    letters = any(one.isalpha() or one == "_" for one in word)
    if len(word) >= _SHORT and letters and any(map(str.isdecimal, word)):
        return word
    rest = word.lstrip("0123456789")
    digits = word[: len(word) - len(rest)]
    return digits if 3 <= len(digits) <= 8 and not rest[:1].isalnum() else ""


def _given(text: str) -> Iterator[tuple[int, int, str]]:
    """What follows the name of a secret and is its value: from where to where, and the value."""
    for name in SECRET_FIELD.finditer(text):
        found = _VALUE.match(text, name.end())
        if found is not None:
            said = found["told"] or found["quoted"]
            value = said or secret_in_word(found["odd"])
            if value:
                rest = 0 if said else len(found["odd"]) - len(value)
                yield name.end(), found.end() - rest, value


def secrets_in(text: str) -> frozenset[str]:
    """What a text gives as a secret: "the password is hunter2", "PIN: 4711"."""
    return frozenset(filter(None, (_bare(value) for _, _, value in _given(text))))


def without_secrets(text: str) -> str:
    """The text without what it gives as a secret; what that is called stays."""
    kept, at = [], 0
    for start, end, _ in _given(text):
        kept.append(text[at:start])
        at = max(at, end)
    return "".join(kept) + text[at:]


def secrets_answered(question: str, text: str) -> frozenset[str]:
    """What an answer to a question for a secret holds of it.

    Asked for alone, all of the answer, in however many words. Among other things, what it gives as a
    secret, or what stands in its place; where neither is plain, each word of it.
    """
    if not SECRET_FIELD.search(question):
        return secrets_in(text)
    told = secrets_in(text)
    said = text.strip()
    if told or not said or _REFUSES & set(said.casefold().split()):
        return told
    fields = [line[2:] for line in question.splitlines() if line.startswith("- ")]
    if len(fields) < 2:
        return frozenset({said})
    parts = [part for part in _PARTS.split(said) if part]
    if len(parts) != len(fields):
        parts = said.split() if len(said.split()) == len(fields) else []
    if parts:
        pairs = zip(fields, parts, strict=True)
        return frozenset(part for field, part in pairs if SECRET_FIELD.search(field))
    return frozenset(word for word in map(_bare, said.split()) if len(word) > 1)


def secrets_told(instruction: Instruction | None, background: Background) -> frozenset[str]:
    """All that was given as a secret for a task: in its goal and in answers."""
    answers = (secrets_answered(one.question, one.text) for one in background.answers)
    return secrets(instruction).union(*answers)


def secrets_known(situation: Situation) -> frozenset[str]:
    """All that the person gave as a secret, in the words of the whole task and of the part at hand."""
    instruction = situation.plan.instruction or situation.instruction
    return secrets_told(instruction, situation.background) | secrets_in(situation.said)


def _bare(value: str) -> str:
    kept = value.strip()
    if len(kept) > 1 and kept[0] in "\"'“«":
        return kept[1:-1].strip()
    return kept.rstrip(".,;:!?)")


def masked(text: str, hidden: Iterable[str]) -> str:
    """The text with each hidden value replaced by the mask."""
    for value in sorted(hidden, key=len, reverse=True):
        if len(value) >= _SHORT and not value.isdigit():  # digits are in ids and dates by chance
            text = text.replace(value, MASK)
        elif value in text:
            text = patterns.sub(rf"(?<!\w){patterns.escape(value)}(?!\w)", MASK, text)
    return text


def forget_deeds(deeds: Iterable[ActionRecord], hidden: frozenset[str]) -> list[ActionRecord]:
    """The deeds without the secrets that were typed."""
    kept = (_masked(deed, hidden, "description", "note", "previous_value") for deed in deeds)
    return [
        deed.model_copy(update={"action": deed.action.masked})
        if deed.action.args.get("text") in hidden
        else deed
        for deed in kept
    ]


def forget_plan(plan: Plan, hidden: frozenset[str]) -> Plan:
    """The plan's lines alone, without what they were read from, where that holds a secret.

    Contingencies are of no use to a plan that has ended, and may quote what they enter.
    """
    if not hidden:
        return plan
    steps = (_masked(one, hidden, "description", "expected") for one in plan.steps)
    forgotten = {
        "steps": tuple(step.model_copy(update={"directive": None}) for step in steps),
        "subtasks": tuple(_masked(part, hidden, "goal", "reason") for part in plan.subtasks),
        "contingencies": (),
        "instruction": None,
    }
    return plan.model_copy(update=forgotten)


def _masked(said: Told, hidden: frozenset[str], *names: str) -> Told:
    """The same with these texts of it masked."""
    return said.model_copy(update={name: masked(getattr(said, name), hidden) for name in names})


def forget_outcome(outcome: Outcome, hidden: frozenset[str]) -> Outcome:
    """The outcome without the secrets that its words may quote."""
    named = ("message",) if outcome.hand_over is None else ("message", "hand_over")
    return _masked(outcome, hidden, *named)
