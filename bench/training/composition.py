"""Compose training controls, in the places where interfaces have them, from labelled messages of real
applications.

A message is labelled once and exists in many languages. Its kind decides what is composed from it: an
`action` names a control that acts; a `question` is what a dialog or page asks before it acts, confirmed by an
`agreement` or an `action` and left by a `dismissal`; a `removal` deletes a record, but from a draft only
removes a line; `other` messages name controls that do neither, headings, fields and menus.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from app.domain.page import Node, Observation, Tree
from bench.training.samples import Sample

_PEOPLE = (
    "Ana Ruiz", "Bo Lin", "J. Okafor", "Mina", "k.berg@example.com", "acme/site", "INV-204", "Lamp", "1187",
    "db-01",
)  # fmt: skip
_STEPS = {
    "deletes": ("delete", "remove", "destroy", "confirm-delete", "trash"),
    "pays": ("pay", "checkout", "purchase", "confirm"),
    "sends": ("send", "publish", "compose", "post"),
    "grants": ("invite", "share", "grant", "members/add"),
    "harmless": ("edit", "list", "view", "settings", "logout", ""),
}
_LEAST = 300  # messages per training language
_PLACES = ("users", "orders", "posts", "items", "projects", "files", "accounts", "pages", "tickets")


class Messages:
    """The messages of one language, by kind and effect."""

    def __init__(self, language: str, found: dict[tuple[str, str], list[str]]) -> None:
        self.language = language
        self._found = found

    def all(self, kind: str, effect: str = "harmless") -> list[str]:
        """The messages of one kind."""
        return self._found.get((kind, effect), [])


def load(path: Path) -> list[Messages]:
    """The messages by language, in a fixed order."""
    found: dict[str, dict[tuple[str, str], list[str]]] = defaultdict(lambda: defaultdict(list))
    for line in path.read_text("utf-8").splitlines():
        record = json.loads(line)
        for language, texts in record["texts"].items():
            found[language][record["kind"], record["effect"]].extend(texts)
    return [
        Messages(language, kinds) for language, kinds in sorted(found.items())
        if sum(map(len, kinds.values())) >= _LEAST
    ]  # fmt: skip


class Phrases:
    """Verbs and objects of short commands in one language, and the effects of their combinations."""

    def __init__(self, order: str, classes: dict[str, list[str]]) -> None:
        self._verb_first = order == "v o"
        self._classes = classes

    def action(self, effect: str, chance: random.Random) -> str:
        """A command with this effect."""
        verbs, objects = _COMMANDS[effect]
        if effect == "deletes" and chance.random() < 0.4:
            verbs = "VU"
        return self._joined(verbs, objects, chance)

    def harmless(self, chance: random.Random) -> str:
        """A command that only views, fills in, or tidies the screen."""
        if chance.random() < 0.35:
            return self._joined("VU", "OU", chance)
        return self._joined("VH", chance.choice(("OR", "OP", "OS", "OG", "OU")), chance)

    def bare(self) -> Iterator[tuple[str, str]]:
        """Each verb alone, as on a record, with its effect there."""
        for kind, effect in _BARE.items():
            for verb in self._classes[kind]:
                yield verb[0].upper() + verb[1:], effect

    def _joined(self, verbs: str, objects: str, chance: random.Random) -> str:
        verb, thing = chance.choice(self._classes[verbs]), chance.choice(self._classes[objects])
        parts = (verb, thing) if self._verb_first else (thing, verb)
        text = " ".join(parts)
        return text[0].upper() + text[1:]


_BARE = {"VH": "harmless", "VD": "deletes", "VP": "pays", "VS": "sends", "VG": "grants"}
_COMMANDS = {
    "deletes": ("VD", "OR"), "pays": ("VP", "OP"), "sends": ("VS", "OS"), "grants": ("VG", "OG"),
}  # fmt: skip


def phrases(path: Path) -> dict[str, Phrases]:
    """The phrases by language."""
    found: dict[str, tuple[str, dict[str, list[str]]]] = {}
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            language, order, kind, items = line.split("\t")
            found.setdefault(language, (order, {}))[1][kind] = items.split(";")
    return {language: Phrases(*parts) for language, parts in found.items()}


def command(spoken: Phrases, messages: Messages, chance: random.Random) -> Iterator[Sample]:
    """Controls composed from the phrases of one language, with its messages around them."""
    maker = _Maker(messages, chance)
    for effect, count in (("deletes", 90), ("sends", 70), ("pays", 50), ("grants", 40)):
        for _ in range(count):
            yield from maker.action(spoken.action(effect, chance), effect)
    for _ in range(260):
        yield from maker.other(spoken.harmless(chance), pressed=True)
    for verb, effect in spoken.bare():
        for _ in range(4):
            yield from maker.on_record(verb, effect)
            yield from maker.in_form(verb, effect)


def compose(messages: Messages, chance: random.Random) -> Iterator[Sample]:
    """Controls composed from the messages of one language."""
    maker = _Maker(messages, chance)
    for effect in ("deletes", "pays", "sends", "grants"):
        for text in _some(messages.all("action", effect), 32, chance):
            yield from maker.action(text, effect)
        for text in _some(messages.all("question", effect), 45, chance):
            yield from maker.asked(text, effect)
    for text in _some(messages.all("question"), 30, chance):
        yield from maker.asked(text, "harmless")
    for text in _some(messages.all("removal"), 16, chance):
        yield from maker.removal(text)
    for text in _some(messages.all("other"), 130, chance):
        yield from maker.other(text)
    for kind in ("dismissal", "agreement"):
        for text in _some(messages.all(kind), 20, chance):
            yield from maker.plain_answer(text)


def _some(texts: list[str], count: int, chance: random.Random) -> list[str]:
    """`count` of the texts, each equally often; a few texts are repeated."""
    if not texts:
        return []
    chosen = chance.sample(texts, min(count, len(texts)))
    return (chosen * 5)[: min(count, 5 * len(texts))]


class _Maker:
    def __init__(self, messages: Messages, chance: random.Random) -> None:
        self._messages = messages
        self._chance = chance
        self._others = messages.all("other") or ["…"]
        self._short = [text for text in self._others if len(text) < 32] or self._others
        self._dismissals = messages.all("dismissal") or ["Cancel"]
        self._agreements = messages.all("agreement") or ["OK"]

    def action(self, text: str, effect: str) -> Iterator[Sample]:
        """The control that acts, harmless ones beside it, and the same words where they do nothing."""
        pick = self._chance
        group = pick.choice(
            ("", "toolbar", "menu", f"menu: {self._other()}", f"row: {self._person()}",
             f"list: {self._other()} > row: {self._person()}", f"item: {self._person()}",
             f"section: {self._other()}", f"section: {self._other()} > item: {self._person()}",
             f"section: {self._person()}", f"toolbar: {self._other()}", f"row: {self._person()} > form",
             f"section: {self._other()} > row: {self._person()} > form", f"form > row: {self._person()}")
        )  # fmt: skip
        kind = "submit" if group.endswith("form") else None
        role = "menu" if group.startswith("menu") and not kind and pick.random() < 0.6 else "btn"
        role = "el" if pick.random() < 0.04 else role
        target = _node(text, role, group, kind)
        beside = [_node(self._other(), role, group) for _ in range(pick.randrange(4))]
        yield from self._page([target, *beside], {0: effect}, question=self._rarely_asked())
        if pick.random() < 0.6 or effect != "deletes":
            yield from self.in_form(text, effect)
        if effect == "deletes":
            yield from self._titled(text, effect)
        yield from self._harmless_use(text, effect)

    def on_record(self, text: str, effect: str) -> Iterator[Sample]:
        """A command among others in the row of a record."""
        pick = self._chance
        group = pick.choice(
            (f"row: {self._person()}", f"list: {self._other()} > row: {self._person()}",
             f"section: {self._other()} > item: {self._person()}", f"section: {self._person()}", "toolbar")
        )  # fmt: skip
        beside = [_node(self._other(), "btn", group) for _ in range(pick.randrange(3))]
        effects = {} if effect == "harmless" else {0: effect}
        yield from self._page([_node(text, "btn", group), *beside], effects)

    def in_form(self, text: str, effect: str) -> Iterator[Sample]:
        """The button that submits a form with fields, beside the one that leaves it."""
        pick = self._chance
        box = pick.choice(
            (
                "form",
                f"form: {self._other()}",
                f"dialog: {self._other()}",
                f"section: {self._other()} > form",
            )
        )
        fields = [self._field(box) for _ in range(pick.randrange(1, 4))]
        if effect in ("sends", "pays") and pick.random() < 0.5:
            fields.append(
                Node(id="0", role="inp", name=self._other(), group=box, input_type="textarea")
            )
        submit = _node(text, "btn", box, "submit" if pick.random() < 0.7 else None)
        cancel = _node(pick.choice(self._dismissals), pick.choice(("btn", "link")), box)
        parts = [*fields, submit, cancel]
        effects = {} if effect == "harmless" else {len(fields): effect}
        yield from self._page(parts, effects, step=effect)

    def _titled(self, text: str, effect: str) -> Iterator[Sample]:
        """A dialog or page with the action as its title, whatever its button is called."""
        yield from self.asked("", effect, title=text)

    def asked(self, question: str, effect: str, title: str = "") -> Iterator[Sample]:
        """A dialog or page that asks, with its buttons; the one that confirms acts."""
        pick = self._chance
        acts = self._messages.all("action", effect) if effect != "harmless" else []
        agree = (
            pick.choice(acts) if acts and pick.random() < 0.35 else pick.choice(self._agreements)
        )
        if effect == "harmless":
            agree = pick.choice((*self._agreements, self._other()))
        is_dialog = pick.random() < 0.55
        heading = title or (
            question if len(question) < 60 and pick.random() < 0.5 else self._title(effect)
        )
        if is_dialog:
            box = f"dialog: {_cut(heading)}" if heading else "dialog"
        else:
            box = pick.choice(("form", f"section: {_cut(heading)} > form", f"form: {_cut(heading)}",
                               f"section: {_cut(heading)}"))  # fmt: skip
        yes = _node(agree, "btn", box, "submit" if pick.random() < 0.6 else None)
        no = _node(pick.choice(self._dismissals), pick.choice(("btn", "link")), box)
        close = _node(pick.choice(self._dismissals), "btn", box) if pick.random() < 0.3 else None
        extra = [self._field(box, "chk")] if pick.random() < 0.2 else []
        parts = [yes, no] if pick.random() < 0.5 else [no, yes]
        parts = [*extra, *([close] if close else []), *parts]
        if is_dialog and question and pick.random() < 0.25:
            parts.append(Node(id="0", role="txt", name=question[:80], group=box))
        yield from self._page(
            parts, {parts.index(yes): effect}, question=question, heading=heading, step=effect,
            behind=is_dialog or pick.random() < 0.5,
        )  # fmt: skip

    def removal(self, text: str) -> Iterator[Sample]:
        """It deletes a record of a list, and removes a line from an unsaved form."""
        pick = self._chance
        if pick.random() < 0.5:
            group = pick.choice((f"row: {self._person()}", f"list: {self._other()} > row: {self._person()}",
                                 "menu", f"item: {self._person()}"))  # fmt: skip
            parts = [_node(text, "btn", group), _node(self._other(), "btn", group)]
            yield from self._page(parts, {0: "deletes"})
            return
        box = pick.choice(("form", f"form: {self._other()}"))
        line = f"{box} > {pick.choice(('row', 'item', 'fieldset'))}: {pick.randrange(1, 9)}"
        yield from self._page([self._field(line), self._field(line), _node(text, "btn", line)], {})

    def other(self, text: str, *, pressed: bool = False) -> Iterator[Sample]:
        """A harmless control in any place; `pressed`: usually a button."""
        pick = self._chance
        roles = (
            "btn", "btn", "btn", "link", "link", "menu", "tab", "chk", "rad", "sel", "inp", "opt", "el",
            "row",
        )  # fmt: skip
        role = "btn" if pressed and pick.random() < 0.7 else pick.choice(roles)
        group = pick.choice(
            ("", "nav", f"nav: {self._other()}", "toolbar", "menu", f"section: {self._other()}", "form",
             f"form: {self._other()}", f"dialog: {self._other()}", f"row: {self._person()}", "tablist",
             f"section: {self._other()} > form", f"fieldset: {self._other()}", f"item: {self._person()}",
             f"section: {self._person()}")
        )  # fmt: skip
        kind = "submit" if role == "btn" and "form" in group and pick.random() < 0.6 else None
        states = {"collapsed", "haspopup"} if role == "btn" and pick.random() < 0.1 else set()
        parts = [_node(text, role, group, kind, states)]
        if "form" in group or "dialog" in group:
            parts += [self._field(group) for _ in range(pick.randrange(1, 4))]
            parts.append(_node(pick.choice(self._dismissals), "btn", group))
        yield from self._page(parts, {}, question=self._rarely_asked())

    def plain_answer(self, text: str) -> Iterator[Sample]:
        """A "Cancel" or "OK" where nothing important is asked."""
        box = self._chance.choice(
            (f"dialog: {self._other()}", "form", f"form: {self._other()}", "dialog")
        )
        yield from self._page([self._field(box), _node(text, "btn", box)], {}, step="harmless")

    def _harmless_use(self, text: str, effect: str) -> Iterator[Sample]:
        """The words of an action where they do nothing: in menus, fields, settings and headings."""
        pick = self._chance
        kind = pick.randrange(6)
        if kind == 0:
            group = pick.choice(
                ("nav", f"nav: {self._other()}", "tablist", f"row: {self._person()}", "",
                 f"list: {self._other()} > row: {self._person()}", f"section: {self._other()}")
            )  # fmt: skip
            yield from self._page([_node(text, "tab" if group == "tablist" else "link", group)], {})
        elif kind == 1:
            box = f"form: {self._other()}"
            role = pick.choice(("chk", "inp", "rad", "sel"))
            yield from self._page(
                [_node(text, role, box), _node(self._other(), "btn", box, "submit")], {}
            )
        elif kind == 2:
            states = {"collapsed", "haspopup"}
            yield from self._page([_node(text, "btn", "toolbar", None, states)], {})
        elif kind == 3 and effect == "deletes":
            name = f"{text}{pick.choice(('…', '...'))}"
            yield from self._page([_node(name, pick.choice(("menu", "btn")), "menu")], {})
        else:
            group = f"section: {_cut(text)}"
            yield from self._page([_node(self._other(), pick.choice(("btn", "link")), group)], {})

    def _page(
        self, parts: list[Node], effects: dict[int, str], *, question: str = "", heading: str = "",
        step: str = "", behind: bool = True,
    ) -> Iterator[Sample]:  # fmt: skip
        """A page around these controls; those without an effect are harmless, and each is a sample."""
        pick = self._chance
        around = (
            [_node(self._other(), "link", "nav") for _ in range(pick.randrange(1, 5))]
            if behind
            else []
        )
        if behind and pick.random() < 0.3:
            around += [
                _node(self._other(), "inp", "form", "search"),
                _node(self._other(), "btn", "form", "submit"),
            ]
        nodes = [*around, *parts] if pick.random() < 0.7 else [*parts, *around]
        nodes = [_with_id(node, str(i)) for i, node in enumerate(nodes)]
        first = nodes.index(next(n for n in nodes if _same(n, parts[0])))
        title = heading if heading and pick.random() < 0.5 else self._other()
        lines = [
            title,
            *(node.name for node in around),
            f"# {heading}" if heading else f"# {self._other()}",
        ]
        lines += [self._other(), question, *(self._other() for _ in range(pick.randrange(3)))]
        lines += [n.name for n in parts if n.input_type != "submit" and n.role in ("btn", "link")]
        place = pick.choice(_PLACES)
        known = step if step and pick.random() < 0.4 else "harmless"
        path = f"{place}/{pick.randrange(1, 99)}/{pick.choice(_STEPS[known])}"
        page = Observation(
            url=f"https://app.example/{path}", title=title, tree=Tree.of(nodes),
            summary="\n".join(line for line in lines if line),
        )  # fmt: skip
        spare = pick.randrange(len(parts))  # one harmless control beside it is enough
        for at, node in enumerate(nodes[first : first + len(parts)]):
            if node.role != "txt" and (at in effects or at == spare or at == 0):
                yield Sample(
                    self._messages.language, "composed", effects.get(at, "harmless"), node, page
                )

    def _field(self, group: str, role: str = "") -> Node:
        pick = self._chance
        role = role or pick.choice(("inp", "inp", "inp", "sel", "chk"))
        value = self._person() if role == "inp" and pick.random() < 0.4 else None
        kind = pick.choice(("text", "text", "email", "textarea")) if role == "inp" else None
        return Node(
            id="0", role=role, name=self._other(), group=group, value=value, input_type=kind
        )

    def _title(self, effect: str) -> str:
        acts = self._messages.all("action", effect) if effect != "harmless" else []
        roll = self._chance.random()
        return (
            self._chance.choice(acts)
            if acts and roll < 0.5
            else self._other()
            if roll < 0.8
            else ""
        )

    def _rarely_asked(self) -> str:
        asked = self._messages.all("question")
        return self._chance.choice(asked) if asked and self._chance.random() < 0.1 else ""

    def _other(self) -> str:
        return self._chance.choice(self._short)

    def _person(self) -> str:
        return self._chance.choice(_PEOPLE)


def _node(
    name: str, role: str, group: str, input_type: str | None = None, states: set[str] | None = None
) -> Node:
    return Node(id="0", role=role, name=name[:80], group=group, input_type=input_type,
                states=frozenset(states or ()))  # fmt: skip


def _with_id(node: Node, number: str) -> Node:
    return Node(id=number, role=node.role, name=node.name, group=node.group, input_type=node.input_type,
                states=node.states, value=node.value)  # fmt: skip


def _same(one: Node, other: Node) -> bool:
    return one.signature == other.signature and one.input_type == other.input_type


def _cut(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
