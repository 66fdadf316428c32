"""Whether a sentence of a text breaks a rule: by its numbers, by what it denies, or by how it binds."""

from dataclasses import dataclass

from app.chat.auditing.rules import Rule
from app.chat.statements import Amount, Statement, differing
from app.chat.statements.relating import paired
from app.chat.statements.words import terms_of
from app.text import patterns

_IF = patterns.compile(
    r"\b(?:more than|over|above|exceeding|in excess of|longer than|older than|larger than|greater than"
    r"|less than"
    r"|fewer than|under|below|if|when|where|after)\b[^,;]{0,40}$",
    patterns.IGNORECASE,
)
_THEN = patterns.compile(
    r"\b(?:must|shall|should|requires?|needs?|may|can|cannot|has to|have to|are|is|will|gets?|receives?)\b",
    patterns.IGNORECASE,
)

GOVERNED = 0.42  # likeness from which on a rule is about a sentence that has another amount
CONDITIONED = 0.25  # for a rule whose condition a sentence meets
FEWEST = 2  # words of a sentence that are all the rule's
GOVERNED_WHOLLY = (
    0.6  # part of the rule's words that a sentence has which is held to do what it forbids
)


_BINDING = patterns.compile(
    r"\b(?:must|shall|should|may|can|is|are|has to|have to|do|will|ought to)(?:\s?n[o'\u2019]t|\snever"
    r"|not)?\b",
    patterns.IGNORECASE,
)
_FORBIDS = patterns.compile(
    r"\b(?:must|shall|may|should) (?:not|never)\b|\bcannot\b|\bprohibited\b|\bforbidden\b|\bnever\b"
    r"|\bdo not\b",
    patterns.IGNORECASE,
)


_EXCEPTED = patterns.compile(
    r"\b(?:without|unless|except (?:for|with|when|if))\s(?P<what>[^,.;]{3,80})", patterns.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Break:
    """What is wrong in a sentence, and how to mend it. `sure`: numbers or a plain denial tell it."""

    wrong: str
    fix: str
    sure: bool = True


_FORBIDDEN = Break(
    "The text allows or asks for what the rule forbids.",
    "Take this out, or say that it is not allowed.",
)


def broken(said: Statement, rule: Rule, alike: float, cover: float) -> Break | None:
    """`alike` is their likeness, `cover` the part of the rule's words that the sentence has; both 0..1."""
    conditions = [one for one in rule.said.amounts if conditional(one, rule.said.text)]
    if conditions:
        return _demanded(said, rule, conditions, alike)
    pairs = paired(rule.said.amounts, said.amounts)
    if alike >= GOVERNED:
        unmet = [(asked, given) for asked, given in pairs if breaks(asked, given)]
        if unmet:
            return _by_amount(*unmet[0])
    if pairs and not rule.said.denies:
        return None  # it speaks of the same amount, and keeps to it
    if alike < GOVERNED or (cover < GOVERNED_WHOLLY and not _wholly(said, rule)):
        return None
    return _by_force(said, rule)


def _wholly(said: Statement, rule: Rule) -> bool:
    """Whether the sentence frees of what the rule asks for, in words that are all the rule's: "overtime
    needs no approval".
    """
    freeing = said.force == "may" or said.denies
    return freeing and len(said.terms) >= FEWEST and said.terms <= rule.said.terms


def conditional(amount: Amount, text: str) -> bool:
    """Whether the amount says when a rule holds, not what it asks for: "discounts over 20% need approval"."""
    return (
        bool(_IF.search(text[: amount.start]))
        and bool(_THEN.search(text[amount.end :]))
        and not (_THEN.search(text[: amount.start]))
    )


def _demanded(said: Statement, rule: Rule, conditions: list[Amount], alike: float) -> Break | None:
    """A sentence under the condition, that says nothing of what then holds."""
    met = [
        (asked, given)
        for asked, given in paired(conditions, said.amounts)
        if asked.bound != "exact" and asked.family == given.family and not breaks(asked, given)
    ]
    if met and rule.said.denies and not said.denies and alike >= CONDITIONED:
        return _FORBIDDEN
    what = rule.said.text[met[0][0].end :].strip(" ,.") if met else ""
    if not met or alike < CONDITIONED or rule.said.force != "must":
        return None
    if set(terms_of(what, said.tongue)) & said.terms:
        return None
    return Break(
        f"“{met[0][1].said}” falls under this rule, and the sentence does not say that it is kept.",
        f"Say how it is kept: {what}.",
        sure=False,
    )


def breaks(asked: Amount, given: Amount) -> bool:
    """Whether an amount of the text is outside what a rule asks for."""
    if asked.family != given.family:
        return differing(asked, given)
    over, under = given.value > asked.value, given.value < asked.value
    if not differing(asked, given):
        return False
    if asked.bound == "least":
        return under or (given.bound == "most" and not over)
    if asked.bound == "most":
        return over or (given.bound == "least" and not under)
    return True


def _by_amount(asked: Amount, given: Amount) -> Break:
    return Break(
        f"The text says “{given.said}”, the rule “{asked.said}”.",
        f"Say “{asked.said}”, as the rule asks.",
    )


def _by_force(said: Statement, rule: Rule) -> Break | None:
    """A prohibition that the text does, a demand that it denies or leaves open."""
    if rule.said.force == "" and rule.said.denies == said.denies:
        return None
    if rule.said.denies != said.denies and not _does(said, rule):
        return None
    excepted = _EXCEPTED.search(rule.said.text)
    if excepted and not said.denies and _meets(said, excepted["what"]):
        return None
    if rule.said.denies and not said.denies:
        if rule.said.force == "" and said.force == "":
            return Break("The text says what the rule denies.", "Say it as the rule does.")
        return _FORBIDDEN
    if said.denies and (_FORBIDS.search(rule.said.text) or not rule.said.denies):
        return _denied(rule)
    if rule.said.force == "must" and said.force == "may" and not rule.said.denies:
        return None if _only(rule) else _left_open(excepted)
    return None


def _denied(rule: Rule) -> Break:
    """For a sentence that denies what the rule asks for or allows."""
    if _FORBIDS.search(rule.said.text):
        return _FORBIDDEN
    if rule.said.force == "may":
        return Break(
            "The text rules out what the rule allows.", "Say that it is allowed, as the rule does."
        )
    return Break("The text denies what the rule asks for.", "Say that it is so, as the rule asks.")


def _left_open(excepted: patterns.Match | None) -> Break:
    """For a sentence that allows what a rule demands, or forbids but under a condition."""
    if excepted is None:
        return Break(
            "The text leaves open what the rule demands.",
            "Say that it is required, as the rule does.",
        )
    condition = excepted[0].strip(" ,.")
    return Break(
        f"The text allows this, and leaves out the rule's “{condition}”.",
        f"Say that it is not allowed {condition}.",
    )


def _meets(said: Statement, condition: str) -> bool:
    """Whether the sentence speaks of what a rule makes an exception for."""
    terms = set(terms_of(condition, said.tongue))
    return bool(terms) and 2 * len(said.terms & terms) >= len(terms)


def _does(said: Statement, rule: Rule) -> bool:
    """Whether the sentence speaks of what the rule says is to be done or not, beside the same thing."""
    found = list(_BINDING.finditer(rule.said.text))
    after = terms_of(rule.said.text[found[0].end() :], said.tongue) if found else ()
    if not after:
        return True
    return after[0] in said.terms or 2 * len(said.terms & set(after)) >= len(set(after))


def _only(rule: Rule) -> bool:
    # "Only managers may approve" permits; that is looked at by who is named.
    return " only " in f" {rule.said.text.casefold()} "
