"""Keeping what a person typed as a secret out of everything that is stored."""

from collections.abc import Iterable

from app.domain.background import Background
from app.domain.directive import Instruction
from app.domain.page import MASK
from app.domain.plan import Deed, Outcome, Plan
from app.engines.reasoner import Situation
from app.text import patterns

SECRET_FIELD = patterns.compile(
    r"\b(pass(word|code|phrase)?|pwd|pin|secret|token|api[ -]?key|security code|cvv|cvc|otp"
    r"|passwort|kennwort|mot de passe|contrase[nñ]a|senha|סיסמ\w+)\b",
    patterns.IGNORECASE,
)
QUOTED = r"\"[^\"]*\"|'[^']*'|“[^”]*”|«[^»]*»"
_IS = r"\s*[:=]\s*|\s(?:is|was|ist|lautet|est|es|é)\s+"
_TOLD = patterns.compile(
    rf"{SECRET_FIELD.pattern}(?:(?:{_IS})(?P<told>{QUOTED}|\S+)|\s+(?P<quoted>{QUOTED})"
    r"|\s+(?P<odd>\S{3,}))",
    patterns.IGNORECASE,
)
_PARTS = patterns.compile(r"\s*(?:[\n,;|]|\s/\s|\band\b)\s*")
_REFUSAL_WORDS = "no not none don don't dont cannot can't forgot forget skip cancel unknown"
_REFUSES = frozenset(_REFUSAL_WORDS.split())
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


def secrets_in(text: str) -> frozenset[str]:
    """What a text gives as a secret: "the password is hunter2", "PIN: 4711"."""
    found = (
        match["told"] or match["quoted"] or secret_in_word(match["odd"])
        for match in _TOLD.finditer(text)
    )
    return frozenset(filter(None, (_bare(value) for value in found)))


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


def forget_deeds(deeds: Iterable[Deed], hidden: frozenset[str]) -> list[Deed]:
    """The deeds without the secrets that were typed."""
    return [
        deed.model_copy(
            update={
                "action": deed.action.masked
                if deed.action.args.get("text") in hidden
                else deed.action,
                "description": masked(deed.description, hidden),
                "note": masked(deed.note, hidden),
                "replaced": masked(deed.replaced, hidden),
            }
        )
        for deed in deeds
    ]


def forget_plan(plan: Plan, hidden: frozenset[str]) -> Plan:
    """The plan's lines alone, without what they were read from, where that holds a secret."""
    if not hidden:
        return plan
    steps = tuple(
        step.model_copy(
            update={
                "directive": None,
                "description": masked(step.description, hidden),
                "expected": masked(step.expected, hidden),
            }
        )
        for step in plan.steps
    )
    parts = tuple(
        part.model_copy(
            update={"goal": masked(part.goal, hidden), "reason": masked(part.reason, hidden)}
        )
        for part in plan.subtasks
    )
    # Contingencies are of no use to a plan that has ended, and may quote what they enter.
    forgotten = {"steps": steps, "subtasks": parts, "contingencies": (), "instruction": None}
    return plan.model_copy(update=forgotten)


def forget_outcome(outcome: Outcome, hidden: frozenset[str]) -> Outcome:
    """The outcome without the secrets that its words may quote."""
    step = masked(outcome.hand_over, hidden) if outcome.hand_over is not None else None
    return outcome.model_copy(
        update={"message": masked(outcome.message, hidden), "hand_over": step}
    )
