"""Actions of a model that neither the person's words nor the tenant's sources support: a value, a choice,
or a record.

Models have read pages, mails, documents and searches. The result is a doubt, not a finding; the
critic or the person settles it.
"""

from typing import NamedTuple

from app.domain.access import site_of
from app.domain.action import MAY_PRESS, Provenance
from app.domain.directive import SECRET_FIELD
from app.domain.page import Node, Observation
from app.domain.plan import Proposal
from app.domain.reasoner import Situation
from app.domain.redaction import secrets_known
from app.grounding import has_value, is_secret_field
from app.page import (
    affected_controls,
    distinctive_words,
    enclosing_form,
    enclosing_record,
    fields_in,
    fits_other_better,
    is_dismiss_button,
    is_near_miss,
    is_only_quoted,
    is_opener,
    is_submit,
    strip_quotations,
)
from app.plans import chosen_nodes
from app.provenance import (
    SHORTEST_SECRET,
    control_texts,
    is_answer,
    normalize,
    scan_text,
    trace_value,
)
from app.recovery import is_aside
from app.text import patterns
from app.text.lexicon import speaks_of, words
from app.text.value_words import COMMON

_CHANCE = 2  # digits of a number that is on any page by chance
_SAME_LENGTH = 3  # digits by which two numbers of one kind may differ
_IN_GROUPS = patterns.compile(
    r"\b[A-Za-z]{2}\d{2}(?: [A-Za-z0-9]{4}){2,7}(?: [A-Za-z0-9]{1,3})?\b"
)  # ISO 13616
_ACCOUNT = patterns.compile(r"[A-Za-z]{2}\d{2}[A-Za-z0-9]{11,30}")  # the same, in one word


class _Fact(NamedTuple):
    kind: str
    keys: frozenset[str]
    parts: frozenset[str]
    digits: int


def has_rival(value: str, situation: Situation) -> bool:
    """Whether the page has another value of the same kind for the record that the person named.

    Of two phone numbers beside "Ann Miller" only the person knows the right one, since others may
    write on a page too. Words and codes are not compared.
    """
    facts = [fact for fact in _facts(value) if fact.kind != "code"]
    keys = frozenset().union(*(fact.keys for fact in facts))
    return any(
        fact.kind == other.kind
        and not other.keys & keys
        and (fact.kind == "account" or abs(fact.digits - other.digits) <= _SAME_LENGTH)
        for text in _record_texts(situation)
        for other in _facts(text)
        for fact in facts
    )


def names_other_value(name: str, situation: Situation) -> bool:
    """Whether the control's name has a number or address other than the person's of that kind."""
    facts = _facts(situation.stated_text)
    stated_keys = frozenset().union(*(fact.keys | fact.parts for fact in facts))
    kinds = {fact.kind for fact in facts} - {"code", "date", "time"}
    return any(
        fact.kind in kinds
        and not fact.keys & stated_keys
        and (fact.kind != "number" or fact.digits > _CHANCE + 1)
        for fact in _facts(name)
    )


def _facts(text: str) -> list[_Fact]:
    """The typed tokens of a text; a word with several digits is a code or account."""
    joined = _IN_GROUPS.sub(lambda facts: facts[0].replace(" ", ""), normalize(text))
    scan = scan_text(joined)
    facts = []
    for at, token in enumerate(scan.tokens):
        word, kind = scan.excerpt(at, at), token.kind
        digits = sum(map(str.isdigit, word))
        if kind == "word" and digits > _CHANCE:
            kind = "account" if _ACCOUNT.fullmatch(word) else "code"
        if kind not in ("word", "sign"):
            facts.append(_Fact(kind, token.keys, token.parts, digits))
    return facts


def _record_texts(situation: Situation) -> list[str]:
    """The page's texts about the record: controls, places, messages."""
    page, names = situation.page, _names(situation.stated_text)
    texts = [text for text, _ in control_texts(page.tree)]
    texts += [*page.successes, *page.errors, page.title]
    texts += [dialog.message for dialog in page.dialogs]
    shared = [(len(names & _names(text)), text) for text in texts]
    best = max((count for count, _ in shared), default=0)
    return [text for count, text in shared if count == best and count]


def _names(text: str) -> frozenset[str]:
    return frozenset(word for word in words(text).split() if word.isalpha() and word not in COMMON)


_TRUSTED = frozenset({"goal", "answer", "knowledge"})
_BUTTONS = frozenset({"btn", "el", "img", "menu"})
_TOGGLES = frozenset({"chk", "rad", "opt"})
_STRICT = frozenset({"email", "tel", "url", "number"})  # a wrong one leads elsewhere
_PRESSES = MAY_PRESS | {"dragTo"}
_FIELDS = frozenset({"inp", "el", "range"})
_NUMERIC = patterns.compile(r"(?<!\d)(\d{1,2})[/-](\d{1,2})[/-]\d{4}(?!\d)")
_MONTHS = 12
_BESIDE = 2  # words between a number and what it is said to be


def is_unsourced(proposal: Proposal, situation: Situation) -> bool:
    """Whether nothing said by person or tenant supports the action."""
    act, page = proposal.action, situation.page
    node = page.tree.get(act.target or "")
    if node is not None and node in chosen_nodes(situation.plan, page):
        return False
    typed = proposal.dialog.text if proposal.dialog is not None else None
    if typed and _is_value_unsourced(typed, proposal.provenance, None, situation):
        return True
    if act.name == "closeTab":
        return True
    if (
        node is not None
        and act.name in ("setValue", "uploadFile")
        and _is_of_other_record(node, situation)
    ):
        return True
    if act.entered is not None:
        return _is_value_unsourced(act.entered, proposal.provenance, node, situation)
    if act.name == "selectOption" and node is not None:
        label = str(act.args["label"])
        return not (has_value(node, label) or is_supported(label, situation))
    if act.name == "setChecked" and node is not None:
        return _is_switch_unsourced(node, situation)
    if act.name not in _PRESSES:
        return False
    return any(
        _is_switch_unsourced(control, situation)
        if control.role in _TOGGLES
        else (act.name != "dragTo" and _is_of_other_record(control, situation))
        or (enclosing_record(control) is None and names_other_value(control.name, situation))
        or (act.name != "dragTo" and _is_unmentioned_button(control, situation))
        for control in affected_controls(act, page)
    )


def _is_unmentioned_button(node: Node, situation: Situation) -> bool:
    """Whether it is a button that the person did not mention and that submits none of the person's values."""
    if node.role not in _BUTTONS or is_opener(node):
        return False
    if situation.plan.step is not None and is_aside(situation.plan.step):
        return False  # the model's own words for what may come between
    if is_dismiss_button(node) and any(kind == "dialog" for kind, _ in node.groups):
        return False
    name_words = set(distinctive_words(node.name or node.hint))
    if not name_words:
        return False
    if name_words & set(words(strip_quotations(situation.stated_text)).split()):
        return False
    if speaks_of("totality", node.name) and not speaks_of("totality", situation.stated_text):
        return True
    fields = {field.signature for field in fields_in(situation.page, enclosing_form(node))}
    filled = any(record.signature in fields for record in situation.records)
    return not (filled and is_submit(node, situation.page))


def _is_in_goal(text: str, situation: Situation) -> bool:
    own = set(words(text).split())
    return bool(own) and own <= set(words(strip_quotations(situation.stated_text)).split())


def is_supported(text: str, situation: Situation) -> bool:
    if _is_in_goal(text, situation):
        return True
    source = trace_value(text, situation) if text.strip() else None
    return source is not None and source.origin in _TRUSTED


def leaks_secret(proposal: Proposal, situation: Situation) -> bool:
    node, text = situation.page.tree.get(proposal.action.target or ""), proposal.action.entered
    if text is None:
        return False
    if node is not None and is_secret_field(node):
        return False
    if node is not None and SECRET_FIELD.search(f"{node.name} {node.hint}"):
        return False
    secrets = secrets_known(situation)
    return any(
        secret == text or (len(secret) >= SHORTEST_SECRET and secret in text) for secret in secrets
    )


def crosses_sites(proposal: Proposal, page: Observation) -> bool:
    """Whether it types a value that only another site supplied."""
    source = proposal.provenance
    if proposal.action.entered is None or source is None:
        return False
    site = site_of(source.ref or "") if source.origin in ("page", "search") else ""
    return bool(site) and site != site_of(page.url)


def _is_of_other_record(node: Node, situation: Situation) -> bool:
    goal_text, own = situation.stated_text, enclosing_record(node)
    misses = own is not None and is_near_miss(own, goal_text)
    return misses or fits_other_better(node, situation.page, goal_text)


def _is_value_unsourced(
    text: str, source: Provenance | None, node: Node | None, situation: Situation
) -> bool:
    if not text.strip() or (node is not None and has_value(node, text)):
        return False
    traced = source or trace_value(text, situation, node=node)
    if traced is None:
        return True
    is_field_supported = node is not None and is_supported(node.name or node.hint, situation)
    if traced.origin in ("goal", "answer"):
        return (
            _is_other_day(text, situation.stated_text)
            or (not is_field_supported and is_only_quoted(text, situation.stated_text))
            or (node is not None and _is_for_other_field(text, node, situation))
        )
    if (traced.origin, traced.ref) == ("memory", "user"):
        return False
    kinds = {fact.kind for fact in _facts(situation.stated_text)}
    if any(fact.kind in kinds for fact in _facts(text)):
        return True  # another value of a kind that the person gave: another IBAN
    if traced.origin == "knowledge":
        return False
    if has_rival(text, situation):
        return True
    if traced.origin == "search" and is_answer(text, situation):
        return node is None or node.input_type in _STRICT
    return not (is_field_supported and traced.origin == "page")


def _is_for_other_field(text: str, node: Node, situation: Situation) -> bool:
    """Whether the person gave the number for another field of this page."""
    value = text.strip()
    if not value.replace(".", "").replace(",", "").isdigit():
        return False
    stated_words = words(situation.stated_text).split()
    places = [at for at, word in enumerate(stated_words) if word == words(value)]
    nearby_words = {
        w for at in places for w in stated_words[max(0, at - _BESIDE) : at + _BESIDE + 1]
    }
    if nearby_words & set(distinctive_words(node.name)):
        return False
    other_fields = (n for n in situation.page.tree if n.role in _FIELDS and n is not node)
    return any(nearby_words & set(distinctive_words(field.name)) for field in other_fields)


def _is_switch_unsourced(node: Node, situation: Situation) -> bool:
    places = (text for kind, text in node.groups if kind in ("row", "item"))
    goal_words = strip_quotations(situation.stated_text)
    shared_words = (
        set(distinctive_words(place)) & set(words(goal_words).split()) for place in places
    )
    return not (any(shared_words) or _is_in_goal(node.name or node.hint, situation))


def _is_other_day(value: str, stated_text: str) -> bool:
    """Whether day and month may be swapped, and the person did not write it that way."""
    date = _NUMERIC.search(value)
    if date is None or date[0] in stated_text:
        return False
    first, second = int(date[1]), int(date[2])
    return first != second and max(first, second) <= _MONTHS
