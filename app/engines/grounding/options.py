"""A value among what can be picked: options of lists, menu items, radios, boxes."""

from collections.abc import Sequence

from app.domain.grounding import Grounding
from app.domain.page import Node
from app.engines.grounding.deciding import absent, decide
from app.engines.grounding.label import label
from app.engines.grounding.scoring import Scored
from app.engines.grounding.similarity import opposed, similarity
from app.engines.grounding.vectors import LabelVectors

_ROLES = {
    "opt": 1.0, "rad": 0.98, "menu": 0.98, "sel": 0.96, "tree": 0.95, "chk": 0.93, "tab": 0.9,
    "row": 0.88, "link": 0.85, "btn": 0.85, "el": 0.85, "img": 0.85,
}  # fmt: skip
_SENSE_FROM, _SENSE_TO, _SENSE = 0.38, 0.75, 0.72  # as scoring's


def option_scores(value: str, nodes: Sequence[Node], vectors: LabelVectors | None) -> Grounding:
    """The option the value means; a list's option is reported as the candidate's name."""
    entries = [
        Scored(
            node if text is None else _as_option(node, text),
            at, 0.0, 0.0, "option" if text is not None else "",
        )
        for at, (node, text) in enumerate(_pickable(nodes))
    ]  # fmt: skip
    scores = _scores(value, entries, vectors)
    found = decide(scores, value)
    return found if found.outcome != "absent" else _absent(value, scores)


def _pickable(nodes: Sequence[Node]) -> list[tuple[Node, str | None]]:
    """(node, None) for what is picked itself, (list, option) for each option of a list."""
    found: list[tuple[Node, str | None]] = []
    for node in nodes:
        if node.options:
            found += [(node, text) for text in node.options]
        elif node.role in _ROLES and node.role != "sel":
            found.append((node, None))
    return found


def _as_option(node: Node, text: str) -> Node:
    """The list seen as one of its options: same id, the option's label."""
    return Node(id=node.id, role=node.role, name=text, states=node.states, group=node.group)


def _scores(value: str, entries: Sequence[Scored], vectors: LabelVectors | None) -> list[Scored]:
    said = label(value)
    labels = [label(one.node.name) for one in entries]
    cosines = (
        vectors.cosines(said.bare, [text.bare for text in labels]).tolist()
        if vectors is not None and said.words and entries
        else [0.0] * len(entries)
    )
    made = []
    for one, text, cosine in zip(entries, labels, cosines, strict=True):
        words, why = similarity(said, text)
        sense = _SENSE * min(1.0, max(0.0, (cosine - _SENSE_FROM) / (_SENSE_TO - _SENSE_FROM)))
        if (
            sense > words
            and said.meaning_set.isdisjoint(text.meaning_set)
            and not opposed(said, text)
        ):
            words, why = sense, "similar meaning"
        fit = _ROLES.get(one.node.role, 0.9) * (1.0 if one.node.enabled else 0.85)
        made.append(Scored(one.node, one.at, words * fit, words, why))
    return made


def _absent(value: str, scores: Sequence[Scored]) -> Grounding:
    ranked = sorted(scores, key=lambda one: (-one.score, one.at))
    return absent(ranked, value)
