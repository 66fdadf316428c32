"""The grounder: which node of a page does a person's phrase mean, and how surely."""

from collections.abc import Iterable, Sequence

from app.domain.directive import FieldValue, Target, Verb
from app.domain.grounding import Grounding
from app.domain.page import Tree
from app.engines.grounding import decision, submit
from app.engines.grounding.decision import decide
from app.engines.grounding.fields import Wanted, field_scores, is_generic, nameless
from app.engines.grounding.forms import assign_fields, in_group, next_field
from app.engines.grounding.scores import Scored, scored
from app.engines.grounding.selection import (
    every,
    generic_role,
    literal,
    nth,
    of_role,
    peers,
    without,
)
from app.engines.grounding.surroundings import container_factors


class Grounder:
    """Finds what phrases mean on a page, by their words alone. Deterministic and without state."""

    def ground(
        self, target: Target, tree: Tree, *, verb: Verb = "click", value: str | None = None
    ) -> Grounding:
        """The node or nodes that `target` means for `verb`.

        `value` helps where it is known: what will be chosen from a list or typed into a field.
        """
        if exact := literal(target, tree):
            target = target.model_copy(update={"phrase": exact.name, "ordinal": None})
        if not target.phrase and verb == "submit":
            return self.submit(tree)
        scores, here = self._scores(target, tree, verb)
        if target.excluding:
            scores = without(scores, target.excluding)
        if target.role is None and value is not None and verb == "select":
            scores = _holding(value, scores)
        found = self._choose(target, scores, here)
        if found.outcome == "absent" and (role := generic_role(target)):
            any_one = target.model_copy(update={"phrase": "", "role": role})
            return self._choose(any_one, *self._scores(any_one, tree, verb))
        if found.outcome == "absent" and verb in ("fill", "clear") and _plain(target):
            return self.field(target.phrase, tree, value=value)
        return found

    def _scores(self, target: Target, tree: Tree, verb: Verb) -> tuple[list[Scored], bool]:
        if target.phrase or verb in (
            "login",
            "logout",
            "close",
            "create",
            "edit",
            "delete",
            "search",
        ):
            return scored(target, tree, verb)
        plain = of_role(target, tree, verb)
        if target.within is None:
            return plain, True
        factors, here = container_factors(target.within, tree)
        return [
            Scored(one.node, one.at, one.score * factors[one.at], one.words, one.why)
            for one in plain
        ], here

    def _choose(self, target: Target, scores: Sequence[Scored], here: bool) -> Grounding:
        said = target.phrase
        if target.all or target.ordinal is not None:
            group = peers(scores, target.role)
            if target.all:
                return every(group, said) if group else decision.absent(_ranked(scores), said, here)
            if target.ordinal is not None and group:
                return nth(group, target.ordinal, said)
        return decide(scores, said or target.role or "", here, target.within or "")

    def field(
        self,
        name: str,
        tree: Tree,
        *,
        value: str | None = None,
        taken: frozenset[str] = frozenset(),
        group: str | None = None,
    ) -> Grounding:
        """The form field called `name`, but for those in `taken`; one in `group` is preferred.

        An empty name means the only, or the next, text field.
        """
        if is_generic(name, tree):
            found = [one for one in nameless(tree, value) if one.node.id not in taken]
            return next_field(in_group(found, group), tree, taken)
        scores = field_scores(Wanted(name, value), tree)
        free = [one for one in scores if one.node.id not in taken]
        return decide(in_group(free, group), name)

    def fields(
        self, pairs: Iterable[FieldValue], tree: Tree, *, group: str | None = None
    ) -> tuple[Grounding, ...]:
        """A field for each pair, in the pairs' order, none twice, best of one form."""
        wanted = [Wanted(pair.field, pair.value) for pair in pairs]
        return assign_fields(wanted, tree, group)

    def submit(self, tree: Tree, *, after: str | Sequence[str] | None = None) -> Grounding:
        """The control that hands in the form that the fields `after` (ids) are in."""
        ids = [after] if isinstance(after, str) else list(after or ())
        found = submit.submit_scores(tree, ids)
        return submit.choose(found)


def _plain(target: Target) -> bool:
    """Whether nothing but a phrase was said, which may be a field's other name."""
    return bool(target.phrase) and not (
        target.quoted or target.all or target.ordinal or target.within or target.near
    )


def _ranked(scores: Sequence[Scored]) -> list[Scored]:
    return sorted(scores, key=lambda one: (-one.score, one.at))


def _holding(value: str, scores: Sequence[Scored]) -> list[Scored]:
    """A list that holds the value is meant rather than one that does not."""
    return [
        Scored(
            one.node, one.at,
            one.score * (0.85 if one.node.options and value not in one.node.options else 1.0),
            one.words, one.why,
        )
        for one in scores
    ]  # fmt: skip
