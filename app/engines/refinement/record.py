"""Doing something to one record: opening it to edit it, deleting it, agreeing to that."""

from app.domain.action import action
from app.domain.directive import Target
from app.domain.grounding import Grounding
from app.domain.page import Node
from app.domain.plan import Deed, Proposal, Refinement
from app.engines.grounding.label import label
from app.engines.grounding.lexicon import STOP_WORDS
from app.engines.grounding.surroundings import names_said
from app.engines.planning.wording import quoted, thing
from app.engines.refinement.absence import absent
from app.engines.refinement.case import Case, act, ambiguous, done, missing, one
from app.engines.refinement.creation import (
    ENTRY_ROLES,
    begins_so,
    entries,
    fields_here,
    reaching,
    searches,
)
from app.engines.refinement.exclusions import spared
from app.engines.refinement.location import twins, was_opened
from app.engines.refinement.match import (
    CROSSES,
    PRESSED,
    crosses,
    in_record,
    is_of_record,
    record_box,
)
from app.engines.refinement.messages import called
from app.engines.risk import is_risky
from app.engines.verification.deletions import LINES, speaks_of
from app.text import patterns

YES = patterns.compile(
    r"^(yes|ok|okay|confirm|continue|proceed|sure|i agree)\b", patterns.IGNORECASE
)
MEANS: dict[str, tuple[str, ...]] = {
    "delete": ("delete", "remove", "trash"),
    "edit": ("edit", "change", "modify"),
}


def edit(case: Case) -> Refinement:
    """Open the record for changing; done once the fields to change are here."""
    if case.directive.fields and _fields_in_record(case):
        return done("The fields are in the record itself.")
    if case.directive.fields and fields_here(case) and not _in_rows(case) and _is_about(case):
        return done("The fields are here.")
    if case.did("click") and entries(case) and not _still_listed(case):
        return done("The form is open.")
    return _on_record(case, "edit")


def _is_about(case: Case) -> bool:
    """Whether the page speaks of the record that was named: fields on other pages are not its own."""
    named = case.directive.target.within if case.directive.target is not None else None
    if not named or case.did("click"):
        return True
    said = [case.page.title, case.page.summary, case.page.url]
    said += [f"{n.name} {n.value or ''} {n.group}" for n in case.tree]
    words = (label(name).meaning_set for name in names_said(named))
    spoken = label(" ".join(said)).meaning_set
    return any(bool(wanted) and wanted <= spoken for wanted in words)


def delete(case: Case) -> Refinement:
    """Press the record's delete, then agree when the page asks, until the page no longer has it."""
    target = case.directive.target or Target()
    pressed = any(deed.action.name == "click" and deed.purpose == "work" for deed in case.work)
    if pressed and (agreed := confirm(case, "delete")) is not None:
        return agreed
    was_delete = pressed and _was_delete(case)
    if was_delete and (asking := next(filter(_asked, case.tree), None)) is not None:
        return missing(f"The page asks before it deletes {thing(target)}: {quoted(asking.group)}")
    if was_delete and not target.all and _is_gone(case, target.within or target.phrase):
        return done(f"{thing(target)} was deleted.")
    following = _crossed_out(case, target) or _on_record(case, "delete")
    if following.outcome == "missing" and target.all and was_delete:
        lost = [one for one in target.excluding if not speaks_of(case.page, one)]
        if lost:
            return missing(f"{quoted(lost[0])} was to stay, and is no longer there.")
        return done(f"Nothing is left of {thing(target)}.")
    return following


def _is_gone(case: Case, name: str) -> bool:
    """Whether the page says so, speaks of the record no more, or lists others where its line stood."""
    if case.page.successes or not speaks_of(case.page, name):
        return True
    last = _done_last(case)
    is_there = any(node.signature == last.signature for node in case.tree)
    lists = any(kind in LINES for node in case.tree for kind, _ in node.groups)
    return not is_there and lists and last.url == case.page.url


def _deletes_all(case: Case) -> bool:
    return case.directive.target is not None and case.directive.target.all


def confirm(case: Case, verb: str) -> Refinement | None:
    """Agree in the dialog that asks about what was just asked for; None when there is none."""
    inside = [n for n in case.tree if n.enabled and n.role in {"btn", "link", "el"} and _asked(n)]
    names = MEANS.get(verb, (verb,))
    same = [
        n for n in inside if set(label(n.name).meanings) & {label(m).meanings[0] for m in names}
    ]
    agreeing = same or [n for n in inside if YES.match(n.name.strip())]
    last = case.last.action.target if case.last is not None else None
    if not agreeing or agreeing[-1].id == last:
        return None
    return one(
        action("click", agreeing[-1].id),
        f"Confirm with {called(agreeing[-1])}",
        completes=not _deletes_all(case),
    )


def _asked(node: Node) -> bool:
    return any(kind == "dialog" for kind, _ in node.groups)


def _done_last(case: Case) -> Deed:
    return next(deed for deed in reversed(case.work) if deed.action.name != "wait")


def _was_delete(case: Case) -> bool:
    last = _done_last(case)
    if last.signature and last.signature[1].strip() in CROSSES:
        return True
    name = last.signature[1] if last.signature else last.description
    return bool(set(label(name).meanings) & {"delete", "ok"}) or bool(YES.match(name))


def _still_listed(case: Case) -> bool:
    """Whether the control pressed last is still there, with nothing opened in front of it."""
    last = case.work[-1].action.target or ""
    modal = any("modal" in n.states or _asked(n) for n in case.tree)
    return case.tree.get(last) is not None and not modal and not case.directive.fields


def _fields_in_record(case: Case) -> bool:
    """Whether the record shows its fields where it stands in the list."""
    target = case.directive.target or Target()
    named = target.within or target.phrase
    for field in case.directive.fields:
        found = case.field(Target(phrase=field.field, within=named), field.value)
        node = case.tree.get(found.chosen[0]) if found.outcome == "found" else None
        if node is None or not is_of_record(node) or not in_record(named, node.group):
            return False
    return bool(named)


def _in_rows(case: Case) -> bool:
    """Whether the fields found belong to rows of a list (a search box, a filter) and to no form."""
    for field in case.directive.fields:
        found = case.field(Target(phrase=field.field), field.value)
        node = case.tree.get(found.chosen[0]) if found.chosen else None
        if node is None or searches(node):
            return True
    return False


def _on_record(case: Case, verb: str) -> Refinement:
    """Press the control that does `verb` to the record; find the record first when it is not here."""
    target = case.directive.target or Target()
    direct = case.find(
        target.model_copy(update={"phrase": f"{verb} {target.phrase}".strip(), "all": False})
    )
    if direct.outcome == "found" and _is_for(case, direct, verb, target) and not target.all:
        same = twins(case, direct, target)
        return ambiguous(same, f"the one to {verb}") if same else _pressed(case, direct, verb)
    if (own := _own_word(case, verb)) is not None:
        return one(action("click", own.id), f"Press {called(own)}", completes=False)
    within = " ".join(part for part in (target.phrase, target.within) if part)
    for phrase in within_phrases(within):
        found = case.find(
            Target(phrase=verb, within=phrase, all=target.all, ordinal=target.ordinal)
        )
        if found.outcome == "found" and _does(case, found, verb) and not _is_place(case, found):
            if (same := twins(case, found, target)) is None:
                return _pressed(case, found, verb)
            found = same
        if found.outcome == "ambiguous":
            meant = found.model_copy(update={"about": phrase or found.about})
            return ambiguous(meant, f"the one to {verb}")
    return _reached(case, verb, target)


def _reached(case: Case, verb: str, target: Target) -> Refinement:
    """The way to that control: the record opened, its menu, its box, the page's search."""
    record = case.find(target)
    if record.outcome == "found" and not case.did("click", case.tree.get(record.chosen[0])):
        node = case.tree.by_id[record.chosen[0]]
        if node.role not in ENTRY_ROLES | {"txt"} and not is_risky(node.name):
            return reaching(node, f"Open {called(node)}")
    lone = case.find(Target(phrase=verb))
    name = target.within or target.phrase
    opened = case.did("click") or was_opened(case, name)
    if opened and lone.outcome == "found" and _does(case, lone, verb) and not _is_place(case, lone):
        return _pressed(case, lone, verb)
    if target.all:
        return absent(case, target, record)
    if verb == "delete" and (ticked := _by_selection(case, verb, name)) is not None:
        return ticked
    if any(in_record(name, n.group) for n in case.tree):
        return absent(case, Target(phrase=verb, within=name), record)
    return absent(case, target, record)


def _by_selection(case: Case, verb: str, name: str) -> Refinement | None:
    """Tick the record's box and press the list's own "Delete", where no other is ticked."""
    box, found = record_box(case, name), case.find(Target(phrase=verb))
    button = case.tree.get(found.chosen[0]) if found.outcome == "found" else None
    if box is None or button is None or is_of_record(button) or not _does(case, found, verb):
        return None
    others = [n for n in case.tree if n.role == "chk" and n is not box and is_of_record(n)]
    if any("checked" in n.states for n in others) or case.did("click", button):
        return None
    if "checked" not in box.states:
        made = action("setChecked", box.id, True)
        return one(made, f"Check {called(box)} of {quoted(name)}", completes=False)
    return reaching(button, f"Press {called(button)} for {quoted(name)}")


def _crossed_out(case: Case, target: Target) -> Refinement | None:
    """The cross in the record's own line, where it has one."""
    named, within = (
        (target.phrase, target.within or "") if target.phrase else (target.within or "", "")
    )
    found = crosses(case, named, within) if named and not target.all else []
    if not found and within:
        found = crosses(case, within, "")
    if len(found) != 1:
        return None
    if case.did("click", found[0]):
        return _still_there(target)
    return reaching(found[0], f"Press {called(found[0])} of {quoted(named)}")


def _still_there(target: Target | None) -> Refinement:
    return missing(f"{thing(target)} is still on the page.")


def _own_word(case: Case, verb: str) -> Node | None:
    """A control called by the person's own verb and the record: "Rename project"."""
    word = case.directive.source.strip().partition(" ")[0].lower()
    target = case.directive.target or Target()
    if verb != "edit" or word in MEANS["edit"] or not word.isalpha():
        return None
    whole = Target(phrase=f"{word} {target.phrase or target.within or ''}".strip())
    own = Target(phrase=word, within=target.within or target.phrase or None)
    for wanted in (whole, own):
        found = case.find(wanted)
        node = case.tree.get(found.chosen[0]) if found.outcome == "found" else None
        if node is None or node.role not in PRESSED or case.did("click", node):
            continue
        if begins_so(node, word) and (wanted is whole or in_record(own.within or "", node.group)):
            return node
    return None


def _is_place(case: Case, grounding: Grounding) -> bool:
    """Whether it is an entry of the page's navigation: a mailbox called "Trash" deletes nothing."""
    node = case.tree.get(grounding.chosen[0])
    return node is not None and any(kind in {"nav", "tree"} for kind, _ in node.groups)


def within_phrases(phrase: str) -> list[str]:
    """The record's words, then without those in front: "customer Jas Patel", "Jas Patel"."""
    words = phrase.split()
    return [" ".join(words[start:]) for start in range(min(len(words), 3))]


def _does(case: Case, grounding: Grounding, verb: str) -> bool:
    node = case.tree.get(grounding.chosen[0])
    wanted = {label(word).meanings[0] for word in MEANS.get(verb, (verb,))}
    return node is not None and bool(wanted & label(node.name).meaning_set)


def _is_for(case: Case, grounding: Grounding, verb: str, target: Target) -> bool:
    """Whether the control does that; one that deletes is called by the act and the record alone."""
    if not _does(case, grounding, verb) or verb != "delete":
        return _does(case, grounding, verb)
    node = case.tree.by_id[grounding.chosen[0]]
    known = label(f"{' '.join(MEANS[verb])} {target.phrase} {target.within or ''}")
    return label(node.name).meaning_set - STOP_WORDS <= known.meaning_set


def _pressed(case: Case, grounding: Grounding, verb: str) -> Refinement:
    nodes = [case.tree.by_id[node_id] for node_id in grounding.chosen]
    left_alone = spared(case)
    left = [n for n in nodes if not case.did("click", n) and n.id not in left_alone]
    if not left and any(node.id in left_alone for node in nodes):
        return done("All others are.")
    if not left and verb == "delete":
        return _still_there(case.directive.target)
    if not left:
        return done(f"{thing(case.directive.target)}: {verb} was pressed.")
    return act(
        [Proposal(action=action("click", left[0].id), description=f"Press {called(left[0])}")],
        f"Press {called(left[0])} of {thing(case.directive.target)}.",
        confidence=grounding.confidence,
        completes=False,
    )
