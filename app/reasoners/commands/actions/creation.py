"""Making a record: reaching the form for a new one, or adding a thing to a place."""

from functools import partial

from app.domain.action import action
from app.domain.directive import Target
from app.domain.directive_wording import quoted
from app.domain.page import Node
from app.domain.plan import Decision, Proposal
from app.grounding.descriptions import called
from app.grounding.label import label
from app.page.controls import ENTRIES, container, is_submit, searches
from app.reasoners.commands.actions.absence import absent
from app.reasoners.commands.actions.case import Case, act, ambiguous, done, one
from app.reasoners.commands.actions.entry import fields_here
from app.reasoners.commands.actions.location import in_record, is_of_record, narrowed, page_words

OPENERS = frozenset({"btn", "link", "el", "img", "menu", "tab"})
MAKES = ("add", "sign up")
SAVES = frozenset({"add", "save", "sign up", "submit"})


def create(case: Case) -> Decision:
    """Reach the form for a new thing of that kind; done once its fields are here."""
    target, where = case.directive.target or Target(), case.directive.destination
    if where is not None and not case.directive.fields:
        return _put(case, target, where.phrase)
    if (case.did("click") and entries(case)) or _form_is_here(case, target.phrase):
        return done("The fields for it are here.")
    for word in MAKES:
        wanted = target.model_copy(update={"phrase": f"{word} {target.phrase}".strip()})
        found = narrowed(case, case.find(wanted), partial(_makes, target.phrase))
        if found.outcome == "ambiguous":
            return ambiguous(found, f"the way to a new {target.phrase}")
        if (node := case.chosen(found)) is not None:
            return one(action("click", node.id), f"Open {called(node)}", completes=False)
    if _is_lone_entry(case, target.phrase):
        return done("The field for it is here.")
    bare = [n for n in case.tree if n.enabled and label(n.name).meanings == ("add",)]
    about = not target.phrase or label(target.phrase).stems & page_words(case)
    if len(bare) == 1 and _makes("", bare[0]) and about:
        return one(action("click", bare[0].id), f"Open {called(bare[0])}", completes=False)
    return absent(case, Target(phrase=f"new {target.phrase}".strip()))


def _put(case: Case, target: Target, place: str) -> Decision:
    """Press the thing's own "Add to cart"."""
    named = " ".join(part for part in (target.phrase, target.within) if part)

    def is_its_own(node: Node) -> bool:
        return _makes("", node) and in_record(named, f"{node.group} {node.name}")

    for phrase in (f"add to {place}", "add"):
        found = narrowed(case, case.find(Target(phrase=phrase, within=named)), is_its_own)
        if found.outcome == "ambiguous":
            return ambiguous(found, f"the way to add {quoted(named)}")
        if (node := case.chosen(found)) is not None:
            words = f"Press {called(node)} of {quoted(named)}"
            press = Proposal(action=action("click", node.id), description=words)
            left = max(1, case.directive.times - case.count("click", node))
            return act([press] * left, words)
    return absent(case, Target(phrase="add", within=named))


def _makes(kind: str, node: Node) -> bool:
    """Whether it makes something new, of that kind by its name or by where it stands."""
    own, wanted = label(node.name).meaning_set, label(kind).meaning_set
    of_kind = not wanted or bool(wanted & (own | label(node.group).meaning_set))
    return node.role in OPENERS and bool(own & set(MAKES)) and of_kind


def _form_is_here(case: Case, kind: str) -> bool:
    """Whether a form of its kind stands here, by its name or by the fields that were named."""
    wanted = label(f"add {kind}").meaning_set
    fields = [n for n in case.tree if n.role in ENTRIES and not searches(n)]
    forms = {form.rpartition(" > ")[2].partition(":")[2] for n in fields if (form := container(n))}
    if kind and any(wanted <= label(form).meaning_set for form in forms):
        return True
    saves = any(is_submit(n, case.page) and SAVES & label(n.name).meaning_set for n in case.tree)
    return bool(saves and case.directive.fields) and fields_here(case)


def entries(case: Case) -> bool:
    """Whether there is something to fill in that is no search."""
    return any(n.role in ENTRIES and n.enabled and not searches(n) for n in case.tree)


def _is_lone_entry(case: Case, kind: str) -> bool:
    """Whether a name alone was said, and one text field is called by the kind or is the only one."""
    fields, wanted = case.directive.fields, label(kind).meaning_set
    inputs = [n for n in case.tree if n.role == "inp" and n.enabled and not searches(n)]
    plain = [n for n in inputs if not is_of_record(n) and n.input_type != "password"]
    named = [n for n in plain if wanted and wanted <= label(f"{n.name} {n.hint}").meaning_set]
    bare = bool(fields) and not any(field.field for field in fields)
    return bare and 1 in (len(named), len(plain))
