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
    suffix_size = suffix_length(labels)
    return ".".join(labels[-suffix_size - 1 :])


def is_alike(site: str, sites: Iterable[str]) -> bool:
    """Whether the site is one of the others, or of the same organisation."""
    known_sites = [known_site for known_site in sites if known_site]
    if site in known_sites:
        return True
    own = organisation(site)
    return any(own == organisation(known_site) for known_site in known_sites)


def destination_site(action: Action) -> str | None:
    return site_of(str(action.args["url"])) if action.name in _GOES else None


def is_allowed(site: str, situation: Situation, policy: Policy) -> bool:
    """Whether the site is the first, listed, or one the person acted on, named or agreed to."""
    background = situation.background
    if not site or not background.sites:
        return True
    person_sites = (site_of(act.url) for act in background.acts)
    if is_alike(site, (background.sites[0], *person_sites, *agreed_sites(background))):
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
    return tuple(approval.site for approval in background.approved if approval.site)


def is_about_site(approval: Approval) -> bool:
    return not ABOUT_SITES.isdisjoint(approval.effects)


def _is_named(site: str, text: str) -> bool:
    """Whether the words name it, or its parent domain at the same organisation."""
    own, host = organisation(site), site.partition(":")[0]
    above = host.removesuffix(own).rstrip(".").split(".") if host.endswith(own) else []
    names = [".".join((*above[at:], own)) for at in range(len(above)) if above[at]]
    return mentions_host((own.partition(":")[0], host, *names), text)


_NOTHING_DONE = NEVER_BEGAN | {NO_TRACE, NOTHING_ANSWERED}


def is_same_request(request: Approval, earlier: Approval) -> bool:
    """Whether it is the same request: the same control of the same record, the same action, no further
    effect. Ids do not count, since a redrawn page has new ones.
    """
    if request.site != earlier.site:
        return False
    if request.element is None or earlier.element is None:
        return request.action == earlier.action
    return (
        request.element == earlier.element
        and request.whose == earlier.whose
        and _call_without_target(request.action) == _call_without_target(earlier.action)
        and set(request.effects) <= set(earlier.effects)
    )


def is_refused(request: Approval, refused: Iterable[Approval]) -> bool:
    return any(
        is_same_request(request, refusal)
        or (
            is_about_site(request)
            and is_about_site(refusal)
            and is_alike(request.site, (refusal.site,))
        )
        for refusal in refused
    )


def is_covered(
    request: Approval,
    approved: Iterable[Approval],
    records: Sequence[ActionRecord],
    *,
    dismissed: bool = False,
) -> bool:
    """Whether an unused approval remains: each is used up by one action that worked or may have.

    Actions without effect may be repeated by any means. `dismissed`: the browser asked about the
    last one and was answered no.
    """
    approval_count = sum(is_same_request(request, approval) for approval in approved)
    counted_records = records[:-1] if dismissed else records
    return approval_count > 0 and approval_count > _count_uses(request, counted_records)


def find_used_approval(record: ActionRecord, approved: Iterable[Approval]) -> Approval | None:
    return next((approval for approval in approved if _is_action_of(record, approval)), None)


def may_have_worked(record: ActionRecord) -> bool:
    """Whether it had an effect or may have: a failure alone does not rule that out."""
    return record.status == "success" or record.error not in _NOTHING_DONE


def _count_uses(request: Approval, records: Sequence[ActionRecord]) -> int:
    """How often it was done. A key or point names no control, so it counts for any."""
    matches = [_is_action_of(record, request) for record in records]
    first = next((at for at, is_match in enumerate(matches) if is_match), len(records))
    return sum(
        (is_match or (record.signature is None and record.action.name in MAY_PRESS))
        and may_have_worked(record)
        for record, is_match in zip(records[first:], matches[first:], strict=True)
    )


def _is_action_of(record: ActionRecord, request: Approval) -> bool:
    if site_of(record.url) != request.site:
        return False
    if record.signature is None:
        return record.action.text == request.action
    same_element = ElementRef.of(record.signature) == request.element
    return same_element and _call_without_target(record.action.text) == _call_without_target(
        request.action
    )


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
    request: Approval, node: Node | None, situation: Situation, past: RunHistory
) -> bool:
    """Whether this only confirms an approved action: it is in a dialog that came up after exactly that
    action, does the same, and the dialog covers no more than was approved; or it replaced the pressed
    control.
    """
    place = _dialog(node)
    if node is None or site_of(situation.page.url) != request.site:
        return False
    if place is None:
        return _replaces(request, node, situation, past)
    opener = _opener(place, past.records)
    approval = (
        find_used_approval(opener, situation.background.approved) if opener is not None else None
    )
    if (
        opener is None
        or approval is None
        or approval.site != request.site
        or approval.element is None
    ):
        return False
    old_page = unpack_before(past.before)
    if _is_within(approval.element.group, place) or _was_open_before(
        place, opener, old_page, past.judged
    ):
        return False
    effects = {*request.effects, name_effect(node.name)}
    if not effects & CONSEQUENTIAL <= set(approval.effects):
        return False
    texts = " ".join((*_dialog_texts(place, node, approval, situation.page), node.name))
    if old_page is not None and _names_other_record(texts, approval, place, old_page):
        return False
    return not exceeds_approval(texts, approval, place, situation)


def _replaces(request: Approval, node: Node, situation: Situation, past: RunHistory) -> bool:
    """Whether it appeared in the record of the approved action pressed last, in its place."""
    last = next(
        (record for record in reversed(past.records) if record.action.name not in _BETWEEN), None
    )
    approval = find_used_approval(last, situation.background.approved) if last is not None else None
    old_page = unpack_before(past.before)
    if approval is None or approval.element is None or old_page is None or not node.group:
        return False
    if approval.site != request.site or node.group != approval.element.group:
        return False
    is_new = all(other.signature != node.signature for other in old_page.tree)
    is_gone = all(
        ElementRef.of(other.signature) != approval.element for other in situation.page.tree
    )
    return is_new and is_gone and set(request.effects) & CONSEQUENTIAL <= set(approval.effects)


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
        is_inside_dialog = record.signature is not None and _is_within(record.signature[2], place)
        belongs_to_dialog = is_inside_dialog and (
            record.action.name in _ENTRIES or not may_have_worked(record)
        )
        if not belongs_to_dialog and record.action.name not in _BETWEEN:
            return None if is_inside_dialog else record
    return None


def _was_open_before(
    place: str, opener: ActionRecord, old_page: Observation | None, judged: Chain | None
) -> bool:
    """Whether the dialog was already there when the action that should have opened it was chosen."""
    sent_ids = {action.action_id for action in judged.actions} if judged else set()
    if opener.action_id not in sent_ids:
        return False
    return old_page is None or any(is_inside(node, place) for node in old_page.tree)


def _is_within(group: str, place: str) -> bool:
    return f"{group} > ".startswith(f"{place} > ")


def unpack_before(packed_page: bytes) -> Observation | None:
    """The page on which the last chain was chosen, if it can still be read."""
    try:
        return unpack(packed_page)
    except ValueError:
        return None


def _dialog_texts(place: str, node: Node, yes: Approval, page: Observation) -> Iterator[str]:
    """The dialog's title and questions, or all its text if those do not name the record: what belongs to a
    named record ("and all its notes") is part of it.
    """
    titles = [label for _, label in node.groups[place.count(" > ") :]]
    dialog_texts = [
        inner.name for inner in page.tree if inner.role == "txt" and is_inside(inner, place)
    ]
    questions = [question for text in dialog_texts for question in _QUESTION.findall(text)]
    yield from (*titles, *questions)
    if not distinctive_tokens(" ".join((*titles, *questions))) & _record_of(yes.element):
        around = list(surrounding_sentences(node, page))
        question_at = next((at for at, text in enumerate(around) if "?" in text), 0)
        yield from (*dialog_texts, *around[question_at:])


def exceeds_approval(text: str, approval: Approval, place: str, situation: Situation) -> bool:
    """Whether it is about all, a number of, or another record that was not approved."""
    element_text = approval.element.text if approval.element else ""
    approved_text = f"{approval.description} {element_text} {situation.stated_text}"
    if speaks_of("totality", text) and not speaks_of("totality", approved_text):
        return True
    counts = {number for number in _NUMBER.findall(text) if int(number) > 1}
    if counts - set(patterns.findall(r"\d+", approved_text)):
        return True
    return _names_other_record(text, approval, place, situation.page)


def _names_other_record(text: str, approval: Approval, place: str, page: Observation) -> bool:
    """Whether it names another record of this page with the same control better than this one."""
    element = approval.element
    if element is None:
        return False
    text_tokens = distinctive_tokens(text)
    record = distinctive_tokens(element.name) - distinctive_tokens(element.group)
    own_count = len(text_tokens & _record_of(element))
    return any(
        len(text_tokens & _record_of(ElementRef.of(node.signature))) > own_count
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
