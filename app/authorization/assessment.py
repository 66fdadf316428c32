"""Assesses the effect of an action by the classifier and the page's structure."""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Any, Literal, NamedTuple, get_args
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import numpy.typing as npt

from app.authorization.features import BUCKETS, Features, address_words, features_of, gram_buckets
from app.domain.access import CONSEQUENTIAL, Effect, gravest
from app.domain.action import Action
from app.domain.page import Node, Observation, Tree
from app.page import (
    ENTRIES,
    FORMS,
    affected_controls,
    controls_at,
    enclosing_form,
    is_inside,
    is_submit,
)
from app.text.lexicon import does, is_risky

PressEffect = Literal["harmless", "deletes", "pays", "sends", "grants"]
EFFECTS: tuple[PressEffect, ...] = get_args(PressEffect)
WEIGHTS = "weights.npz"
_REMEMBERED = 8_192  # texts whose vectors are kept

Vector = npt.NDArray[np.float32]


class Judgement(NamedTuple):
    """The most likely effect of a press, and the probability of each of `EFFECTS`.

    `consequential`: the probability of any effect but harmless reaches the threshold chosen in
    training.
    """

    effect: PressEffect
    probabilities: tuple[float, ...]
    consequential: bool


def classify_press(node: Node, page: Observation, choice: str = "") -> Judgement:
    """Classify a press of `node` on `page`; `choice` is an option to be chosen in it.

    Deterministic; about a third of a millisecond on a page of 500 controls.
    """
    return weights().judge(features_of(node, page, choice))


class Weights:
    """The network: each text is the mean of its n-gram vectors, followed by one hidden layer."""

    def __init__(self, arrays: dict[str, Any]) -> None:
        self._table = _table_of(arrays)
        self._hidden = arrays["hidden"].astype(np.float32)
        self._hidden_bias = arrays["hidden_bias"].astype(np.float32)
        self._flags = arrays["flags"].astype(np.float32)
        self._out = arrays["out"].astype(np.float32)
        self._out_bias = arrays["out_bias"].astype(np.float32)
        self.threshold = float(arrays["threshold"])
        self.data_checksum = str(arrays["data_checksum"])
        self._vector = lru_cache(maxsize=_REMEMBERED)(self._embed)

    def judge(self, features: Features) -> Judgement:
        texts = np.concatenate([self._vector(text) for text in features.texts])
        inner = texts @ self._hidden + self._flags[list(features.flags)].sum(0) + self._hidden_bias
        scores = np.maximum(inner, 0) @ self._out + self._out_bias
        odds = np.exp(scores - scores.max())
        probabilities = tuple(float(p) for p in odds / odds.sum())
        consequential = 1 - probabilities[0] >= self.threshold
        graver = max(range(1, len(EFFECTS)), key=probabilities.__getitem__)
        return Judgement(EFFECTS[graver if consequential else 0], probabilities, consequential)

    def _embed(self, text: str) -> Vector:
        buckets = gram_buckets(text)
        if not buckets:
            return np.zeros(self._table.shape[1], np.float32)
        total = self._table[list(buckets)].sum(0, dtype=np.float32)
        return np.asarray(total / np.sqrt(len(buckets)), np.float32)


def _table_of(arrays: dict[str, Any]) -> npt.NDArray[np.float16]:
    """Return the vector of each bucket: quantized for the most informative, zero for others."""
    codes, codebooks = arrays["codes"], arrays["codebooks"]
    parts = [book[codes[:, at]] for at, book in enumerate(codebooks)]
    table = np.zeros((BUCKETS, codebooks.shape[0] * codebooks.shape[2]), np.float16)
    table[np.unpackbits(arrays["kept"], count=BUCKETS).astype(bool)] = np.hstack(parts)
    return table


@lru_cache(maxsize=1)
def weights() -> Weights:
    """Load the shipped weights at first use."""
    content = files("app.authorization").joinpath(WEIGHTS).read_bytes()
    with np.load(BytesIO(content), allow_pickle=False) as arrays:
        return Weights(dict(arrays))


_DELETES = frozenset({"delete", "backspace"})
_LISTED = frozenset({"row", "tree", "opt", "img"})
_BUTTONS = frozenset({"submit", "button", "image", "reset"})
_PASSIVE = frozenset({"txt", "tab", "range", "file"})
_LITTLE = 0.01  # least probability that a press has its name's effect
_COMMANDS: Mapping[str, Effect] = {
    "destroys": "deletes",
    "spends": "pays",
    "tells": "sends",
    "decides": "sends",
    "grants": "grants",
}
_NOWHERE = Observation(url="", tree=Tree.of([]))


def assess_effect(action: Action, node: Node | None, page: Observation) -> Effect:
    """Return the effect of an action on `page`; `node` is its target, None without one."""
    match action.name:
        case "click" | "doubleClick" if action.target is not None:
            return _press(action, node, page)
        case "doubleClick" | "press" | "clickAt" | "pressKey" | "drag" | "draw":
            return _press_unnamed(action, node, page)
        case "selectOption" | "setChecked":
            return _choose(action, node, page)
        case "setValue" | "uploadFile":
            return "fills"
        case "dragTo":
            return _drag(action, page)
        case "navigate" | "openTab":
            return _go(str(action.args["url"]))
    return "reads"


def is_grave(action: Action, node: Node | None, page: Observation) -> bool:
    """Whether the action deletes, pays, sends, publishes or grants."""
    return assess_effect(action, node, page) in CONSEQUENTIAL


def question_effect(question: str) -> Effect:
    """Return the effect of agreeing to a browser dialog."""
    return name_effect("OK", f"dialog: {question}")


def name_effect(name: str, group: str = "") -> Effect:
    """Return the effect of a button, by its name and its container's `group`."""
    return _classified(Node(id="", role="btn", name=name, group=group), _NOWHERE)


def _classified(node: Node, page: Observation, choice: str = "") -> Effect:
    """Return the classifier's effect, except for buttons named by a grave command: in a form or
    dialog the command decides, elsewhere even a small probability does, since the network's
    result for such buttons varies between trainings.
    """
    judgement = classify_press(node, page, choice)
    if judgement.effect != "harmless":
        return judgement.effect
    kind = node.groups[-1][0] if node.groups else ""
    least = 0.0 if kind in FORMS else _LITTLE
    return _commanded(choice or node.name) if 1 - judgement.probabilities[0] >= least else "reads"


def _commanded(name: str) -> Effect:
    if not is_risky(name):
        return "reads"
    return gravest("reads", *(_COMMANDS[kind] for kind in does(name) if kind in _COMMANDS))


def _press(action: Action, node: Node | None, page: Observation) -> Effect:
    if node is None or node.role in _PASSIVE:
        return "reads"
    if node.role == "inp" and node.input_type not in _BUTTONS:
        return "reads"
    if node.role in ("chk", "rad", "opt", "sel"):
        return _choose(action, node, page)
    return gravest("saves" if is_submit(node, page) else "reads", _classified(node, page))


def _choose(action: Action, node: Node | None, page: Observation) -> Effect:
    """Assess a choice: boxes outside forms act at once, those in a form are submitted by its
    button. A list option may be grave by its name.
    """
    if node is None:
        return "fills"
    form = enclosing_form(node) if node.role == "chk" else None
    if form is not None and any(
        is_inside(other, form) and is_submit(other, page) for other in page.tree
    ):
        return "fills"
    own: Effect = "saves" if node.role == "chk" and form is None else "fills"
    return gravest(own, _classified(node, page, str(action.args.get("label", ""))))


def _press_unnamed(action: Action, node: Node | None, page: Observation) -> Effect:
    """Assess a point or key by the gravest effect it may have; Delete removes the focused record."""
    if str(action.args.get("key", "")).casefold() in _DELETES:
        is_on_record = any(
            "focused" in control.states and control.role in _LISTED for control in page.tree
        )
        return "deletes" if is_on_record else "reads"
    effects = [
        _press(action, control, page) for control in (node, *affected_controls(action, page))
    ]
    return gravest(*effects)


def _drag(action: Action, page: Observation) -> Effect:
    """Assess a drag by the gravest effect at its target; into a record or list it moves."""
    target = page.tree.get(str(action.args.get("targetId", "")))
    places = (target,) if target is not None else controls_at(action.points, page)
    targets = (target_node for target_node in places if target_node.role not in ("row", *ENTRIES))
    return gravest(
        "saves", *(name_effect(target_node.name, target_node.group) for target_node in targets)
    )


def _go(url: str) -> Effect:
    """Assess a navigation: ".../users/4/delete" may delete, by a path part or query value; sending,
    paying and granting use POST.
    """
    try:
        parts = urlsplit(url)
    except ValueError:  # browsers reject it
        return "reads"
    texts = (*parts.path.split("/"), *(value for _, value in parse_qsl(parts.query)))
    effects = [name_effect(address_words(f"/{text}")) for text in texts if text]
    return "deletes" if "deletes" in effects else "reads"
