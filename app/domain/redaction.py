"""Keeps secrets that a person typed out of everything that is stored."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from pydantic import BaseModel

from app.domain.action import ActionRecord
from app.domain.directive import SECRET_FIELD, Instruction
from app.domain.page import MASK
from app.domain.plan import Outcome, Plan
from app.domain.reasoner import Background, Situation
from app.text import patterns

QUOTED = r"\"[^\"]*\"|'[^']*'|“[^”]*”|«[^»]*»"
_IS = r"\s*[:=]\s*|\s(?:is|was|ist|lautet|est|es|é)\s+"

_VALUE = patterns.compile(
    rf"(?:{_IS})(?P<stated>{QUOTED}|\S+)|\s+(?P<quoted>{QUOTED})|\s+(?P<odd>\S{{3,}})",
    patterns.IGNORECASE,
)

_PARTS = patterns.compile(r"\s*(?:[\n,;|]|\s/\s|\band\b)\s*")
_REFUSAL_WORDS = frozenset({
    "no", "not", "none", "don", "don't", "dont", "cannot", "can't", "forgot", "forget", "skip", "cancel",
    "unknown",
})  # fmt: skip
Model = TypeVar("Model", bound=BaseModel)
_SHORT = 4  # characters; a shorter secret is only masked as a whole word


def secrets(instruction: Instruction | None) -> frozenset[str]:
    """The values of an instruction for fields with a secret's name."""
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
    """The part of a word after "password" that is not ordinary language; "" if none.

    A word with a digit and a letter counts as a whole, otherwise its three to eight leading digits.
    """
    letters = any(one.isalpha() or one == "_" for one in word)
    if len(word) >= _SHORT and letters and any(map(str.isdecimal, word)):
        return word
    rest = word.lstrip("0123456789")
    digits = word[: len(word) - len(rest)]
    return digits if 3 <= len(digits) <= 8 and not rest[:1].isalnum() else ""


def _stated_values(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, value) of each value that follows the name of a secret."""
    for name in SECRET_FIELD.finditer(text):
        found = _VALUE.match(text, name.end())
        if found is not None:
            stated = found["stated"] or found["quoted"]
            value = stated or secret_in_word(found["odd"])
            if value:
                rest = 0 if stated else len(found["odd"]) - len(value)
                yield name.end(), found.end() - rest, value


def secrets_in(text: str) -> frozenset[str]:
    """The secrets that a text states: "the password is hunter2", "PIN: 4711"."""
    return frozenset(filter(None, (_bare(value) for _, _, value in _stated_values(text))))


def without_secrets(text: str) -> str:
    """Remove stated secrets from the text; their names stay."""
    parts, at = [], 0
    for start, end, _ in _stated_values(text):
        parts.append(text[at:start])
        at = max(at, end)
    return "".join(parts) + text[at:]


def secrets_answered(question: str, text: str) -> frozenset[str]:
    """The secrets in an answer to a question for a secret.

    If nothing else was asked for, the whole answer, however many words. Otherwise what is stated as a
    secret, or the value in its position; if neither is clear, every word.
    """
    if not SECRET_FIELD.search(question):
        return secrets_in(text)
    stated = secrets_in(text)
    answer = text.strip()
    words = answer.split()
    if stated or not answer or _REFUSAL_WORDS & set(answer.casefold().split()):
        return stated
    fields = [line[2:] for line in question.splitlines() if line.startswith("- ")]
    if len(fields) < 2:
        return frozenset({answer})
    parts = [part for part in _PARTS.split(answer) if part]
    if len(parts) != len(fields):
        parts = words if len(words) == len(fields) else []
    if parts:
        pairs = zip(fields, parts, strict=True)
        return frozenset(part for field, part in pairs if SECRET_FIELD.search(field))
    return frozenset(word for word in map(_bare, words) if len(word) > 1)


def secrets_told(instruction: Instruction | None, background: Background) -> frozenset[str]:
    """All secrets given for a task, in its goal and in answers."""
    answers = (secrets_answered(one.question, one.text) for one in background.answers)
    return secrets(instruction).union(*answers)


def secrets_known(situation: Situation) -> frozenset[str]:
    """All secrets the person gave, in the words of the whole task and of the current part."""
    instruction = situation.plan.instruction or situation.instruction
    return secrets_told(instruction, situation.background) | secrets_in(situation.stated_goal)


def _bare(value: str) -> str:
    """The value without quotes and final punctuation."""
    bare = value.strip()
    if len(bare) > 1 and bare[0] in "\"'“«":
        return bare[1:-1].strip()
    return bare.rstrip(".,;:!?)")


def masked(text: str, hidden: Iterable[str]) -> str:
    for value in sorted(hidden, key=len, reverse=True):
        if len(value) >= _SHORT and not value.isdigit():  # digits occur in ids and dates by chance
            text = text.replace(value, MASK)
        elif value in text:
            text = patterns.sub(rf"(?<!\w){patterns.escape(value)}(?!\w)", MASK, text)
    return text


def forget_records(records: Iterable[ActionRecord], hidden: frozenset[str]) -> list[ActionRecord]:
    names = ("description", "note", "previous_value")
    masked_records = (_masked(record, hidden, *names) for record in records)
    return [
        record.model_copy(update={"action": record.action.masked})
        if record.action.args.get("text") in hidden
        else record
        for record in masked_records
    ]


def forget_plan(plan: Plan, hidden: frozenset[str]) -> Plan:
    """Reduce the plan to its lines, without their sources if those contain a secret.

    Contingencies are dropped: a finished plan does not need them, and they may quote typed values.
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


def _masked(value: Model, hidden: frozenset[str], *names: str) -> Model:
    return value.model_copy(update={name: masked(getattr(value, name), hidden) for name in names})


def forget_outcome(outcome: Outcome, hidden: frozenset[str]) -> Outcome:
    """Mask secrets that the outcome's texts may quote."""
    named = ("message",) if outcome.hand_over is None else ("message", "hand_over")
    return _masked(outcome, hidden, *named)
