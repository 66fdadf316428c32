"""Page after page of a list that goes on, and nothing done on any of them."""

from itertools import pairwise

from app.domain.plan import Deed
from app.engines.loops.asked import Asked
from app.engines.loops.deeds import MOVING, chains, fills, without_numbers, words
from app.text import patterns

MOST_PAGES = 10  # turned over without anything done; `engines.refinement.exploring.PAGES` alike
_TURNS = patterns.compile(
    r"^\W*((go to )?(the )?(next|older|more)\b.*|page \d+|\d+|(show|load|view|see) more\b.*"
    r"|>+|[\u00bb\u203a\u2192])\W*$",
    patterns.IGNORECASE,
)
_NUMBERS = patterns.compile(r"\d+")


def turning(deeds: tuple[Deed, ...], asked: Asked) -> str | None:
    """The same control again and again, or one whose number grows, each time on a further page."""
    run = _run(deeds, asked)
    most = asked.pages if asked.pages is not None else MOST_PAGES
    if len(run) <= max(most, MOST_PAGES, asked.times) or any(deed.passed for deed in run):
        return None
    if not _turns(run):
        return None
    what = " and ".join(dict.fromkeys((words(run[0]), words(run[-1]))))
    return f"{len(run)} pages were turned ({what}) and nothing was found to do on them"


def _run(deeds: tuple[Deed, ...], asked: Asked) -> list[Deed]:
    """The last deeds that did the same but for a number, one for each chain, newest last."""
    run: list[Deed] = []
    for chain in reversed(chains(deeds)):
        last = chain[-1]
        moves = all(deed.action.name in MOVING for deed in chain)
        if moves and run and run[0].action.name not in MOVING:
            continue
        if last.status != "success" or any(fills(deed) for deed in chain):
            break
        if run and without_numbers(last) != without_numbers(run[0]):
            break
        if run and asked.own and last.step != run[0].step:
            break
        run.insert(0, last)
    return run


def _turns(run: list[Deed]) -> bool:
    """Whether it is pages that are turned: by the name of the control, or by numbers that grow."""
    if all(deed.action.name == "scroll" for deed in run):
        return True
    named = [deed.signature[1] if deed.signature else "" for deed in run]
    if all(_TURNS.match(name.strip()) for name in named):
        return True
    return _grow([deed.url for deed in run]) or _grow([deed.action.text for deed in run])


def _grow(texts: list[str]) -> bool:
    """Whether one number in otherwise equal texts grows from each to the next."""
    if len({_NUMBERS.sub("#", text) for text in texts[1:]}) != 1:
        return False
    rows = [[int(number[-15:]) for number in _NUMBERS.findall(text)] for text in texts[1:]]
    return bool(rows[0]) and all(
        one != other and all(a <= b for a, b in zip(one, other, strict=True))
        for one, other in pairwise(rows)
    )
