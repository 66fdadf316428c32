"""Records: reaching the form for a new one, opening one to edit it, deleting one, confirming."""

import re

from app.domain.action import action
from app.domain.directive import Target
from app.domain.grounding import Grounding
from app.domain.page import Node
from app.domain.plan import Proposal, Refinement
from app.engines.grounding.label import label
from app.engines.planning.wording import quoted, thing
from app.engines.refinement.adding import add_to
from app.engines.refinement.case import Case, act, ambiguous, done, one
from app.engines.refinement.exploring import explore
from app.engines.refinement.lookup import looked_up
from app.engines.refinement.naming import called
from app.engines.refinement.recognising import in_record, is_of_record
from app.engines.risk import controls

CREATING = ("new", "add", "create", "register")
WRITTEN = frozenset({"email", "e-mail", "mail", "message"})
YES = re.compile(r"^(yes|ok|okay|confirm|continue|proceed|sure|i agree)\b", re.I)
MEANS: dict[str, tuple[str, ...]] = {
    "delete": ("delete", "remove", "trash"),
    "edit": ("edit", "change", "modify"),
}
ENTRY_ROLES = frozenset({"inp", "sel", "chk", "rad", "range", "file"})
SEARCH_WORDS = re.compile(r"\b(search|filter|find)\b", re.I)


def create(case: Case) -> Refinement:
    """Reach the form for a new thing of that kind; done once its fields are here."""
    target = case.directive.target or Target()
    if (put := add_to(case)) is not None:
        return put
    if case.did("click") and _entries(case):
        return done("The form is open.")
    form = _form(case, target)
    if form is not None:
        return done(f"The form {quoted(form)} is here." if form else "The fields are here.")
    opener = _creator(case, target)
    if isinstance(opener, Node):
        return _reaching(opener, f"Open {called(opener)}")
    if isinstance(opener, Grounding):
        return ambiguous(opener, f"the way to a new {target.phrase}")
    if _lone_entry(case):
        return done("The field for it is here.")
    wanted = Target(phrase=f"new {target.phrase}".strip())
    return explore(case, wanted)


def edit(case: Case) -> Refinement:
    """Open the record for changing; done once the fields to change are here."""
    if case.directive.fields and _fields_in_record(case):
        return done("The fields are in the record itself.")
    if case.directive.fields and _fields_here(case) and not _in_rows(case):
        return done("The fields are here.")
    if case.did("click") and _entries(case) and not _still_listed(case):
        return done("The form is open.")
    return _on_record(case, "edit")


def delete(case: Case) -> Refinement:
    """Press the record's delete, then agree when the page asks."""
    if any(deed.action.name == "click" and deed.purpose == "work" for deed in case.work):
        agreed = confirm(case, "delete")
        if agreed is not None:
            return agreed
        if not _deletes_all(case) and case.last is not None and _was_delete(case):
            return done(f"{thing(case.directive.target)} was deleted.")
    following = _on_record(case, "delete")
    if following.outcome == "missing" and _deletes_all(case) and case.did("click"):
        return done(f"Nothing is left of {thing(case.directive.target)}.")
    return following


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


def _was_delete(case: Case) -> bool:
    last = case.work[-1]
    name = last.signature[1] if last.signature else last.description
    return bool(set(label(name).meanings) & {"delete", "ok"}) or bool(YES.match(name))


def _form(case: Case, target: Target) -> str | None:
    """The label of the form for it on this page, "" for one without a label; None when not here."""
    kind = label(target.phrase)
    for node in case.tree:
        if node.role not in ENTRY_ROLES or (holder := controls.container(node)) is None:
            continue
        name = holder.split(" > ")[-1].partition(":")[2].strip()
        named = label(name)
        if kind.meaning_set and kind.meaning_set <= named.meaning_set | {"add"} and _makes(named):
            return name
    made_here = _creates_inline(case)
    return "" if made_here and case.directive.fields and _fields_here(case) else None


def _entries(case: Case) -> bool:
    """Whether there is something to fill in that is no search."""
    return any(n.role in ENTRY_ROLES and n.enabled and not _searches(n) for n in case.tree)


def _still_listed(case: Case) -> bool:
    """Whether the control pressed last is still there, with nothing opened in front of it."""
    last = case.work[-1].action.target or ""
    modal = any("modal" in n.states or _asked(n) for n in case.tree)
    return case.tree.get(last) is not None and not modal and not case.directive.fields


def _searches(node: Node) -> bool:
    return (
        node.input_type == "search" or SEARCH_WORDS.search(f"{node.name} {node.group}") is not None
    )


def _makes(named: object) -> bool:
    return "add" in getattr(named, "meaning_set", ())


def _lone_entry(case: Case) -> bool:
    """Whether the page has one text field, in no record and for no search, for a thing without fields."""
    fields = case.directive.fields
    kind = case.directive.target.phrase if case.directive.target else ""
    inputs = [n for n in case.tree if n.role == "inp" and n.enabled and not _searches(n)]
    plain = [n for n in inputs if not is_of_record(n) and n.input_type != "password"]
    named = [n for n in plain if kind and _names(n, kind)]
    bare = bool(fields) and not any(field.field for field in fields)
    return bare and (len(named) == 1 or len(plain) == 1)


def _names(node: Node, kind: str) -> bool:
    return label(kind).meaning_set <= label(f"{node.name} {node.hint}").meaning_set


def _creates_inline(case: Case) -> bool:
    """Whether a form on this page is sent by "Add", "Create" or "Save"."""
    return any(
        controls.is_submit(node, case.page)
        and set(label(node.name).meanings) & {"add", "save", "sign up", "submit"}
        for node in case.tree
    )


def _fields_here(case: Case) -> bool:
    for field in case.directive.fields:
        if case.field(Target(phrase=field.field), field.value).outcome != "found":
            return False
    return True


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
        if node is None or _searches(node):
            return True
    return False


def _creator(case: Case, target: Target) -> Node | Grounding | None:
    """The control that opens the form: "New customer", or "New" standing under "Customer"."""
    kind = target.phrase
    for word in CREATING:
        found = case.find(Target(phrase=f"{word} {kind}".strip(), within=target.within))
        if found.outcome == "ambiguous":
            return found
        node = case.tree.get(found.chosen[0]) if found.chosen else None
        if (
            node is not None
            and "add" in label(node.name).meaning_set
            and _of_kind(node, kind, case)
        ):
            return node
    if set(kind.lower().split()) & WRITTEN:
        found = case.find(Target(phrase="compose"))
        node = case.tree.get(found.chosen[0]) if found.chosen else None
        if node is not None and node.role in {"btn", "link", "el"}:
            return node
    bare = [n for n in case.tree if n.enabled and _bare_creator(n) and not _steps(n, case)]
    related = [n for n in bare if _near(n, kind)]
    if related:
        return related[0]
    return bare[0] if len(bare) == 1 and _page_is_about(case, kind) else None


def _steps(node: Node, case: Case) -> bool:
    """Whether the "+" counts something up, with its "-" beside it, and makes nothing."""
    at = case.tree.nodes.index(node)
    beside = case.tree.nodes[max(0, at - 2) : at + 3]
    return any(n.name.strip() in {"-", "\u2212", "\u2013"} for n in beside)


def _page_is_about(case: Case, kind: str) -> bool:
    """Whether the page says by its title or first heading that it is for things of that kind."""
    headings = [line for line in case.page.summary.splitlines() if line.startswith("#")]
    said = label(" ".join([case.page.title, *headings[:2]])).meaning_set
    return not kind or bool(label(kind).meaning_set & said)


def _of_kind(node: Node, kind: str, case: Case) -> bool:
    wanted = label(kind).meaning_set
    return bool(wanted & label(node.name).meaning_set) or _near(node, kind)


def _bare_creator(node: Node) -> bool:
    return node.role in {"btn", "link", "menu", "tab", "img", "el"} and label(
        node.name
    ).meanings == ("add",)


def _near(node: Node, kind: str) -> bool:
    return bool(label(kind).meaning_set & label(node.group).meaning_set) if kind else True


def _reaching(node: Node, description: str) -> Refinement:
    return act(
        [Proposal(action=action("click", node.id), description=description)],
        f"{description}.",
        completes=False,
    )


def _on_record(case: Case, verb: str) -> Refinement:
    """Press the control that does `verb` to the record; find the record first when it is not here."""
    target = case.directive.target or Target()
    direct = case.find(
        target.model_copy(update={"phrase": f"{verb} {target.phrase}".strip(), "all": False})
    )
    if direct.outcome == "found" and _does(case, direct, verb) and not target.all:
        return _pressed(case, direct, verb)
    within = " ".join(part for part in (target.phrase, target.within) if part)
    for phrase in within_phrases(within):
        found = case.find(
            Target(phrase=verb, within=phrase, all=target.all, ordinal=target.ordinal)
        )
        if found.outcome == "found" and _does(case, found, verb):
            return _pressed(case, found, verb)
        if found.outcome == "ambiguous":
            return ambiguous(found, f"the one to {verb}")
    record = case.find(target)
    if record.outcome == "found" and not case.did("click", case.tree.get(record.chosen[0])):
        node = case.tree.by_id[record.chosen[0]]
        if node.role not in ENTRY_ROLES | {"txt"}:
            return _reaching(node, f"Open {called(node)}")
    lone = case.find(Target(phrase=verb))
    if case.did("click") and lone.outcome == "found" and _does(case, lone, verb):
        return _pressed(case, lone, verb)
    name = target.within or target.phrase
    looked = None if target.all else looked_up(case, name)
    return looked or explore(case, target, record)


def within_phrases(phrase: str) -> list[str]:
    """The record's words, then without those in front: "customer Jas Patel", "Jas Patel"."""
    words = phrase.split()
    return [" ".join(words[start:]) for start in range(min(len(words), 3))]


def _does(case: Case, grounding: Grounding, verb: str) -> bool:
    node = case.tree.get(grounding.chosen[0])
    wanted = {label(word).meanings[0] for word in MEANS.get(verb, (verb,))}
    return node is not None and bool(wanted & label(node.name).meaning_set)


def _pressed(case: Case, grounding: Grounding, verb: str) -> Refinement:
    nodes = [case.tree.by_id[node_id] for node_id in grounding.chosen]
    left = [node for node in nodes if not case.did("click", node)]
    if not left:
        return done(f"{thing(case.directive.target)}: {verb} was pressed.")
    return act(
        [Proposal(action=action("click", left[0].id), description=f"Press {called(left[0])}")],
        f"Press {called(left[0])} of {thing(case.directive.target)}.",
        confidence=grounding.confidence,
        completes=False,
    )
