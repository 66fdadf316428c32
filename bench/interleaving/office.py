"""A page of patients whose buttons have real effects, with a log of them."""

from dataclasses import dataclass, field
from typing import Any

URL = "https://clinic.example/patients"
NAME, ADD, STATUS, FIRST_ROW = "2", "3", "9", 10


@dataclass
class Office:
    """Rows with a Delete button each, and a form that adds one. `nodes` is the minimum number of controls;
    `effects` is what happened, in order.
    """

    people: list[str] = field(default_factory=lambda: ["Jas Patel", "Kim Lee", "Ada Byron"])
    nodes: int = 0
    typed: str = ""
    message: str = ""
    effects: list[str] = field(default_factory=list)
    _ids: dict[str, int] = field(default_factory=dict)

    def tree(self) -> list[dict[str, Any]]:
        """Its controls as the extension sends them; ids are stable."""
        form = {"g": "form: New patient"}
        nodes: list[dict[str, Any]] = [
            {"i": "1", "r": "link", "n": "Home", "g": "nav: Main"},
            {"i": NAME, "r": "inp", "n": "Name", "v": self.typed, **form},
            {"i": ADD, "r": "btn", "n": "Add patient", **form},
        ]
        if self.message:
            nodes.append({"i": STATUS, "r": "txt", "n": self.message, "s": ["status"]})
        nodes += [
            {"i": str(self._id(name)), "r": "btn", "n": "Delete", "g": f"row: {name}"}
            for name in self.people
        ]
        rest = max(0, self.nodes - len(nodes))
        return nodes + [
            {"i": str(1000 + n), "r": "link", "n": f"Record {n}", "g": "list: Records"}
            for n in range(rest)
        ]

    def _id(self, name: str) -> int:
        return self._ids.setdefault(name, FIRST_ROW + len(self._ids))

    def seen(self) -> dict[str, Any]:
        """An observation of the page."""
        return {
            "url": URL,
            "pageTitle": "Patients",
            "domMode": "semantic_v3",
            "interactiveTree": self.tree(),
            "pageSummary": f"Patients. {', '.join(self.people)}. {self.message}",
            "viewport": {"width": 1280, "height": 800},
        }

    def do(self, action: dict[str, Any]) -> bool:
        """Execute an action as a browser would; returns whether it could."""
        args = action["actionDetails"]["args"]
        name, target = action["actionDetails"]["name"], args.get("id")
        if name == "setValue" and target == NAME:
            self.typed = args["text"]
            return True
        if name != "click":
            return name == "wait"
        if target == ADD and self.typed:
            self._add()
            return True
        pressed = [one for one in self.people if str(self._id(one)) == target]
        for one in pressed:
            self.people.remove(one)
            self.effects.append(f"delete {one}")
            self.message = f"{one} deleted"
        return bool(pressed)

    def _add(self) -> None:
        self.people.append(self.typed)
        self.effects.append(f"add {self.typed}")
        self.message, self.typed = f"{self.typed} added", ""
