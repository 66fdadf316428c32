"""Load the labelled controls of `tests/data/controls`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.domain.page import Node, Observation, Tree

DATA = Path(__file__).parents[2] / "tests" / "data" / "controls"
TRAINED_ON = ("messages.jsonl", "pages.jsonl", "phrases.tsv", "written.txt")


def checksum() -> str:
    """Identifies the data that the weights were trained on."""
    total = hashlib.sha256()
    for name in TRAINED_ON:
        total.update((DATA / name).read_bytes())
    return total.hexdigest()


@dataclass(frozen=True)
class Sample:
    """A control on its page, with the effect of pressing it."""

    language: str
    source: str
    effect: str
    node: Node
    page: Observation
    choice: str = ""

    @property
    def consequential(self) -> bool:
        """Whether a person should be asked."""
        return self.effect != "harmless"

    @property
    def text(self) -> str:
        """The control as printed in a table."""
        node = self.node
        return f"{self.source} {self.language}: {node.role} {self.choice or node.name!r} in {node.group!r}"


def pages(path: Path) -> Iterator[list[Sample]]:
    """The controls of whole pages, page by page."""
    for line in path.read_text("utf-8").splitlines():
        record = json.loads(line)
        nodes = [_node(i, wire) for i, wire in enumerate(record["nodes"])]
        page = Observation(
            url=record["url"], title=record["title"], summary=record["summary"], tree=Tree.of(nodes)
        )
        yield [
            Sample(record["language"], record["app"], wire.get("e", "harmless"), node, page)
            for node, wire in zip(nodes, record["nodes"], strict=True)
            if node.role != "txt" and wire.get("e") != "unclear"
        ]


def _node(number: int, wire: dict[str, Any]) -> Node:
    return Node(
        id=str(number), role=wire["r"], name=wire.get("n", ""), group=wire.get("g", ""),
        input_type=wire.get("t"), states=frozenset(wire.get("s", ())), value=wire.get("v"),
        hint=wire.get("h", ""),
    )  # fmt: skip


def written(path: Path) -> Iterator[Sample]:
    """The hand-written controls, one per line; the file's first lines describe the format."""
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield _written(line)


def _written(line: str) -> Sample:
    language, app, effect, role, name, group, *more = line.split("|")
    extras = [part.partition("=") for part in "|".join(more).split(";;") if part]
    told = {key: value for key, _, value in extras}
    does, _, choice = told.get("act", "").partition(":")
    node = Node(
        id="1", role=role, name=name, group=group, input_type=told.get("type"), hint=told.get("hint", ""),
        value=told.get("value"), states=frozenset(told.get("states", "").split()),
    )  # fmt: skip
    others = [_beside(i, value) for i, (key, _, value) in enumerate(extras, 2) if key == "with"]
    page = Observation(
        url=told.get("url", "https://app.example/"), title=told.get("title", ""),
        tree=Tree.of([node, *others]), summary=told.get("sum", "").replace("\\n", "\n"),
    )  # fmt: skip
    return Sample(language, app, effect, node, page, choice if does == "choose" else "")


def _beside(number: int, text: str) -> Node:
    """Parse `role:name:group`, an input's type after the role (`inp/password`), a value after the name
    (`~x`).
    """
    role, name, group = (*text.split(":", 2), "")[:3]
    kind, _, input_type = role.partition("/")
    called, _, value = name.partition("~")
    return Node(
        id=str(number), role=kind, name=called, group=group, input_type=input_type or None,
        value=value or None, states=frozenset({"checked"}) if value == "checked" else frozenset(),
    )  # fmt: skip
