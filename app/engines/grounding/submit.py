"""The control that hands in the form somebody has just filled."""

from collections.abc import Sequence

from app.domain.grounding import Grounding
from app.domain.page import Node, Tree
from app.engines.grounding.decision import absent, candidates, confidence
from app.engines.grounding.label import Label, label
from app.engines.grounding.lexicon import STOP_WORDS
from app.engines.grounding.scores import Scored
from app.engines.grounding.surroundings import dialog_factors, record

# How surely a button with this word (a meaning of the lexicon) hands in a form.
_WORTH = {
    "submit": 1.0, "save": 0.98, "create": 0.95, "add": 0.93, "ok": 0.9, "next": 0.88, "send": 0.95,
    "log in": 0.95, "sign up": 0.93, "search": 0.92, "apply": 0.92, "update": 0.94, "post": 0.92,
    "finish": 0.92, "go": 0.88, "publish": 0.9, "book": 0.88, "order": 0.88, "pay": 0.86, "buy": 0.86,
    "check out": 0.86, "subscribe": 0.88, "confirm": 0.92, "accept": 0.82, "upload": 0.82, "enter": 0.9,
    "reserve": 0.88, "filter": 0.84, "request": 0.86, "calculate": 0.86, "convert": 0.86, "translate": 0.86,
    "generate": 0.84, "start": 0.82, "reply": 0.9, "comment": 0.86, "invite": 0.88, "place": 0.84,
    "verify": 0.86, "assign": 0.84, "edit": 0.7, "yes": 0.82,
}  # fmt: skip
_OTHERWISE = (
    "cancel reset close previous clear delete undo discard help skip exit reject hide forgot show"
    " browse logout more menu settings"
)
_NEVER = frozenset(_OTHERWISE.split()) | {"log out"}
# Of those, what is handed in, or what follows, where a word of sending stands before them.
_OBJECTS = frozenset(["settings", "menu", "help", "skip", "exit", "close", "reset", "previous"])
_SENDS = 0.9
_UNKNOWN = 0.45  # a button without any such word, last in its form
# Words that make of a submit something else beside it: "Save draft", "Save and add another".
_LESS = {
    "draft": 0.75,
    "another": 0.9,
    "later": 0.7,
    "template": 0.75,
    "preview": 0.6,
    "with": 0.85,
}
_ROLES = {"btn": 1.0, "img": 0.85, "el": 0.85, "link": 0.75, "menu": 0.6}
_LEAST = 0.38  # an unlabelled button alone in the form still hands it in


def submit_scores(tree: Tree, after: Sequence[str]) -> list[Scored]:
    """Buttons with how surely each hands in the form of the fields `after` (all forms when empty)."""
    filled = [at for at, node in enumerate(tree) if node.id in set(after)]
    homes = [tree.nodes[at].group for at in filled]
    front = dialog_factors(tree)
    made = []
    for at, node in enumerate(tree):
        worth = _worth(node)
        if worth <= 0.0 or _of_other_record(node, homes):
            continue
        score = worth * _place(node.group, homes) * _order(at, filled, tree)
        if front is not None:
            score *= front[at]
        made.append(Scored(node, at, score, worth, "hands in the form"))
    return made


def _of_other_record(node: Node, homes: Sequence[str]) -> bool:
    """Whether it is a line's own button, and what was filled in stands elsewhere: a row's "Edit"."""
    line = record(node.group)
    if not line or not homes or node.input_type == "submit":
        return False
    here = any(home == line or home.startswith(line + " > ") for home in homes)
    same = _form(node.group) and any(_form(home) == _form(node.group) for home in homes)
    return not here and not same


def _worth(node: Node) -> float:
    if node.role not in _ROLES or node.states & {"haspopup", "expanded", "collapsed"}:
        return 0.0
    words = label(node.name)
    if _does_else(words) or words.words == ("edit",):
        return 0.0
    typed = 0.97 if node.input_type == "submit" else 0.0
    known = max((_WORTH[one] for one in words.meanings if one in _WORTH), default=0.0)
    if not (known or typed) and node.role != "btn":
        return 0.0
    worth = max(known, typed, _UNKNOWN)
    content = [one for one in words.meanings if one not in STOP_WORDS]
    worth *= 1.0 - 0.03 * max(0, len(content) - 1)  # "Save" before "Save and add another"
    worth *= min((_LESS[one] for one in words.words if one in _LESS), default=1.0)
    worth *= _ROLES[node.role] * (0.8 if "disabled" in node.states else 1.0)
    return worth * (0.95 if node.occluded else 1.0)


def _does_else(words: Label) -> bool:
    """Whether its words say it does something else; in "Save settings" they say what is saved."""
    if words.meanings[:1] and _WORTH.get(words.meanings[0], 0.0) >= _SENDS:
        return bool({*words.meanings[1:], *words.words[1:]} & _NEVER - _OBJECTS)
    return bool(words.meaning_set & _NEVER or set(words.words) & _NEVER)


def _place(group: str, homes: Sequence[str]) -> float:
    """1 in the containers of the filled fields, less the fewer of them are shared."""
    if not homes:
        return 1.0 if _form(group) or not group else 0.92
    mine = group.split(" > ") if group else []
    best = 0.0
    for home in homes:
        theirs = home.split(" > ") if home else []
        shared = 0
        for a, b in zip(mine, theirs, strict=False):
            if a != b:
                break
            shared += 1
        unlike = max(0, len(mine) - shared)  # deeper elsewhere: another form's own button
        best = max(best, (1.0 if shared or not theirs else 0.8) * 0.88**unlike)
        if _form(home) and _form(home) == _form(group):
            best = 1.0
    return best


def _form(group: str) -> str:
    """The group down to its innermost form or dialog."""
    parts = group.split(" > ")
    for at in range(len(parts), 0, -1):
        if parts[at - 1].partition(":")[0].strip() in ("form", "dialog"):
            return " > ".join(parts[:at])
    return ""


def _order(at: int, filled: Sequence[int], tree: Tree) -> float:
    """Buttons come after fields; the nearer after, the likelier. Before: a toolbar's, at best."""
    if not filled:
        return 1.0
    last = max(filled)
    if at > last:
        return max(0.9, 1.0 - 0.004 * (at - last))
    return 0.85 if at > min(filled) else 0.7


def choose(scores: Sequence[Scored]) -> Grounding:
    """The likeliest; buttons that serve alike are told apart by their order, for a lower price."""
    ranked = sorted(scores, key=lambda one: (-one.score, one.at))
    if not ranked or ranked[0].score < _LEAST:
        return absent(ranked, "submit")
    best, second = ranked[0], ranked[1].score if len(ranked) > 1 else 0.0
    return Grounding(
        outcome="found",
        chosen=(best.node.id,),
        confidence=confidence(best, second),
        candidates=candidates(ranked),
    )
