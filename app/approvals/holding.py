"""How long a yes or a no holds: for the very control that was asked about, and once."""

from collections.abc import Iterable, Sequence

from app.approvals.sites import about_site, alike
from app.domain.access import site_of
from app.domain.action import MAY_PRESS, ActionRecord
from app.domain.hitl import Approval
from app.domain.page import ElementRef
from app.recovery.chains import NO_TRACE, NOTHING_ANSWERED
from app.verification.verdict import NEVER_BEGAN

_NOTHING_DONE = NEVER_BEGAN | {NO_TRACE, NOTHING_ANSWERED}


def same(asked: Approval, known: Approval) -> bool:
    """Whether one is asked the same thing: the same control of the same record, in the same manner,
    with no other effect. Ids are left out, since a page that is drawn anew gives others.
    """
    if asked.element is None or known.element is None:
        return asked.site == known.site and asked.action == known.action
    return (
        asked.site == known.site
        and asked.element == known.element
        and asked.whose == known.whose
        and _manner(asked.action) == _manner(known.action)
        and set(asked.effects) <= set(known.effects)
    )


def is_refused(asked: Approval, refused: Iterable[Approval]) -> bool:
    """Whether the person said no to it, or to the site that it is about."""
    return any(
        same(asked, known)
        or (about_site(asked) and about_site(known) and alike(asked.site, (known.site,)))
        for known in refused
    )


def is_covered(
    asked: Approval,
    approved: Iterable[Approval],
    deeds: Sequence[ActionRecord],
    *,
    dismissed: bool = False,
) -> bool:
    """Whether a yes is left for it: each pays for one time that it took effect, or may have.

    One that did nothing may be repeated, by whatever means. `dismissed`: the browser asked about the
    last one, and the answer was no.
    """
    given = sum(same(asked, known) for known in approved)
    done = deeds[:-1] if dismissed else deeds
    return given > 0 and given > _spent(asked, done)


def pays_for(deed: ActionRecord, approved: Iterable[Approval]) -> Approval | None:
    """The yes that a deed was done on."""
    return next((one for one in approved if _is_of(deed, one)), None)


def took_effect(deed: ActionRecord) -> bool:
    """Whether it did something, or may have: a failure alone does not say that it did not."""
    return deed.status == "success" or deed.error not in _NOTHING_DONE


def _spent(asked: Approval, deeds: Sequence[ActionRecord]) -> int:
    """How often it was done. A key or a point names no control: from the first time on it may be it."""
    mine = [_is_of(deed, asked) for deed in deeds]
    first = next((at for at, is_mine in enumerate(mine) if is_mine), len(deeds))
    return sum(
        (is_mine or _is_blind(deed)) and took_effect(deed)
        for deed, is_mine in zip(deeds[first:], mine[first:], strict=True)
    )


def _is_of(deed: ActionRecord, asked: Approval) -> bool:
    if site_of(deed.url) != asked.site:
        return False
    if deed.signature is None:
        return deed.action.text == asked.action
    one = ElementRef.of(deed.signature) == asked.element
    return one and _manner(deed.action.text) == _manner(asked.action)


def _is_blind(deed: ActionRecord) -> bool:
    return deed.signature is None and deed.action.name in MAY_PRESS


def _manner(call: str) -> str:
    """A press, by whatever means; of any other action what it enters or chooses too."""
    name, _, told = call.partition("(")
    return "press" if name in MAY_PRESS else f"{name}({told.partition(',')[2].strip()}"
