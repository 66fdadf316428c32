"""All things that are asked, put together to one intent."""

from collections.abc import Sequence

from app.chat.intent.request import TEXT
from app.chat.intent.signs import LIKELY, MAYBE, SURE, Around, Sign
from app.chat.intent.things import REFERRED
from app.domain.chat import ACTIONS, ChatAction, Intent
from app.domain.knowledge import Confidence
from app.text import patterns

_BOTH_WANTED = patterns.compile(
    r"\b(?:and|then|also|plus)\s+(?:then\s+|also\s+)?"
    r"(?:compare|contrast|audit|a\s+comparison|an\s+audit)\b",
    patterns.IGNORECASE,
)
_CONFIDENCE: dict[int, Confidence] = {SURE: "high", LIKELY: "medium", MAYBE: "low"}


def together(signs: Sequence[Sign], around: Around) -> Intent:
    """One intent of what all clauses say. A question that goes with a comparison or an audit is answered by
    it; two things to do are several.
    """
    if not signs:
        return _unsaid(around)
    best: dict[ChatAction, int] = {}
    for sign in signs:
        best[sign.action] = max(best.get(sign.action, 0), sign.weight)
    done = [action for action in best if action != "inquire" and best[action] >= LIKELY]
    if len(done) > 1:
        return _several(signs, done, around)
    if done and done[0] == "summarize" and best.get("inquire") == SURE:
        return Intent(
            action=signs[0].action, confidence="medium", several=True, candidates=_ordered(signs)
        )
    strongest = max(best.values())
    action = done[0] if done else max(best, key=lambda one: (best[one], one != "inquire"))
    weight = best[action] if done else strongest
    return Intent(action=action, confidence=_CONFIDENCE[weight], candidates=_first(action, signs))


def _several(signs: Sequence[Sign], done: Sequence[ChatAction], around: Around) -> Intent:
    """Two things to do; a comparison that is named with an audit is how it is to be done."""
    if set(done) == {"audit", "compare"} and around.source and not _BOTH_WANTED.search(around.text):
        return Intent(action="audit", confidence="medium", candidates=_first("audit", signs))
    return Intent(action=done[0], confidence="high", several=True, candidates=tuple(done))


def _ordered(signs: Sequence[Sign]) -> tuple[ChatAction, ...]:
    return tuple(dict.fromkeys(sign.action for sign in signs))


def _first(action: ChatAction, signs: Sequence[Sign]) -> tuple[ChatAction, ...]:
    """The action, and what else the clauses may have meant."""
    others = [one for sign in signs for one in (sign.action, *sign.others)]
    return tuple(dict.fromkeys([action, *others]))


def _unsaid(around: Around) -> Intent:
    """Nothing says what is to be done: what is likeliest with as many documents."""
    likely: list[ChatAction] = ["inquire", "summarize"]
    if TEXT in around.text:
        likely = ["audit", "summarize"]
    elif around.documents > 1:
        likely = ["compare", "summarize"]
    elif around.documents == 1 or patterns.search(REFERRED, around.text, patterns.IGNORECASE):
        likely = ["summarize", "inquire"]
    ranked = dict.fromkeys([*likely, *(one for one in ACTIONS if one not in likely)])
    return Intent(action=likely[0], confidence="low", candidates=tuple(ranked))
