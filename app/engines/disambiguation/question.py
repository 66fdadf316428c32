"""The question which of several is meant, its options told apart: made from the page, never by a model."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.domain.directive import Verb
from app.domain.grounding import Candidate
from app.domain.page import Node, Observation
from app.domain.plan import PlanStep, Refinement
from app.domain.question import Option, Question
from app.domain.skill import ElementRef
from app.engines.grounding.label import label
from app.engines.grounding.surroundings import record
from app.engines.planning.wording import ROLE_WORDS
from app.engines.risk.lexicon import words

Signature = tuple[str, str, str]


def twins_apart(signature: Signature, page: Observation) -> list[list[Node]]:
    """The controls of the record that such a control stands in; where several records go by the same
    words, those of each, in order.

    Records alike hold as many controls each, with one of this kind; else a new one begins where a
    control comes again.
    """
    held = record(signature[2])
    nodes = [node for node in page.tree if held and record(node.group) == held]
    count = sum(node.signature == signature for node in nodes)
    size, rest = divmod(len(nodes), count) if count else (0, 1)
    if not rest:
        runs = [nodes[at : at + size] for at in range(0, len(nodes), size)]
        if all(sum(n.signature == signature for n in run) == 1 for run in runs):
            return runs
    return _repeats(nodes)


def _repeats(nodes: Sequence[Node]) -> list[list[Node]]:
    runs: list[list[Node]] = []
    seen: set[Signature] = set()
    for node in nodes:
        if not runs or node.signature in seen:
            runs.append([])
            seen = set()
        seen.add(node.signature)
        runs[-1].append(node)
    return runs


LONGEST = 80  # characters: two lines of the panel, which is 360 px wide
_PLACE = 48  # of them for where it stands
_MOST_NEAR = 3  # other controls of its record that are named


@dataclass(frozen=True, slots=True)
class Seen:
    """A candidate with its node."""

    candidate: Candidate
    node: Node


def labels(found: Sequence[Seen], page: Observation) -> list[str]:
    """A line for each, no two alike; plain text, at most `LONGEST` characters.

    Where name and record do not tell them apart, the containers around do; then what else the record
    says, and last the order on the page.
    """
    made = [_placed(one, "") for one in found]
    for tell_apart in (_around, _beside):
        twins = Counter(made)
        same = [at for at, text in enumerate(made) if twins[text] > 1]
        for at, more in zip(same, tell_apart([found[at] for at in same], page), strict=True):
            made[at] = _placed(found[at], more)
    return _numbered(made)


def _name(one: Seen) -> str:
    return _plain(one.candidate.name or one.node.name or one.node.hint or _kind(one.node))


def _kind(node: Node) -> str:
    return ROLE_WORDS.get(node.role, "control")


def _placed(one: Seen, more: str) -> str:
    """'Delete (row: Jas Patel, 1990)'; what stands in the place's own words is not said twice."""
    name = _cut(_name(one), LONGEST - _PLACE)
    kind, place = _innermost(one.node)
    if place and words(place).startswith(words(name)) and not more:
        return _cut(place, LONGEST)
    if f" {words(place)} " in f" {words(name)} ":
        kind, place = "", ""
    where = f"{kind}: {place}" if place else ""
    said = "; ".join(part for part in (where, more) if part)
    return _cut(f"{name} ({said})", LONGEST) if said else name


def _innermost(node: Node) -> tuple[str, str]:
    """The container that says something, from the inside; a record before what is inside it."""
    named = [(kind, _plain(text)) for kind, text in node.groups if text.strip()]
    held = next((one for one in reversed(named) if one[0] in ("row", "item")), None)
    return held or (named[-1] if named else ("", ""))


def _around(found: Sequence[Seen], page: Observation) -> list[str]:
    """For each the outermost container in which it differs from another candidate."""
    return [_apart(one, found) for one in found]


def _apart(one: Seen, found: Sequence[Seen]) -> str:
    for other in found:
        pairs = zip(one.node.groups, other.node.groups, strict=False)
        apart = next((mine for mine, theirs in pairs if mine != theirs and mine[1]), None)
        if apart is not None and apart != _innermost(one.node):
            return f"{apart[0]}: {_plain(apart[1])}"
    return ""


def _beside(found: Sequence[Seen], page: Observation) -> list[str]:
    """For each what its own record says besides, and no other candidate's does."""
    runs = {kind: twins_apart(kind, page) for kind in {one.node.signature for one in found}}
    texts = [_texts(one, runs[one.node.signature]) for one in found]
    said = Counter(text for own in texts for text in own)
    return [", ".join([text for text in own if said[text] == 1][:_MOST_NEAR]) for own in texts]


def _texts(one: Seen, runs: Sequence[Sequence[Node]]) -> list[str]:
    """Names and values of the other controls of its record, which is one of the runs."""
    own = next((run for run in runs if any(node is one.node for node in run)), [])
    texts = (_plain(f"{n.name} {_shown(n)}") for n in own if n.id != one.node.id)
    return [text for text in dict.fromkeys(texts) if text and text != _name(one)]


def _shown(node: Node) -> str:
    """What is chosen there; never what was typed."""
    return (node.value or "") if node.role == "sel" else ""


def _numbered(made: Sequence[str]) -> list[str]:
    twins, seen = Counter(made), Counter[str]()
    told = []
    for text in made:
        seen[text] += 1
        order = f", {nth(seen[text])} from the top" if twins[text] > 1 else ""
        told.append(_cut(text, LONGEST - len(order)) + order)
    return told


def nth(number: int) -> str:
    """As an ordinal: 1st, 2nd, 3rd, 11th."""
    teen = 10 <= number % 100 <= 20
    ending = "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _plain(text: str) -> str:
    """One line, without signs that turn or hide text."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


MOST_OPTIONS = 9  # a person picks by number, with one key
_LONGEST = 60  # characters of the person's own words, said again
_DONE_TO_EACH: frozenset[Verb] = frozenset({"delete", "check", "uncheck"})
_PRESSED: frozenset[Verb] = frozenset({"click"})
_OF_EACH = frozenset(
    meaning
    for word in (
        "activate", "approve", "archive", "block", "bookmark", "cancel", "complete", "deactivate",
        "delete", "disable", "download", "enable", "export", "flag", "follow", "like", "mark", "mute",
        "pin", "publish", "reject", "remove", "resolve", "restore", "select", "star", "suspend",
        "unsubscribe",
    )
    for meaning in label(word).meanings
)  # fmt: skip
"""What is done to a record where it stands, and leaves the others to be done as well."""


def question_of(
    refinement: Refinement, page: Observation, step: PlanStep | None = None
) -> Question | None:
    """The question that lets a person choose; None where there is nothing to choose from.

    More than fit the keys are there to be named by words. A step for which something was chosen
    already is asked for because the page is another since.
    """
    found = _found(refinement.candidates, page)
    options = options_of(refinement.candidates, page)
    if len(options) < 2:
        return None
    several = step is not None and may_be_several(step, [one.node for one in found])
    before = "The page has changed since you chose. " if step and step.chosen else ""
    asked = Question(
        text="",
        kind="disambiguation",
        source="grounding",
        return_to="grounding/apply_selection",
        options=options[:MOST_OPTIONS],
        further=options[MOST_OPTIONS:],
        multiple=several,
        about=refinement.about,
    )
    return asked.model_copy(update={"text": before + _text(asked)})


def narrower(question: Question, fitting: Sequence[Option]) -> Question:
    """The same question with fewer options: those that the person's words left."""
    kept = {one.id for one in fitting}
    rest = [one for one in (*question.options, *question.further) if one.id not in kept]
    numbered = [
        one.model_copy(update={"id": str(at)})
        for at, one in enumerate((*fitting, *rest, *question.apart), start=1)
    ]
    shown, left = numbered[: len(fitting)], numbered[len(fitting) :]
    fewer = question.model_copy(
        update={
            "options": tuple(shown[:MOST_OPTIONS]),
            "further": tuple(shown[MOST_OPTIONS:]),
            "apart": tuple(left),
        }
    )
    return fewer.model_copy(update={"text": _text(fewer)})


def options_of(candidates: Iterable[Candidate], page: Observation) -> tuple[Option, ...]:
    """The candidates that are on the page, numbered in its order, each by a label of its own."""
    found = _found(candidates, page)
    alike: dict[tuple[str, str, str], list[str]] = {one.node.signature: [] for one in found}
    for node in page.tree:
        if node.signature in alike:
            alike[node.signature].append(node.id)
    told = zip(found, labels(found, page), strict=True)
    return tuple(
        _option(number, one.node, text, alike[one.node.signature])
        for number, (one, text) in enumerate(told, start=1)
    )


def may_be_several(step: PlanStep, nodes: Sequence[Node]) -> bool:
    """Whether what the step does can be done to each of them, one after the other."""
    directive = step.directive
    if directive is None or (directive.target is not None and directive.target.ordinal is not None):
        return False
    if directive.verb in _DONE_TO_EACH:
        return True
    if directive.verb == "select":
        return all(node.role == "chk" for node in nodes)
    if directive.verb not in _PRESSED or directive.fields:
        return False
    apart = {record(node.group) for node in nodes}
    own = len(apart) == len(nodes) and "" not in apart
    return own and all(set(label(node.name).meanings) & _OF_EACH for node in nodes)


def quoted(text: str) -> str:
    """In the quotes of the product's own words."""
    return text if text[:1] in "'“" else f"'{text}'"


def _found(candidates: Iterable[Candidate], page: Observation) -> list[Seen]:
    named = {one.id: one for one in candidates}
    return [Seen(named[node.id], node) for node in page.tree if node.id in named]


def _option(number: int, node: Node, text: str, alike: Sequence[str]) -> Option:
    return Option(
        id=str(number),
        label=text,
        element_id=node.id,
        element=ElementRef.of(node.signature),
        nth=alike.index(node.id),
        alike=len(alike),
    )


def _text(question: Question) -> str:
    shown, all_ = len(question.options), len(question.options) + len(question.further)
    about = question.about[:_LONGEST]
    meant = f" by {quoted(about)}" if about else ""
    lines = [f"{all_} things here could be meant{meant}."]
    if all_ > shown:
        lines = [f"{all_} things here could be meant{meant}; these are the first {shown}."]
    lines.append("Which of them?" if question.multiple else "Which one?")
    if all_ > shown:
        lines.append("You can also say more words, such as a name or a date.")
    if question.multiple:
        every = f"the {shown} shown" if all_ > shown else "each of them"
        lines.append(f"Several can be named; “all” means {every}.")
    return " ".join(lines)
