"""Reaches, fills and submits forms: create, search, log in, submit."""

from functools import partial

from app.domain.action import action
from app.domain.directive import Target, describe_target, quote_value
from app.domain.page import Node
from app.domain.plan import Decision, Proposal
from app.grounding import (
    STOP_WORDS,
    describe_control,
    describe_missing,
    find_submitter,
    has_value,
    label,
    record_group,
)
from app.page import ENTRIES, enclosing_form, is_inside, is_search_field, is_submit
from app.reasoners.commands.actions import decisions
from app.reasoners.commands.actions.case import StepCase, is_same_control
from app.reasoners.commands.actions.entry import fill, has_all_fields
from app.reasoners.commands.actions.location import (
    decide_absent,
    is_in_record,
    is_of_record,
    locate,
    narrow_grounding,
    page_words,
)
from app.reasoners.commands.actions.pointer import click
from app.text.lexicon import speaks_of


def enter_search(case: StepCase) -> Decision:
    value = case.directive.value or ""
    box = _search_box(case)
    if box is None:
        return decide_absent(case, Target(phrase="search"))
    if has_value(box, value):
        return decisions.done(f"{describe_control(box)} holds {quote_value(value)}.")
    return decisions.act_once(
        action("setValue", box.id, value), f"Enter {quote_value(value)} in {describe_control(box)}"
    )


def _search_box(case: StepCase) -> Node | None:
    """Return the named field, the only search field (in the named place), or the only text field."""
    inputs = [n for n in case.tree if n.role == "inp" and n.enabled and n.input_type != "password"]
    target = case.directive.target
    if target is not None and (name_words := label(target.phrase).meaning_set - STOP_WORDS):
        named_field = case.chosen(case.field(target))
        if (
            named_field in inputs
            and name_words & label(f"{named_field.name} {named_field.hint}").meaning_set
        ):
            return named_field
    else:
        name_words = frozenset()
    boxes = [node for node in inputs if is_search_field(node)] or inputs
    placed = [node for node in boxes if name_words & label(node.group).meaning_set]
    candidates = placed if len(boxes) > 1 and placed else boxes
    return candidates[0] if len(candidates) == 1 else None


def login(case: StepCase) -> Decision:
    """Fill in the credentials if the page asks for them; otherwise open the way there."""
    target = Target(phrase="log in")
    if not case.directive.fields:
        return click(case.with_directive(verb="click", target=target))
    has_password = any(node.input_type == "password" for node in case.tree)
    entrance = case.chosen(case.find(target)) if not has_password else None
    leads = entrance is not None and entrance.role in {"btn", "link", "menu", "tab"}
    if entrance is not None and leads and not case.did("click", entrance):
        return decisions.click_control(entrance, "Open", completes=False)
    return (
        fill(case.with_directive(verb="fill"))
        if has_password or has_all_fields(case)
        else decide_absent(case, target)
    )


def logout(case: StepCase) -> Decision:
    """Press "log out", which may be in the account's menu."""
    target = Target(phrase="log out")
    if case.find(target).outcome == "found":
        return click(case.with_directive(verb="click", target=target))
    menus = (Target(phrase=phrase) for phrase in ("account", "user menu"))
    return decide_absent(case, next((m for m in menus if case.find(m).outcome == "found"), target))


def find(case: StepCase) -> Decision:
    """Bring the thing into view; done when it is visible."""
    target = case.directive.target
    grounding = locate(case, target)
    if grounding.outcome != "absent":
        return decisions.done(f"{describe_target(target)} is here.")
    phrase = target.phrase.casefold() if target is not None else ""
    if phrase and phrase in case.page.summary.casefold():
        return decisions.done(f"{describe_target(target)} is on the page.")
    return decide_absent(case, target, grounding)


OPENERS = frozenset({"btn", "link", "el", "img", "menu", "tab"})
CREATE_WORDS = ("add", "sign up")
SAVE_WORDS = frozenset({"add", "save", "sign up", "submit"})


def create(case: StepCase) -> Decision:
    """Reach the form for a new thing of that kind; done once its fields are on the page."""
    target, where = case.target, case.directive.destination
    if where is not None and not case.directive.fields:
        return _add_to_place(case, target, where.phrase)
    if (case.did("click") and has_entries(case)) or _has_form(case, target.phrase):
        return decisions.done("The fields for it are here.")
    for word in CREATE_WORDS:
        creator = target.model_copy(update={"phrase": f"{word} {target.phrase}".strip()})
        grounding = narrow_grounding(case, case.find(creator), partial(_is_creator, target.phrase))
        if grounding.outcome == "ambiguous":
            return decisions.ambiguous(grounding, f"the way to a new {target.phrase}")
        if (node := case.chosen(grounding)) is not None:
            return decisions.click_control(node, "Open", completes=False)
    if _is_lone_entry(case, target.phrase):
        return decisions.done("The field for it is here.")
    bare = [n for n in case.tree if n.enabled and label(n.name).meanings == ("add",)]
    about = not target.phrase or label(target.phrase).stems & page_words(case)
    if len(bare) == 1 and _is_creator("", bare[0]) and about:
        return decisions.click_control(bare[0], "Open", completes=False)
    return decide_absent(case, Target(phrase=f"new {target.phrase}".strip()))


def _add_to_place(case: StepCase, target: Target, place: str) -> Decision:
    """Press the thing's own "Add to cart"."""
    item_name = " ".join(part for part in (target.phrase, target.within) if part)

    def is_its_own(node: Node) -> bool:
        return _is_creator("", node) and is_in_record(item_name, f"{node.group} {node.name}")

    for phrase in (f"add to {place}", "add"):
        grounding = narrow_grounding(
            case, case.find(Target(phrase=phrase, within=item_name)), is_its_own
        )
        if grounding.outcome == "ambiguous":
            return decisions.ambiguous(grounding, f"the way to add {quote_value(item_name)}")
        if (node := case.chosen(grounding)) is not None:
            words = f"Press {describe_control(node)} of {quote_value(item_name)}"
            press = Proposal(action=action("click", node.id), description=words)
            presses_left = max(1, case.directive.times - case.count("click", node))
            return decisions.act([press] * presses_left, words)
    return decide_absent(case, Target(phrase="add", within=item_name))


def _is_creator(kind: str, node: Node) -> bool:
    """Whether the control makes something new, of that kind by its name or place."""
    own, kind_words = label(node.name).meaning_set, label(kind).meaning_set
    of_kind = not kind_words or bool(kind_words & (own | label(node.group).meaning_set))
    return node.role in OPENERS and bool(own & set(CREATE_WORDS)) and of_kind


def _has_form(case: StepCase, kind: str) -> bool:
    """Whether a form of that kind is on the page, by its name or the named fields."""
    kind_words = label(f"add {kind}").meaning_set
    fields = [n for n in case.tree if n.role in ENTRIES and not is_search_field(n)]
    forms = {
        form.rpartition(" > ")[2].partition(":")[2] for n in fields if (form := enclosing_form(n))
    }
    if kind and any(kind_words <= label(form).meaning_set for form in forms):
        return True
    saves = any(
        is_submit(n, case.page) and SAVE_WORDS & label(n.name).meaning_set for n in case.tree
    )
    return bool(saves and case.directive.fields) and has_all_fields(case)


def has_entries(case: StepCase) -> bool:
    """Whether there are fields other than search boxes."""
    return any(n.role in ENTRIES and n.enabled and not is_search_field(n) for n in case.tree)


def _is_lone_entry(case: StepCase, kind: str) -> bool:
    """Whether only a name was given, and one text field is named like the kind or is the only one."""
    fields, kind_words = case.directive.fields, label(kind).meaning_set
    inputs = [n for n in case.tree if n.role == "inp" and n.enabled and not is_search_field(n)]
    text_fields = [n for n in inputs if not is_of_record(n) and n.input_type != "password"]
    kind_fields = [
        n
        for n in text_fields
        if kind_words and kind_words <= label(f"{n.name} {n.hint}").meaning_set
    ]
    bare = bool(fields) and not any(field.field for field in fields)
    return bare and 1 in (len(kind_fields), len(text_fields))


SUBMITTERS = frozenset({"btn", "link", "el", "menu"})
ENTERING = frozenset({"setValue", "selectOption", "setChecked"})
NAVIGATION_ROLES = frozenset({"link", "tab", "menu", "tree"})
SAVED_BY_PLAN = frozenset(
    {"create", "edit", "login", "search"}
)  # verbs whose plan ends with a submit


def submit(case: StepCase) -> Decision:
    """Press the named button or that of the last filled form; Enter after typing into a field."""
    filled = _last_filled(case)
    if (decision := _submit_named(case, filled)) is not None:
        return decision
    if case.answered_prompt:
        return decisions.done("It was submitted already.")
    grounding = find_submitter(case.tree, after=[filled.id] if filled else ())
    button = _find_by_word(case, filled) or case.chosen(grounding)
    typed = case.last is not None and case.last.action.name == "setValue"
    saved = filled and (not typed if button is None else _is_saved_at_once(filled, button))
    if filled and saved and case.directive.value == "edit":
        return decisions.done(
            f"{describe_control(filled)} is changed, and there is nothing to save it with."
        )
    last = case.last if case.directive.value in SAVED_BY_PLAN and not case.work else None
    pressed = last is not None and last.action.name == "click" and last.status == "success"
    if button and last and pressed and is_same_control(last, button):
        return decisions.done("It was submitted already.")
    if typed and button is None:
        return decisions.act_once(action("pressKey", "Enter"), "Press Enter", confidence=0.85)
    if button is None:
        what = describe_target(case.directive.target, "a button to submit with")
        return decisions.missing(describe_missing(what, case.page), grounding.candidates[:3])
    if not button.enabled:
        return decisions.missing(_explain_locked(case, button))
    return decisions.click_control(button, "Press", confidence=grounding.confidence)


def _submit_named(case: StepCase, filled: Node | None) -> Decision | None:
    """Press the named control.

    In "save the settings" the settings are the object: a link of that name only leads to them, and
    after an entry the form's own button is pressed.
    """
    target = case.directive.target
    if target is None or not (target.phrase or target.ordinal is not None):
        return None
    phrase = label(f"{case.directive.value or ''} {target.phrase}")
    exact = [n for n in case.tree if n.enabled and label(n.name).folded == phrase.folded]
    if len(exact) == 1 and exact[0].role in SUBMITTERS and not target.quoted:
        return decisions.click_control(exact[0], "Press")
    grounding = case.find(target)
    nodes = [node for one_id in grounding.chosen if (node := case.tree.get(one_id))]
    if grounding.outcome != "absent" and not (
        nodes and all(_is_navigation(n, target) for n in nodes)
    ):
        return click(case)
    if filled is not None:
        return None
    submitter = case.chosen(find_submitter(case.tree))
    phrase_words = phrase.meaning_set | label("submit ok changes").meaning_set
    if submitter is not None and label(submitter.name).meaning_set <= phrase_words:
        return None
    what = f"a button to {case.directive.value} {describe_target(target)}"
    return decisions.missing(describe_missing(what, case.page), grounding.candidates[:3])


def _is_navigation(node: Node, target: Target) -> bool:
    """Whether the control leads to the named thing and submits nothing."""
    if node.role not in NAVIGATION_ROLES or target.quoted or target.role in NAVIGATION_ROLES:
        return False
    other_words = set(label(node.name).words) - set(label(target.phrase).words)
    return not speaks_of("submit", " ".join(other_words))


def _find_by_word(case: StepCase, filled: Node | None) -> Node | None:
    """Return the only control beside the filled field that begins with the person's word: "Save draft"."""
    word = label(case.directive.value or "").words
    if filled is None or not word or case.directive.value in SAVED_BY_PLAN:
        return None
    siblings = [n for n in case.tree if n.enabled and enclosing_form(n) == enclosing_form(filled)]
    matching = [
        n for n in siblings if n.role in SUBMITTERS and label(n.name).words[: len(word)] == word
    ]
    return matching[0] if len(matching) == 1 else None


def _is_saved_at_once(filled: Node, button: Node) -> bool:
    """Whether a choice was made in a record of a list that has no save button of its own."""
    at_once = filled.role in {"sel", "chk", "rad"} and is_of_record(filled)
    return at_once and not is_inside(button, record_group(filled.group))


def _explain_locked(case: StepCase, node: Node) -> str:
    error = f": {case.page.errors[0]}" if case.page.errors else ""
    lacking = [n.name for n in case.tree if "required" in n.states and not n.value and n.name]
    missing = f"; still empty: {', '.join(lacking[:4])}" if lacking else ""
    return f"{describe_control(node)} cannot be pressed{error}{missing}."


def _last_filled(case: StepCase) -> Node | None:
    """Return the control that this run last gave a value, if still on the page."""
    entered = [record for record in case.situation.records if record.action.name in ENTERING]
    return case.tree.get(entered[-1].action.target or "") if entered else None
