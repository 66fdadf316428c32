"""A page that says itself that the session was over when something was handed in: it was not taken.

Many such pages sign the person in again by themselves and come back, to an empty form or to the list.
What was entered is then entered anew and handed in. Nothing may be there twice, so the page's word is
not enough: it must also show that nothing was kept. Some hand in by themselves what they refused.
"""

from collections.abc import Iterable, Sequence

from app.domain.page import MASK, Observation
from app.domain.plan import Chain, Deed
from app.domain.verdict import Verdict
from app.engines.chain import hands_in
from app.engines.risk.controls import ENTRIES
from app.engines.risk.lexicon import pattern, words
from app.engines.verification.messages import GOING_ON, is_busy, messages_on, new_messages
from app.engines.verification.snapshot import split_url
from app.text.languages import stems

TURNED_AWAY = "TURNED_AWAY"  # of a submit that the page answered with the end of its session
UNPROVEN = 0.5  # confidence where the page does not show whether it was taken after all
SURE = 0.8  # confidence where it shows that it was not
_LONGEST = 200  # characters; a longer text is content and says nothing of what was just done
_SHORT = 3  # characters; a shorter value stands on any page

_OVER = pattern(stems("messages.session_over"))


def says_so(page: Observation, before: Observation) -> bool:
    """Whether the page tells, as something new, that the session is over."""
    old = frozenset(before.summary.splitlines()) | {n.name for n in messages_on(before)}
    new = (text for text in _told(page) if text not in old and len(text) < _LONGEST)
    return any(_OVER.search(words(text)) for text in new)


def _told(page: Observation) -> Iterable[str]:
    yield from page.errors
    yield from (dialog.message for dialog in page.dialogs)
    yield from (node.name for node in messages_on(page))
    yield from page.summary.splitlines()


def was_turned_away(
    chain: Chain, deeds: Sequence[Deed], before: Observation, page: Observation
) -> bool:
    """Whether what the chain handed in was answered so, on this look or on an earlier one."""
    if not chain.actions or not hands_in(chain.actions[-1].action, before):
        return False
    last = _deed(chain, deeds)
    return says_so(page, before) or (last is not None and last.error == TURNED_AWAY)


def _deed(chain: Chain, deeds: Sequence[Deed]) -> Deed | None:
    return next((d for d in deeds if d.action_id == chain.actions[-1].action_id), None)


def held_against(
    found: Verdict, chain: Chain, deeds: Sequence[Deed], before: Observation, page: Observation
) -> Verdict:
    """The verdict on a later look at what was turned away: the page alone has to show what was kept.

    Taken after all where it says so, or shows all that was entered; not taken where it shows none of
    it and is back at what it was; else nobody knows. While it is at work, nothing is decided.
    """
    last = _deed(chain, deeds) if chain.actions else None
    if last is None or last.error != TURNED_AWAY or found.reason.startswith(GOING_ON):
        return found
    if any(m.kind == "success" and not m.again for m in new_messages(before, page)):
        return found
    if says_so(page, before) and any(is_busy(text) for text in _told(page)):
        return _open(found, f"{GOING_ON}: the page signs in again")
    entered = entered_texts(deeds)
    if entered and all(text in _shown(page) for text in entered):
        return found
    if found.succeeded is not False and nothing_kept(deeds, page):
        why = "The session was over: nothing was taken, and the page is back where it was"
        told = {"succeeded": False, "task_completed": False, "confidence": SURE, "reason": why}
        return found.model_copy(update=told)
    if found.succeeded:
        return _open(found, "The session was over, and the page does not show what was kept")
    return found


def _open(found: Verdict, why: str) -> Verdict:
    told = {"succeeded": None, "task_completed": False, "confidence": UNPROVEN, "reason": why}
    return found.model_copy(update=told | {"tokens_saved": 0})


def nothing_kept(deeds: Sequence[Deed], page: Observation) -> bool:
    """Whether the page is one that the run has worked on, and holds nothing that was entered.

    Neither in a list nor in a field. Without a text that was entered there is nothing to tell by.
    """
    entered = entered_texts(deeds)
    if not entered or not any(_place(deed.url) == _place(page.url) for deed in deeds):
        return False
    held = " ".join(words(node.value or "") for node in page.tree if node.role in ENTRIES)
    seen = f" {_shown(page)} {held} "
    return not any(text in seen for text in entered)


def entered_texts(deeds: Sequence[Deed]) -> frozenset[str]:
    """The texts that were entered and are no secrets, as `words`."""
    texts = (str(d.action.args["text"]) for d in deeds if d.action.name == "setValue")
    plain = (words(text) for text in texts if text != MASK)
    return frozenset(text for text in plain if len(text) >= _SHORT)


def _shown(page: Observation) -> str:
    """What stands on the page outside of its fields, as `words`."""
    named = (f"{n.name} {n.group}" for n in page.tree if n.role not in ENTRIES)
    return words(" ".join((page.title, page.summary, *page.successes, *page.errors, *named)))


def _place(url: str) -> tuple[str, ...]:
    return tuple(split_url(url)[:2])
