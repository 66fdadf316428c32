"""Which sites a run may use, and what an approval covers: the same control, once, and the page's own
confirmation after it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from app.authorization import name_effect, surrounding_sentences
from app.domain.access import CONSEQUENTIAL, Policy, site_matches, site_of
from app.domain.action import MAY_PRESS, Action, ActionRecord, Chain
from app.domain.hitl import Approval
from app.domain.page import ElementRef, Node, Observation
from app.domain.reasoner import Background, Situation
from app.page import distinctive_tokens, is_inside, unpack
from app.provenance import mentions_host
from app.recovery import NO_TRACE, NOTHING_ANSWERED
from app.search import suffix_length
from app.text import patterns
from app.text.lexicon import does, speaks_of
from app.verification import NEVER_BEGAN

ABOUT_SITES = frozenset({"outside", "new_site"})
_GOES = frozenset({"navigate", "openTab"})


def organisation(site: str) -> str:
    """The organisation of a site: `clinic.example` for `accounts.clinic.example:8443`."""
    labels = site.partition(":")[0].split(".")
    if len(labels) < 2 or site.startswith("[") or labels[-1].isdigit():
        return site
    taken = suffix_length(labels)
    return ".".join(labels[-taken - 1 :])


def is_alike(site: str, others: Iterable[str]) -> bool:
    """Whether the site is one of the others, or of the same organisation."""
    known = [other for other in others if other]
    if site in known:
        return True
    own = organisation(site)
    return any(own == organisation(other) for other in known)


def destination_site(action: Action) -> str | None:
    return site_of(str(action.args["url"])) if action.name in _GOES else None


def is_allowed(site: str, situation: Situation, policy: Policy) -> bool:
    """Whether the site is the first, listed, or one the person acted on, named or agreed to."""
    background = situation.background
    if not site or not background.sites:
        return True
    theirs = (site_of(one.url) for one in background.acts)
    if is_alike(site, (background.sites[0], *theirs, *agreed_sites(background))):
        return True
    return site_matches(site, policy.action_domains, below=True) or _is_named(
        site, situation.stated_text
    )


def is_known(site: str, situation: Situation, policy: Policy) -> bool:
    """Whether the run may act on the site unasked: it may open it, or earlier tasks acted there."""
    return is_alike(site, situation.background.sites) or is_allowed(site, situation, policy)


def is_listed(site: str, situation: Situation, policy: Policy) -> bool:
    """Whether the tenant allows the site: no list exists, it is listed, or the person agreed to it."""
    if not policy.action_domains or not site:
        return True
    if site_matches(site, policy.action_domains, below=True):
        return True
    return is_alike(site, agreed_sites(situation.background))


def agreed_sites(background: Background) -> tuple[str, ...]:
    return tuple(one.site for one in background.approved if one.site)


def is_about_site(asked: Approval) -> bool:
    return not ABOUT_SITES.isdisjoint(asked.effects)


def _is_named(site: str, told: str) -> bool:
    """Whether the words name it, or its parent domain at the same organisation."""
    own, host = organisation(site), site.partition(":")[0]
    above = host.removesuffix(own).rstrip(".").split(".") if host.endswith(own) else []
    names = [".".join((*above[at:], own)) for at in range(len(above)) if above[at]]
    return mentions_host((own.partition(":")[0], host, *names), told)


_NOTHING_DONE = NEVER_BEGAN | {NO_TRACE, NOTHING_ANSWERED}


def is_same_request(asked: Approval, known: Approval) -> bool:
    """Whether it is the same request: the same control of the same record, the same action, no further
    effect. Ids do not count, since a redrawn page has new ones.
    """
    if asked.site != known.site:
        return False
    if asked.element is None or known.element is None:
        return asked.action == known.action
    return (
        asked.element == known.element
        and asked.whose == known.whose
        and _call_without_target(asked.action) == _call_without_target(known.action)
        and set(asked.effects) <= set(known.effects)
    )


def is_refused(asked: Approval, refused: Iterable[Approval]) -> bool:
    return any(
        is_same_request(asked, known)
        or (is_about_site(asked) and is_about_site(known) and is_alike(asked.site, (known.site,)))
        for known in refused
    )


def is_covered(
    asked: Approval,
    approved: Iterable[Approval],
    records: Sequence[ActionRecord],
    *,
    dismissed: bool = False,
) -> bool:
    """Whether an unused approval remains: each is used up by one action that worked or may have.

    Actions without effect may be repeated by any means. `dismissed`: the browser asked about the
    last one and was answered no.
    """
    given = sum(is_same_request(asked, known) for known in approved)
    done = records[:-1] if dismissed else records
    return given > 0 and given > _count_uses(asked, done)


def find_used_approval(record: ActionRecord, approved: Iterable[Approval]) -> Approval | None:
    return next((one for one in approved if _is_action_of(record, one)), None)


def may_have_worked(record: ActionRecord) -> bool:
    """Whether it had an effect or may have: a failure alone does not rule that out."""
    return record.status == "success" or record.error not in _NOTHING_DONE


def _count_uses(asked: Approval, records: Sequence[ActionRecord]) -> int:
    """How often it was done. A key or point names no control, so it counts for any."""
    mine = [_is_action_of(record, asked) for record in records]
    first = next((at for at, is_mine in enumerate(mine) if is_mine), len(records))
    return sum(
        (is_mine or (record.signature is None and record.action.name in MAY_PRESS))
        and may_have_worked(record)
        for record, is_mine in zip(records[first:], mine[first:], strict=True)
    )


def _is_action_of(record: ActionRecord, asked: Approval) -> bool:
    if site_of(record.url) != asked.site:
        return False
    if record.signature is None:
        return record.action.text == asked.action
    one = ElementRef.of(record.signature) == asked.element
    return one and _call_without_target(record.action.text) == _call_without_target(asked.action)


def _call_without_target(call: str) -> str:
    """A press by any means; for other actions also the entered or chosen value."""
    name, _, args = call.partition("(")
    return "press" if name in MAY_PRESS else f"{name}({args.partition(',')[2].strip()}"


_BETWEEN = frozenset({"wait", "scroll", "hover"})
_ENTRIES = frozenset({"setValue", "selectOption", "setChecked"})
_QUESTION = patterns.compile(r"[^.!?؟]*[?؟]")
_NUMBER = patterns.compile(r"(?<![\w.,:/-])\d{1,6}(?![\w:/-])")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHistory:
    """The actions of the whole run, oldest first; `judged` is the last verified chain, and `before` the
    packed page on which it was chosen.
    """

    records: Sequence[ActionRecord] = ()
    judged: Chain | None = None
    before: bytes = b""


def is_confirmation(
    asked: Approval, node: Node | None, situation: Situation, past: RunHistory
) -> bool:
    """Whether this only confirms an approved action: it is in a dialog that came up after exactly that
    action, does the same, and the dialog covers no more than was approved; or it replaced the pressed
    control.
    """
    place = _dialog(node)
    if node is None or site_of(situation.page.url) != asked.site:
        return False
    if place is None:
        return _replaces(asked, node, situation, past)
    opener = _opener(place, past.records)
    approval = (
        find_used_approval(opener, situation.background.approved) if opener is not None else None
    )
    if (
        opener is None
        or approval is None
        or approval.site != asked.site
        or approval.element is None
    ):
        return False
    before = unpack_before(past.before)
    if _is_within(approval.element.group, place) or _was_open_before(
        place, opener, before, past.judged
    ):
        return False
    effects = {*asked.effects, name_effect(node.name)}
    if not effects & CONSEQUENTIAL <= set(approval.effects):
        return False
    texts = " ".join((*_dialog_texts(place, node, approval, situation.page), node.name))
    if before is not None and _names_other_record(texts, approval, place, before):
        return False
    return not exceeds_approval(texts, approval, place, situation)


def _replaces(asked: Approval, node: Node, situation: Situation, past: RunHistory) -> bool:
    """Whether it appeared in the record of the approved action pressed last, in its place."""
    last = next(
        (record for record in reversed(past.records) if record.action.name not in _BETWEEN), None
    )
    approval = find_used_approval(last, situation.background.approved) if last is not None else None
    before = unpack_before(past.before)
    if approval is None or approval.element is None or before is None or not node.group:
        return False
    if approval.site != asked.site or node.group != approval.element.group:
        return False
    is_new = all(one.signature != node.signature for one in before.tree)
    is_gone = all(ElementRef.of(one.signature) != approval.element for one in situation.page.tree)
    return is_new and is_gone and set(asked.effects) & CONSEQUENTIAL <= set(approval.effects)


def _dialog(node: Node | None) -> str | None:
    """The `group` prefix of the innermost dialog; a section whose title asks is one too."""
    parts = node.group.split(" > ") if node is not None else []
    for end in range(len(parts), 0, -1):
        kind, _, label = parts[end - 1].partition(":")
        if kind.strip() == "dialog" or (kind.strip() == "section" and "?" in label):
            return " > ".join(parts[:end])
    return None


def _opener(place: str, records: Sequence[ActionRecord]) -> ActionRecord | None:
    """The last action before the dialog, without pauses; None if it was agreed to before."""
    for record in reversed(records):
        within = record.signature is not None and _is_within(record.signature[2], place)
        part = within and (record.action.name in _ENTRIES or not may_have_worked(record))
        if not part and record.action.name not in _BETWEEN:
            return None if within else record
    return None


def _was_open_before(
    place: str, opener: ActionRecord, before: Observation | None, judged: Chain | None
) -> bool:
    """Whether the dialog was already there when the action that should have opened it was chosen."""
    sent = {one.action_id for one in judged.actions} if judged else set()
    if opener.action_id not in sent:
        return False
    return before is None or any(is_inside(node, place) for node in before.tree)


def _is_within(group: str, place: str) -> bool:
    return f"{group} > ".startswith(f"{place} > ")


def unpack_before(before: bytes) -> Observation | None:
    """The page on which the last chain was chosen, if it can still be read."""
    try:
        return unpack(before)
    except ValueError:
        return None


def _dialog_texts(place: str, node: Node, yes: Approval, page: Observation) -> Iterator[str]:
    """The dialog's title and questions, or all its text if those do not name the record: what belongs to a
    named record ("and all its notes") is part of it.
    """
    titles = [label for _, label in node.groups[place.count(" > ") :]]
    within = [one.name for one in page.tree if one.role == "txt" and is_inside(one, place)]
    asks = [found for text in within for found in _QUESTION.findall(text)]
    yield from (*titles, *asks)
    if not distinctive_tokens(" ".join((*titles, *asks))) & _record_of(yes.element):
        around = list(surrounding_sentences(node, page))
        question_at = next((at for at, text in enumerate(around) if "?" in text), 0)
        yield from (*within, *around[question_at:])


def exceeds_approval(said: str, yes: Approval, place: str, situation: Situation) -> bool:
    """Whether it is about all, a number of, or another record that was not approved."""
    known = f"{yes.description} {yes.element.text if yes.element else ''} {situation.stated_text}"
    if speaks_of("totality", said) and not speaks_of("totality", known):
        return True
    counted = {number for number in _NUMBER.findall(said) if int(number) > 1}
    if counted - set(patterns.findall(r"\d+", known)):
        return True
    return _names_other_record(said, yes, place, situation.page)


def _names_other_record(said: str, yes: Approval, place: str, page: Observation) -> bool:
    """Whether it names another record of this page with the same control better than this one."""
    element = yes.element
    if element is None:
        return False
    named = distinctive_tokens(said)
    record = distinctive_tokens(element.name) - distinctive_tokens(element.group)
    own = len(named & _record_of(element))
    return any(
        len(named & _record_of(ElementRef.of(node.signature))) > own
        for node in page.tree
        if node.role == element.role
        and node.group != element.group
        and not (place and is_inside(node, place))
        and distinctive_tokens(node.name) - distinctive_tokens(node.group) == record
    )


def _record_of(element: ElementRef | None) -> frozenset[str]:
    """The words that identify a control's record, without those of its action."""
    if element is None:
        return frozenset()
    labels = (part.partition(":")[2] for part in element.group.split(" > "))
    tokens = distinctive_tokens(" ".join((element.name, *labels)))
    return frozenset(word for word in tokens if not does(word))
