"""Which words of the passages are shown: of each of the best passages the sentence that answers, with the one
beside it that completes it, a list after what leads to it, code after its sentence.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.chat.evidence import Sentence, sentences_of
from app.chat.evidence.standing import tokens_of
from app.chat.evidence.wording import tells, words_of
from app.chat.inquiring.question import Question
from app.chat.inquiring.ranking import Ranked, Weighing, odds
from app.chat.inquiring.wanting import how_to
from app.text import patterns

MOST_PASSAGES = 4  # that one answer is taken from
MOST_ITEMS = 12  # of a list that is kept together
MOST_AFTER = 3  # items or lines of code that are shown after a sentence of a further passage
# Of worth: what is further below the best is not shown beside it. Set, as the next ones, on the tuning
# questions of bench/knowledge_retrieval.py.
CLOSE = 3.5
LEAST = (
    0.25  # of what the best says of the question: a passage that says less is about something else
)
BY_SEARCH = 0.5  # of the odds of the search: what they count more for which is first than for which are shown
ADDS = 0.2  # of the question's words, by rarity, that the sentence before has to add
LONGEST = 420  # characters of two sentences together
# A sentence that begins so says something of what the one before it names.
_POINTS_BACK = patterns.compile(
    r"^\W*(?:this|that|these|those|it|its|they|their|he|she|such|otherwise|however|but|then|therefore|thus|so"
    r"|instead|also|dies\w*|sie|er|es|aber|sonst|dann|il|elle|ils|cela|mais|sinon|esto|pero|eso)\b",
    patterns.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Block:
    """Sentences of one passage that are shown together, in its order. `listed`: the items of a list."""

    sentences: tuple[Sentence, ...]
    listed: bool = False


def blocks(found: Sequence[Ranked], question: Question, weighing: Weighing) -> list[Block]:
    """What is shown, the best passage first: where its best sentence is of a list that answers, that list."""
    shown: list[Block] = []
    said: set[tuple[str, ...]] = set()
    for at, best in enumerate(nearest(found)):
        some = _list_of(best.sentence, question) if at == 0 else None
        for block in some or [Block(_completed(best.sentence, weighing))]:
            fresh = tuple(one for one in block.sentences if tokens_of(one.text) not in said)
            said.update(tokens_of(one.text) for one in fresh)
            shown += [Block(fresh, block.listed)] if fresh else []
    return shown


def nearest(found: Sequence[Ranked]) -> list[Ranked]:
    """The best sentence of each of the best passages."""
    best = found[0]
    kept: list[Ranked] = []
    taken: set[str] = set()
    said: set[tuple[str, ...]] = set()
    for one in found:
        tokens = tokens_of(one.sentence.text)
        if len(kept) == MOST_PASSAGES or one.worth < best.worth - CLOSE:
            break
        if one.sentence.evidence.ref in taken or tokens in said:
            continue
        if kept and one.covers <= LEAST * best.covers:
            continue
        taken.add(one.sentence.evidence.ref)
        said.add(tokens)
        kept.append(one)
    return sorted(
        kept, key=lambda one: -(one.worth + BY_SEARCH * odds(one.sentence.evidence.score))
    )


def _completed(best: Sentence, weighing: Weighing) -> tuple[Sentence, ...]:
    """The sentence with what completes it."""
    around = sentences_of(best.evidence)
    at = best.number
    before = around[at - 1] if at else None
    if best.kind == "row":
        return (best,)
    if best.kind == "code":
        lines = [one for one in around[at : at + 2] if one.block == best.block]
        leads = before is not None and before.kind in ("prose", "item", "code")
        return (*([before] if leads and before else []), *lines)
    if before is not None and _needs(best, before, weighing):
        return (before, best)
    following = around[at + 1 :]
    if leads_on(best) or (following and following[0].kind == "code"):
        return (best, *_led_to(following))
    if best.kind == "item" and before is not None and leads_on(before):
        return (before, best)
    if following and _together(best, following[0]) and _tells(following[0]):
        return (best, following[0])
    return (best,)


def leads_on(one: Sentence) -> bool:
    """Whether what it says comes after it."""
    return one.text.rstrip().endswith(":")


def _needs(best: Sentence, before: Sentence, weighing: Weighing) -> bool:
    """Whether it is not understood, or does not answer, without the one before it."""
    if not _together(before, best) or not _tells(before):
        return False
    together = weighing.share(f"{before.text} {best.text}")
    adds = together - weighing.share(best.text)
    return adds > ADDS or (bool(_POINTS_BACK.search(best.text)) and adds > 0)


def _together(one: Sentence, other: Sentence) -> bool:
    if one.block != other.block or "row" in (one.kind, other.kind):
        return False
    return len(one.text) + len(other.text) <= LONGEST


def _tells(one: Sentence) -> bool:
    """Whether it says something: "Why?" after a sentence completes nothing."""
    return not one.text.rstrip().endswith("?") and sum(map(tells, words_of(one.text))) > 1


def _led_to(following: Sequence[Sentence]) -> list[Sentence]:
    """The first items, lines or sentences of what comes next."""
    if not following:
        return []
    first = following[0]
    most = MOST_AFTER if first.kind in ("item", "code", "row") else 1
    return [one for one in following[:most] if one.block == first.block]


def _list_of(best: Sentence, question: Question) -> list[Block] | None:
    """The list that the sentence leads to, or, where steps are asked for, that it is one of."""
    around = sentences_of(best.evidence)
    at = best.number
    if best.kind == "prose" and leads_on(best):
        items = _same_list(around, at + 1)
        return [Block((best,)), Block(tuple(items), True)] if len(items) > 1 else None
    if best.kind != "item" or not (how_to(question.own) and best.ordered):
        return None
    items = [one for one in around if one.block == best.block and one.kind == "item"]
    if not 1 < max(one.item for one in items) <= MOST_ITEMS:
        return None
    leading = around[items[0].number - 1] if items[0].number else None
    opens = leading is not None and leading.kind == "prose" and leads_on(leading)
    return [*([Block((leading,))] if leading and opens else []), Block(tuple(items), True)]


def _same_list(around: Sequence[Sentence], first: int) -> list[Sentence]:
    if first >= len(around) or around[first].kind != "item":
        return []
    block = around[first].block
    return [one for one in around[first:] if one.block == block and one.item <= MOST_ITEMS]
