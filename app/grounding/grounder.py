"""Matches a person's phrases to nodes of a page: controls, form fields, the submit button."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile

from app.domain.directive import FieldValue, Grounding, Target, Verb
from app.domain.page import Node, Tree
from app.grounding.labels import (
    CANCEL_WORDS,
    ROLE_WORDS,
    STOP_WORDS,
    SUBMIT_WORDS,
    WHOLE,
    label,
    similarity,
)
from app.grounding.scores import (
    FOUND,
    MARGIN,
    VERB_WORDS,
    Scored,
    absent_grounding,
    best_agreement,
    decide_grounding,
    found_grounding,
    list_candidates,
    match_confidence,
    rank_scores,
    role_fit,
    score_nodes,
    state_fit,
    verb_fit,
)
from app.grounding.surroundings import (
    container_factors,
    dialog_factors,
    parse_group,
    record_group,
)
from app.page import ENTRIES, cut_group, is_opener

# Alternative field names. Keys are meanings of the lexicon.
_ALIASES = {"name": "full name", "full name": "name", "username": "email"}
_ALIAS_FACTOR = 0.9
_FORMS = frozenset({"form", "dialog", "tabpanel"})
_ELSEWHERE = 0.88  # factor for a field outside the form of the others
_CHOICE = 0.9  # the group has the field's name, the choice its value
_UNFIT = 0.7  # factor for a value that does not fit the kind of field
_BOOLEAN_WORDS = frozenset(
    {"yes", "no", "true", "false", "on", "off", "checked", "unchecked", "y", "n"}
)
_DIGIT_TYPES = frozenset({"date", "month", "week", "datetime-local", "time", "number", "tel"})
# Generic words for a text field.
_ANY_FIELD = ROLE_WORDS | {"text", "value", "area", "line", "string", "blank", "empty"}
_PARTLY = 0.84  # below `plans.GROUNDED`, so that a model is asked if available
_READONLY = 0.8  # factor for a field that takes no text
_ONLY, _NEXT = 0.93, 0.62  # confidence for the only text field, and for the next of several


def find_field(name: str, tree: Tree, *, value: str | None = None) -> Grounding:
    """Find the form field called `name`; for an empty name, the only or the next text field."""
    scores, is_any = _score_fields(name, value, tree)
    if not is_any:
        return _decide_field(scores, name)
    best = rank_scores(scores)
    if not best:
        return absent_grounding([], "a field to type into")
    alone = len(best) == 1 or best[0].score - best[1].score > MARGIN
    sure = {"confidence": _ONLY if alone else _NEXT}
    return found_grounding(best[0], best, 0.0).model_copy(update=sure)


def _decide_field(scores: Sequence[Scored], name: str) -> Grounding:
    """Decide the outcome. A field whose name matches only in part is not certain."""
    made = decide_grounding(scores, name)
    whole = any(one.node.id in made.chosen and one.words >= WHOLE for one in scores)
    return made if whole else made.model_copy(update={"confidence": min(made.confidence, _PARTLY)})


def assign_fields(pairs: Iterable[FieldValue], tree: Tree) -> tuple[Grounding, ...]:
    """Find a distinct field for each pair, in the order of the pairs, preferably in one form."""
    wanted = tuple(pairs)
    rows = _prefer_one_form([_score_fields(pair.field, pair.value, tree)[0] for pair in wanted])
    best = [max((one.score for one in row), default=0.0) for row in rows]
    made: dict[int, Grounding] = {}
    taken: set[str] = set()
    for at in sorted(range(len(rows)), key=lambda at: -best[at]):
        free = [one for one in rows[at] if one.node.id not in taken]
        made[at] = _decide_field(free, wanted[at].field)
        taken.update(made[at].chosen)
    return tuple(made[at] for at in range(len(rows)))


def _score_fields(name: str, value: str | None, tree: Tree) -> tuple[list[Scored], bool]:
    """Return the scored fields, and whether the name means any text field."""
    front, called, typed = dialog_factors(tree), list[Scored](), list[Scored]()
    for at, node in enumerate(tree):
        if node.role not in ENTRIES:
            continue
        fit = _value_fit(value, node) * state_fit(node) * front[at]
        fit *= _READONLY if "readonly" in node.states else 1.0
        words = _name_score(name, value, node)
        called.append(Scored(node, at, words * fit, words))
        if node.role == "inp":
            score = 0.7 * fit + 0.15 * ("focused" in node.states) - 0.1 * bool(node.value)
            typed.append(Scored(node, at, score, score))
    name_words = set(label(name).folded.split())  # nothing, or a generic name: "the text field"
    generic = not name_words or (
        name_words <= _ANY_FIELD | STOP_WORDS and not name_words <= STOP_WORDS
    )
    is_any = generic and all(one.score < FOUND for one in called)
    return typed if is_any else called, is_any


def _name_score(name: str, value: str | None, node: Node) -> float:
    phrase = label(name)
    best = best_agreement(phrase, node)
    if value is not None and node.role in ("rad", "chk") and _is_choice(name, value, node):
        best = max(best, _CHOICE)
    other = label(_ALIASES.get(" ".join(phrase.meanings), ""))
    return max(best, best_agreement(other, node) * _ALIAS_FACTOR)


def _is_choice(name: str, value: str, node: Node) -> bool:
    """Whether the node's group is the field's name and its own name the value."""
    name_meanings = label(name).meaning_set
    around = frozenset[str]().union(
        *(group_label.meaning_set for _, group_label in parse_group(node.group))
    )
    is_grouped = bool(name_meanings) and name_meanings <= around
    return is_grouped and similarity(label(value), label(node.name)) >= WHOLE


def _value_fit(value: str | None, node: Node) -> float:
    """Return how well the value fits the kind of field: 1 if it fits or nothing is known."""
    text = (value or "").strip()
    if value is None:
        fits = True
    elif node.role == "sel" and node.options:
        fits = any(similarity(label(text), label(one)) >= WHOLE for one in node.options)
    elif node.role in ("chk", "rad"):
        fits = text.lower() in _BOOLEAN_WORDS or similarity(label(text), label(node.name)) >= WHOLE
    elif node.role == "file":
        fits = "." in text
    else:
        fits = node.input_type not in _DIGIT_TYPES or any(char.isdigit() for char in text)
    return 1.0 if fits else _UNFIT


def _form_of(one: Scored) -> str:
    return cut_group(one.node.group, _FORMS)


def _prefer_one_form(rows: Sequence[Sequence[Scored]]) -> list[list[Scored]]:
    """Reduce the scores of fields outside the form with most matches."""
    homes = [
        home for row in rows for home in {_form_of(one): 0 for one in row if one.score >= FOUND}
    ]
    main = Counter(homes).most_common(1)[0][0] if homes else ""
    return [
        [
            one if _form_of(one) == main else one._replace(score=one.score * _ELSEWHERE)
            for one in row
        ]
        for row in rows
    ]


# Confidence that a button submits the form: by its type, first word, any word, or place alone.
_TYPED, _SAYS_SO, _MENTIONS, _UNKNOWN = 0.97, 0.95, 0.8, 0.45
_ROLES = {"btn": 1.0, "img": 0.85, "el": 0.85, "link": 0.75}
_BEFORE = 0.8  # a submit button follows the fields; one before them is probably a toolbar's
_LEAST = 0.38  # the only button of a form submits it even without a label


def find_submitter(tree: Tree, *, after: Sequence[str] = ()) -> Grounding:
    """Find the most likely submit button for the fields `after` (ids; any form if empty)."""
    filled = [at for at, node in enumerate(tree) if node.id in after]
    homes = [tree.nodes[at].group for at in filled]
    front, made = dialog_factors(tree), []
    for at, node in enumerate(tree):
        if worth := _submit_score(node):
            place = max((_place_score(node, home) for home in homes), default=1.0)
            order = 1.0 if at > max(filled, default=-1) else _BEFORE
            made.append(Scored(node, at, worth * place * order * front[at], worth))
    best = rank_scores(made)
    if not best or best[0].score < _LEAST:
        return absent_grounding(best, "submit")
    return found_grounding(best[0], best, best[1].score if len(best) > 1 else 0.0)


def _submit_score(node: Node) -> float:
    if node.role not in _ROLES or is_opener(node):
        return 0.0
    meanings = [one for one in label(node.name).meanings if one not in STOP_WORDS]
    if meanings[:1] and meanings[0] in CANCEL_WORDS:
        return 0.0
    worth = _UNKNOWN if node.role == "btn" else 0.0
    if not SUBMIT_WORDS.isdisjoint(meanings):
        worth = _SAYS_SO if meanings[0] in SUBMIT_WORDS else _MENTIONS
    if node.input_type == "submit":
        worth = max(worth, _TYPED)
    longer = 0.03 * max(0, len(meanings) - 1)  # "Save" before "Save and add another"
    return worth * (1.0 - longer) * _ROLES[node.role] * state_fit(node)


def _place_score(node: Node, home: str) -> float:
    """Score the place: 1 within the filled field's containers, 0 for another row's button."""
    form, line = cut_group(node.group, _FORMS), record_group(node.group)
    if form and form == cut_group(home, _FORMS):
        return 1.0
    if line and node.input_type != "submit" and not f"{home} > ".startswith(f"{line} > "):
        return 0.0
    path, home_path = (one.split(" > ") if one else [] for one in (node.group, home))
    pairs = zip(path, home_path, strict=False)
    shared = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    return (1.0 if shared or not home_path else 0.8) * 0.88 ** (len(path) - shared)


_PEER = 0.8  # share of the best score: nodes counted for "the second Edit"
_PLAIN = 0.9  # the score of every node of the role if there is no phrase
_STRICT = frozenset({"btn", "link", "inp", "chk"})  # roles that are frequent on any page


def ground_target(
    target: Target, tree: Tree, *, verb: Verb = "click", value: str | None = None
) -> Grounding:
    """Return what `target` means for `verb`, by words alone; `value` is the text to type, if known."""
    more = target.quoted or target.all or target.ordinal or target.within or target.near
    if verb in ("fill", "clear") and target.phrase and not more:  # it may also name a field
        return find_field(target.phrase, tree, value=value)
    if exact := _find_numbered_label(target, tree):
        target = target.model_copy(update={"phrase": exact.name, "ordinal": None})
    if not target.phrase and verb == "submit":
        return find_submitter(tree)
    scores, is_placed = _score_target(target, tree, verb)
    excluded = [label(phrase) for phrase in target.excluding]
    scores = [
        one
        for one in scores
        if all(similarity(it, label(one.node.name)) < WHOLE for it in excluded)
    ]
    return _choose_outcome(target, scores, is_placed)


def _score_target(target: Target, tree: Tree, verb: Verb) -> tuple[list[Scored], bool]:
    if target.phrase or verb in VERB_WORDS:
        return score_nodes(target, tree, verb)
    plain = _score_role(target, tree, verb)
    if target.within is None:
        return plain, True
    factors, is_placed = container_factors(target.within, tree)
    return [one._replace(score=one.score * factors[one.at]) for one in plain], is_placed


def _choose_outcome(target: Target, scores: Sequence[Scored], is_placed: bool) -> Grounding:
    phrase, missing = target.phrase or target.role or "", "" if is_placed else target.within or ""
    group = _peers(scores, target.role) if target.all or target.ordinal is not None else []
    if target.all and not group:
        return absent_grounding(rank_scores(scores), phrase, missing)
    if target.all:
        able = [one for one in group if one.node.enabled] or group
        return Grounding(
            outcome="found",
            chosen=tuple(one.node.id for one in able),
            confidence=match_confidence(min(able, key=lambda one: one.score)),
            candidates=list_candidates(able),
            reason=f"{len(able)} things",
        )
    if target.ordinal is not None and group:
        return _choose_nth(group, target.ordinal, phrase)
    return decide_grounding(scores, phrase, missing)


def _find_numbered_label(target: Target, tree: Tree) -> Node | None:
    """Return the only control whose label contains the number: "Tab #2" for "tab 2"."""
    if target.ordinal is None or target.ordinal < 1:
        return None
    wanted = label(f"{target.phrase or target.role} {target.ordinal}").folded
    hits = [node for node in tree if node.role != "txt" and label(node.name).folded == wanted]
    return hits[0] if len(hits) == 1 else None


def _score_role(target: Target, tree: Tree, verb: Verb) -> list[Scored]:
    """Return every node of the role with one score; a row's first control may represent it."""
    role = "chk" if target.role is None and verb in ("check", "uncheck") else target.role
    nodes = [(at, node) for at, node in enumerate(tree) if node.role != "txt"]
    fitting = [(at, node) for at, node in nodes if _has_role(role, node, verb)]
    if role == "row" and not any(node.role == "row" for _, node in nodes):
        heads = {record_group(node.group): (at, node) for at, node in reversed(nodes)}
        fitting = sorted((head for group, head in heads.items() if group), key=lambda one: one[0])
    return [Scored(node, at, _PLAIN * verb_fit(verb, node), _PLAIN) for at, node in fitting]


def _has_role(role: str | None, node: Node, verb: Verb) -> bool:
    if role is None:
        return verb_fit(verb, node) > 0.6
    return node.role == role or (role not in _STRICT and role_fit(role, node) >= 0.9)


def _peers(scores: Sequence[Scored], role: str | None) -> list[Scored]:
    """Return the nodes counted for "the second one": the best, in page order, preferably of `role`."""
    best = max((one.score for one in scores), default=0.0)
    close = [one for one in scores if one.score >= max(FOUND, best * _PEER)]
    close = [one for one in close if one.words >= WHOLE] or close
    named = [one for one in close if role is None or one.node.role == role]
    return sorted(named or close, key=lambda one: one.at)


def _choose_nth(group: Sequence[Scored], ordinal: int, phrase: str) -> Grounding:
    at = ordinal - 1 if ordinal > 0 else len(group) + ordinal
    if not 0 <= at < len(group):
        few = absent_grounding(group, phrase)
        return few.model_copy(update={"reason": f"there are only {len(group)} of these here"})
    return found_grounding(group[at], group, 0.6)
