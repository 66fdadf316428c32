"""Making a record: reaching the form for a new one, or adding a thing to a place."""

from app.domain.action import action
from app.domain.directive import Target
from app.domain.grounding import Grounding
from app.domain.page import Node
from app.domain.plan import Proposal, Refinement
from app.engines.grounding.label import label
from app.engines.planning.wording import quoted
from app.engines.refinement.absence import absent
from app.engines.refinement.case import Case, act, ambiguous, done
from app.engines.refinement.match import in_record, is_of_record
from app.engines.refinement.messages import called
from app.engines.risk import controls
from app.engines.risk.lexicon import speaks_of
from app.text import patterns

PRESSED = frozenset({"btn", "link", "el", "img", "menu"})


def add_to(case: Case) -> Refinement | None:
    """The thing's own control for that place, or the place's field for a name; None without both."""
    directive = case.directive
    where, target = directive.destination, directive.target
    if where is None or target is None or directive.fields:
        return None
    named = " ".join(part for part in (target.phrase, target.within) if part)
    if not named:
        return None
    return _by_control(case, named, where.phrase) or _by_name(case, named, where.phrase)


def _by_control(case: Case, named: str, place: str) -> Refinement | None:
    """Press "Add to cart" of the thing."""
    for phrase in (f"add to {place}", f"add {place}", "add"):
        found = case.find(Target(phrase=phrase, within=named))
        node = case.tree.get(found.chosen[0]) if found.chosen else None
        if found.outcome == "ambiguous" and all(
            in_record(named, c.group) for c in found.candidates
        ):
            return ambiguous(found, f"the way to add {quoted(named)}")
        if node is None or not _adds(node) or not in_record(named, f"{node.group} {node.name}"):
            continue
        left = case.directive.times - case.count("click", node)
        if left > 0:
            words = f"Press {called(node)} of {quoted(named)}"
            return act([Proposal(action=action("click", node.id), description=words)] * left, words)
    return None


def _by_name(case: Case, named: str, place: str) -> Refinement | None:
    """Type the name into the place's one field, and press its "Add"."""
    own = [n for n in case.tree if n.enabled and in_record(place, n.group)]
    fields = [n for n in own if n.role == "inp" and not speaks_of("search", f"{n.name} {n.hint}")]
    adders = [n for n in own if _adds(n)]
    if len(fields) != 1 or len(adders) > 1:
        return None
    entering = Proposal(
        action=action("setValue", fields[0].id, named),
        description=f"Enter {quoted(named)} in {called(fields[0])}",
    )
    made = action("click", adders[0].id) if adders else action("pressKey", "Enter")
    words = f"Press {called(adders[0])}" if adders else "Press Enter"
    sending = Proposal(action=made, description=words)
    return act([entering, sending], f"{entering.description}; {words}.")


def _adds(node: Node) -> bool:
    return node.role in PRESSED and node.enabled and "add" in label(node.name).meaning_set


CREATING = ("new", "add", "create", "register")
ENTRY_ROLES = frozenset({"inp", "sel", "chk", "rad", "range", "file"})
SEARCH_WORDS = patterns.compile(r"\b(search|filter|find)\b", patterns.IGNORECASE)


def create(case: Case) -> Refinement:
    """Reach the form for a new thing of that kind; done once its fields are here."""
    target = case.directive.target or Target()
    if (put := add_to(case)) is not None:
        return put
    if case.did("click") and entries(case):
        return done("The form is open.")
    form = _form(case, target)
    if form is not None:
        return done(f"The form {quoted(form)} is here." if form else "The fields are here.")
    opener = _creator(case, target)
    if isinstance(opener, Node):
        return reaching(opener, f"Open {called(opener)}")
    if isinstance(opener, Grounding):
        return ambiguous(opener, f"the way to a new {target.phrase}")
    if _lone_entry(case):
        return done("The field for it is here.")
    wanted = Target(phrase=f"new {target.phrase}".strip())
    return absent(case, wanted)


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
    return "" if made_here and case.directive.fields and fields_here(case) else None


def entries(case: Case) -> bool:
    """Whether there is something to fill in that is no search."""
    return any(n.role in ENTRY_ROLES and n.enabled and not searches(n) for n in case.tree)


def searches(node: Node) -> bool:
    """Whether what is typed there looks for something."""
    return (
        node.input_type == "search" or SEARCH_WORDS.search(f"{node.name} {node.group}") is not None
    )


def _makes(named: object) -> bool:
    return "add" in getattr(named, "meaning_set", ())


def _lone_entry(case: Case) -> bool:
    """Whether the page has one text field, in no record and for no search, for a thing without fields."""
    fields = case.directive.fields
    kind = case.directive.target.phrase if case.directive.target else ""
    inputs = [n for n in case.tree if n.role == "inp" and n.enabled and not searches(n)]
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


def fields_here(case: Case) -> bool:
    """Whether every field that was named is on the page."""
    for field in case.directive.fields:
        if case.field(Target(phrase=field.field), field.value).outcome != "found":
            return False
    return True


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
            and ("add" in label(node.name).meaning_set or begins_so(node, word))
            and _of_kind(node, kind, case)
        ):
            return node
    bare = [n for n in case.tree if n.enabled and _bare_creator(n) and not _steps(n, case)]
    related = [n for n in bare if _near(n, kind)]
    if related:
        return related[0]
    return bare[0] if len(bare) == 1 and _page_is_about(case, kind) else None


def begins_so(node: Node, word: str) -> bool:
    """Whether the control's label begins with the word."""
    return label(node.name).words[:1] == label(word).words[:1]


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


def reaching(node: Node, description: str) -> Refinement:
    """A click on the way, after which the step goes on."""
    return act(
        [Proposal(action=action("click", node.id), description=description)],
        f"{description}.",
        completes=False,
    )
