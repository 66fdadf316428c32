"""What has been read so far, and what it adds to the next directive."""

from dataclasses import dataclass, field

from app.domain.directive import Directive, FieldValue, Target, Verb
from app.reasoners.rules.parse import frames_choose, lexicon
from app.reasoners.rules.parse.conditions import Condition
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.targets import container_name, target_of
from app.reasoners.rules.parse.widgets import boxed


@dataclass
class Draft:
    """An instruction while its clauses are being read."""

    directives: list[Directive] = field(default_factory=list)
    forbidden: list[Target] = field(default_factory=list)
    forbidden_verbs: list[Verb] = field(default_factory=list)
    confidence: float = 1.0
    lead: Span | None = None
    given: tuple[FieldValue, ...] = ()  # of "use the username x and the password y to log in"
    place: Target | None = None  # of "use the textbox to enter X"
    copied: Span | None = None  # of "copy X", until the next directive
    sure_before: float = 1.0  # the confidence before that was read
    condition: Condition | None = None  # of "if a banner shows, ...", until the next directive

    def doubt(self, confidence: float) -> None:
        """Lowers the confidence to this at most."""
        self.confidence = min(self.confidence, confidence)


def in_context(directive: Directive, source: str, draft: Draft) -> Directive:
    """Adds the clause, what a leading phrase said, and what a pronoun stands for."""
    target = directive.target
    if target is not None and target.phrase.lower() in lexicon.PRONOUNS and not target.quoted:
        target = _antecedent(draft) or target
    elif target is not None and target.within and target.within.lower() in lexicon.PRONOUNS:
        before = _antecedent(draft)
        name = before and (before.within or before.phrase or before.role)
        target = target.model_copy(update={"within": name or None})
    if (
        draft.place is not None
        and directive.verb in {"fill", "select", "search"}
        and target is None
    ):
        target = draft.place
    control = _lead_control(draft.lead) if directive.verb == "fill" and target is None else None
    if control is not None:
        target = control
    elif draft.lead is not None and not _lead_is_list(directive):
        target = _placed(target or Target(), draft.lead)
    elif draft.lead is not None:
        target = frames_choose.list_of(draft.lead[1:])
    update: dict[str, object] = {"target": target, "source": source}
    update["condition"] = _needed(draft.condition, target)
    where = directive.destination
    if where is not None and where.phrase.lower() in lexicon.PRONOUNS:
        update["destination"] = _named(_antecedent(draft), draft) or where
    return directive.model_copy(update=update)


def _named(before: Target | None, draft: Draft) -> Target | None:
    """What "it" in "add Tom to it" stands for, by the name it was just given."""
    last = draft.directives[-1] if draft.directives else None
    given = [field.value for field in last.fields if field.field in {"", "name"}] if last else []
    return Target(phrase=given[0]) if given else before


def _needed(condition: Condition | None, target: Target | None) -> str | None:
    """What must be there; of "if it shows" the thing itself."""
    if condition is None or condition.demands is not None:
        return None
    return condition.text or (target and (target.phrase or target.within)) or None


def _lead_control(lead: Span | None) -> Target | None:
    """As in "in the search field type X": the field itself, not something in it."""
    target = None if lead is None else boxed(lead[1:])
    return target if target is not None and target.role is not None else None


def _lead_is_list(directive: Directive) -> bool:
    return directive.verb == "select" and directive.target is None and directive.value is not None


def _placed(target: Target, lead: Span) -> Target:
    relation = target_of(Span(lead.source, lead.tokens))
    within = relation.within or container_name(lead[1:])
    return target.model_copy(
        update={
            "all": target.all or any(t.low in lexicon.QUANTIFIERS for t in lead),
            "within": target.within or (None if relation.near or relation.position else within),
            "near": target.near or relation.near,
            "position": target.position or relation.position,
        }
    )


def _antecedent(draft: Draft) -> Target | None:
    if draft.condition is not None and (draft.condition.topic.phrase or draft.condition.topic.role):
        return draft.condition.topic
    return next((d.target for d in reversed(draft.directives) if d.target is not None), None)
