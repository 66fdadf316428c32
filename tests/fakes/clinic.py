"""A clinic page as the extension would see it, small enough to be looked at in a test.

It keeps what was saved, so that a test can ask what really happened.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

ORIGIN = "https://clinic.example"


@dataclass
class ClinicPage:
    """A patient list, a menu that hides "New", and a form with a save."""

    place: str = "/patients"
    menu_open: bool = False
    name: str = ""
    saved: list[str] = field(default_factory=list)
    clicks: list[str] = field(default_factory=list)
    message: str | None = None
    error: str | None = None
    noise: int = 0  # how many inert links to add

    def tree(self) -> list[dict[str, Any]]:
        state = "expanded" if self.menu_open else "collapsed"
        nodes: list[dict[str, Any]] = [
            {"i": "1", "r": "link", "n": "Home", "g": "nav: Main", "xy": [40, 20]},
            {"i": "2", "r": "btn", "n": "Patient", "s": ["haspopup", state], "g": "nav: Main"},
            {"i": "3", "r": "btn", "n": "Log out", "g": "nav: Main"},
        ]
        if self.menu_open:
            nodes += [
                {"i": "10", "r": "menu", "n": "New", "g": "nav: Main > menu: Patient"},
                {"i": "11", "r": "menu", "n": "Search", "g": "nav: Main > menu: Patient"},
            ]
        if self.place == "/patients/new":
            form = {"g": "form: New patient"}
            nodes += [
                {"i": "20", "r": "inp", "n": "Name", "v": self.name, "s": ["required"], **form},
                {"i": "21", "r": "inp", "n": "Phone", "v": "", "t": "tel", **form},
                {"i": "22", "r": "btn", "n": "Save", **form},
                {"i": "23", "r": "btn", "n": "Cancel", **form},
            ]
        else:
            nodes.append({"i": "30", "r": "inp", "n": "Search patients", "v": ""})
            for index, name in enumerate(self.saved):
                nodes.append({"i": str(40 + index), "r": "btn", "n": "Edit", "g": f"row: {name}"})
        if self.message:
            nodes.append({"i": "90", "r": "txt", "n": self.message, "s": ["status"]})
        for index in range(self.noise):
            nodes.append({"i": str(1000 + index), "r": "link", "n": f"Record {index}"})
        return nodes

    def observation(self) -> dict[str, Any]:
        return {
            "url": ORIGIN + self.place,
            "pageTitle": "New patient" if self.place.endswith("new") else "Patients",
            "requestId": str(uuid4()),
            "domMode": "semantic_v3",
            "interactiveTree": self.tree(),
            "viewport": {"width": 1280, "height": 800},
            "pageSummary": "Patients\n" + "\n".join(self.saved),
            "errors_detected": [self.error] if self.error else [],
            "success_messages": [self.message] if self.message else [],
        }

    def do(self, action: str) -> bool:
        """Carry an action out as the extension would; False when its element is not there."""
        name, raw = re.fullmatch(r"(\w+)\((.*)\)", action, re.DOTALL).groups()  # type: ignore[union-attr]
        args = json.loads(f"[{raw}]")
        if name == "wait":
            return True
        if str(args[0]) not in {node["i"] for node in self.tree()}:
            return False
        self.clicks.append(action)
        if name == "setValue" and args[0] == "20":
            self.name = args[1]
        if name == "click":
            self._click(str(args[0]))
        return True

    def _click(self, element: str) -> None:
        if element == "2":
            self.menu_open = not self.menu_open
        elif element == "10":
            self.place, self.menu_open = "/patients/new", False
        elif element == "22" and self.name:
            self.saved.append(self.name)
            self.message, self.place, self.name = "Patient created", "/patients", ""
        elif element == "22":
            self.error = "Name is required"

    def step(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Carry an answer out and look again: the next request's body."""
        last, status = None, "success"
        done = -1
        for sent in answer["actions"]:
            last = sent["actionId"]
            if not self.do(sent["action"]):
                status = "failure"
                break
            done = sent["index"]
        body = self.observation() | {"taskId": answer["taskId"], "lastActionId": last}
        body |= {"lastActionStatus": status, "clientObservations": {"didDomMutate": True}}
        if done >= 0:
            body["lastExecutedActionIndex"] = done
        return body
