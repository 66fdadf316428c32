"""Pages of a shop's office, simulated at the wire, on which something goes wrong the first time."""

import json
import re
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

ORIGIN = "https://office.example"


@dataclass
class OfficePage:
    """A page whose "Reports" needs a moment before it hears a click, if `slow`, or hears only the
    second one, if `deaf`; with `dead`, it does nothing and "Sales reports" does it.

    `clicks` are what the page was sent, `opened` says that the reports are shown.
    """

    slow: bool = False
    dead: bool = False
    deaf: bool = False
    origin: str = ORIGIN
    opened: bool = False
    ready: bool = False
    clicks: list[str] = field(default_factory=list)
    drawn: int = 0  # ids differ from one visit to the next

    def tree(self) -> list[dict[str, Any]]:
        if self.opened:
            return [
                {"i": "50", "r": "btn", "n": "Download", "g": "section: Reports"},
                {"i": "51", "r": "btn", "n": "Print", "g": "section: Reports"},
                {"i": "52", "r": "sel", "n": "Year", "v": "2025", "o": ["2024", "2025"]},
            ]
        first = self.drawn
        nodes: list[dict[str, Any]] = [
            {"i": str(first + 1), "r": "link", "n": "Home", "g": "nav: Main", "xy": [40, 20]},
            {"i": str(first + 2), "r": "btn", "n": "Reports", "g": "nav: Main", "xy": [90, 20]},
        ]
        if self.dead:
            name = "Sales reports"
            nodes.append({"i": str(first + 3), "r": "btn", "n": name, "xy": [90, 220]})
        return nodes

    def observation(self) -> dict[str, Any]:
        return {
            "url": f"{self.origin}/office" + ("/reports" if self.opened else ""),
            "pageTitle": "Reports" if self.opened else "Office",
            "requestId": str(uuid4()),
            "domMode": "semantic_v3",
            "interactiveTree": self.tree(),
            "viewport": {"width": 1280, "height": 800},
            "pageSummary": "Reports of 2025" if self.opened else "Office",
        }

    def do(self, action: str) -> bool:
        """Whether it changed anything."""
        name, raw = re.fullmatch(r"(\w+)\((.*)\)", action, re.DOTALL).groups()  # type: ignore[union-attr]
        args = json.loads(f"[{raw}]")
        if name == "wait":
            self.ready = True
            return False
        if name == "scroll":
            return False
        self.clicks.append(action)
        at = {node["i"]: node["n"] for node in self.tree()}.get(str(args[0]))
        if self.dead:
            self.opened = self.opened or at == "Sales reports"
        elif at == "Reports":
            self.opened = len(self.clicks) > 1 if self.deaf else self.ready or not self.slow
        return self.opened

    def step(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Carry an answer out and look again: the next request's body."""
        changed = [self.do(sent["action"]) for sent in answer["actions"]]
        last = answer["actions"][-1]
        return self.observation() | {
            "taskId": answer["taskId"],
            "lastActionId": last["actionId"],
            "lastActionStatus": "success",
            "lastExecutedActionIndex": last["index"],
            "clientObservations": {
                "didDomMutate": any(changed),
                "didNetworkOccur": any(changed),
                "didUrlChange": any(changed),
            },
        }
