"""How a browser dialog is answered, decided before the action by what the person asked for."""

from app.domain.directive import Directive, FieldValue
from app.domain.page import DialogDecision, Node, Observation, ObservedDialog
from app.domain.plan import Plan, Proposal
from app.domain.reasoner import Situation
from app.domain.redaction import secrets_in, secrets_told
from app.grounding.label import label
from app.text import patterns
from app.text.lexicon import is_risky, pattern, speaks_of, words
from app.text.vocabulary import stems, vocabulary

_EMPTY = frozenset({"are", "you", "sure", "want", "really", "this", "that", "please", "enter", "what",
                    "do", "to", "the", "a", "an", "new", "it", "is", "ok", "yes", "all"})  # fmt: skip
# What a question is made of that names nothing: "Are you sure you want to continue?"
_BARE = vocabulary("dialogs.bare")
# These add nothing to what was decided, whatever it was about.
SAYS_NOTHING = tuple(sorted(_BARE | vocabulary("dialogs.final")))
_RECORDS = frozenset({"row", "item"})
# "Do you want to add another contact?" comes after what was asked for, and asks for more.
_MORE = pattern(stems("dialogs.more"))
_WORD = patterns.compile(r"[^\W_]+")
_PUNCTUATION = patterns.compile(r"[^\w\s]+")


def plan_dialog_answer(proposal: Proposal, node: Node | None, plan: Plan) -> DialogDecision | None:
    """The answer that goes with an action.

    Irreversible actions are often confirmed ("Delete Jas?"). If the person's own words ask for
    that, and the action does it rather than look around, the answer is yes.
    """
    if proposal.dialog is not None:
        return proposal.dialog
    said = _said(plan)
    if proposal.purpose == "explore" or not speaks_of("risky", said):
        return None
    if node is None or not is_risky(node.name):
        return None
    return DialogDecision(accept=True)


def expect_dialog(
    decided: DialogDecision | None, node: Node | None, situation: Situation
) -> DialogDecision | None:
    """A yes decided before the dialog appears, if it matches the control, its record and the person's
    words, but not words about another record ("but keep Ann").
    """
    if decided is None or not decided.accept or decided.about is not None:
        return decided
    own = _worded(f"{node.name} {node.group}" if node is not None else "")
    others = {n.group for n in situation.page.tree if n.groups and n.groups[-1][0] in _RECORDS}
    said = _worded(_said(situation.plan)) - _worded(" ".join(others))
    told = secrets_told(situation.plan.instruction, situation.background)
    hidden = told | secrets_in(situation.goal)
    known = (own | said) - _worded(" ".join(hidden))
    return decided.model_copy(update={"about": tuple(sorted(known))})


def _worded(text: str) -> frozenset[str]:
    """The text in the form the page script parses dialogs into."""
    return frozenset(_WORD.findall(text.lower()))


def dialog_question(page: Observation) -> ObservedDialog | None:
    """The dialog that stopped the last action, since no answer had been decided."""
    return next((d for d in reversed(page.dialogs) if d.declined and not d.foreseen), None)


def decide_dialog(asked: ObservedDialog, plan: Plan, *, on: str = "") -> DialogDecision | None:
    """Yes to a question about exactly what the person asked for; None otherwise.

    A question that names nothing ("Are you sure?") is about the pressed control, named `on`, and
    gets a yes if that control serves the request. A prompt needs a text that the person gave. A
    question about something irreversible ("Delete all records?") also needs the person's own words
    for it.
    """
    if asked.kind == "prompt":
        text = _value_for(asked.message, plan)
        if plan.maker == "model" and (text or "") not in _said(plan):
            return None
        return None if text is None else _yes_to(asked, text)
    said = _said(plan)
    if speaks_of("risky", asked.message) and not speaks_of("risky", said):
        return None
    if asks_for_more(asked.message) and not asks_for_more(said):
        return None
    if on and is_bare(asked.message):
        return None if speaks_of("risky", on) and not speaks_of("risky", said) else _yes_to(asked)
    common = _content(asked.message) & _content(said)
    return _yes_to(asked) if common else None


def _yes_to(asked: ObservedDialog, text: str | None = None) -> DialogDecision:
    """A yes for the case that the same question comes again."""
    return DialogDecision(accept=True, text=text, about=tuple(sorted(_worded(asked.message))))


def asks_for_more(text: str) -> bool:
    """Whether the question is about continuing to something else, or leaving the page."""
    return _MORE.search(words(text)) is not None


def is_bare(message: str) -> bool:
    """Whether the question names no subject."""
    said = _PUNCTUATION.sub(" ", message.casefold().replace("'", " ")).split()
    return bool(said) and _BARE.issuperset(said)


def _said(plan: Plan) -> str:
    """The person's words for the current step. A model's own words authorize nothing."""
    step = plan.step
    if step is None:
        return ""
    if plan.maker == "model":
        return plan.instruction.text if plan.instruction else ""
    return (step.directive.source if step.directive else "") or step.description


def _content(text: str) -> frozenset[str]:
    return frozenset(label(text).meaning_set) - _EMPTY


def _value_for(message: str, plan: Plan) -> str | None:
    """The value for a prompt: of the field it names, or the only one that the step gives."""
    step = plan.step
    directives: tuple[Directive, ...] = (step.directive,) if step and step.directive else ()
    fields = [pair for directive in directives for pair in _pairs(directive)]
    named = [pair for pair in fields if _content(pair.field) & _content(message)]
    found = named or fields
    return found[0].value if len(found) == 1 else None


def _pairs(directive: Directive) -> tuple[FieldValue, ...]:
    if directive.fields or directive.value is None:
        return directive.fields
    target = directive.target.phrase if directive.target else ""
    return (FieldValue(field=target, value=directive.value),)
