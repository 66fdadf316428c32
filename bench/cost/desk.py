"""A back office as the extension would observe it: contacts, orders, invoices, settings and tickets.

It executes actions as a browser would and stores what was saved, so that a task's outcome can be checked.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

ORIGIN = "https://desk.example"
NAV = {
    "Contacts": "/contacts", "Orders": "/orders", "Invoices": "/invoices", "Tickets": "/tickets",
    "Settings": "/settings", "Reports": "/reports", "Help": "/help", "Log out": "/bye",
}  # fmt: skip
PHONES = {
    "Ann Lee": "020 7946 0991", "Ann Marsh": "020 7946 0105", "Ben Otis": "020 7946 0442",
    "Cara Dunn": "020 7946 0310", "Dev Patel": "020 7946 0777", "Eva Stone": "020 7946 0528",
}  # fmt: skip
ORDERS = ("Contoso", "Fabrikam", "Northwind", "Tailspin", "Wingtip")
INVOICES = {"Contoso": "1,240.00", "Fabrikam": "310.50", "Northwind": "98.00"}
CONTACT = ("Full name", "Date of birth", "Phone", "City", "Insurer")
TICKET = ("Subject", "Phone")


@dataclass
class Control:
    """A control; `press` is what a click does."""

    role: str
    name: str
    group: str = ""
    press: Callable[[], None] | None = None
    more: dict[str, Any] = field(default_factory=dict)


@dataclass
class Desk:
    """The current page, the typed values, and the stored records."""

    place: str = "/contacts"
    typed: dict[str, str] = field(default_factory=dict)
    checked: set[str] = field(default_factory=set)
    saved: list[dict[str, str]] = field(default_factory=list)
    shipped: list[str] = field(default_factory=list)
    message: str = ""
    error: str = ""
    _ids: dict[tuple[str, ...], str] = field(default_factory=dict)

    def controls(self) -> list[Control]:
        """All controls of the page, in order."""
        links = [Control("link", name, "nav: Main", self._to(at)) for name, at in NAV.items()]
        page: dict[str, Callable[[], list[Control]]] = {
            "/contacts": self._contacts,
            "/contacts/new": lambda: self._form(
                "New contact", CONTACT, "Save contact", "/contacts"
            ),
            "/tickets": lambda: [Control("link", "New ticket", "", self._to("/tickets/new"))],
            "/tickets/new": lambda: self._form("New ticket", TICKET, "Create ticket", "/tickets"),
            "/orders": self._orders,
            "/invoices": self._invoices,
            "/settings": self._settings,
        }
        inside = page.get(self.place, self._record)()
        told = [Control("txt", self.message, "", None, {"s": ["status"]})] if self.message else []
        return [*links, *inside, *told]

    def _contacts(self) -> list[Control]:
        wanted = self.typed.get("Search contacts", "").lower()
        head = [
            Control(
                "inp", "Search contacts", "", None, {"v": self.typed.get("Search contacts", "")}
            ),
            Control("btn", "New contact", "", self._to("/contacts/new")),
        ]
        rows = [name for name in PHONES if wanted in name.lower()]
        buttons = [
            Control("btn", what, f"row: {name}", self._to(f"/contacts/{name}{end}"))
            for name in rows
            for what, end in (("Open", ""), ("Edit", "/edit"))
        ]
        return head + buttons

    def _record(self) -> list[Control]:
        _, _, name = self.place.removesuffix("/edit").rpartition("/")
        head = Control("txt", name, "", None, {"s": ["heading"]})
        if self.place.endswith("/edit"):
            return [head, *self._form(f"Edit {name}", ("Phone",), "Save changes", "/contacts")]
        phone = PHONES.get(name)
        told = [Control("txt", f"Phone: {phone}")] if phone else []
        return [head, *told, Control("btn", "Edit", "", self._to(f"{self.place}/edit"))]

    def _orders(self) -> list[Control]:
        return [
            Control(
                "btn", what, f"row: {name}", (lambda n=name: self._ship(n)) if what[0] == "M" else None,
                {"s": ["disabled"]} if name in self.shipped and what[0] == "M" else {},
            )
            for name in ORDERS
            for what in ("Details", "Mark as shipped")
        ]  # fmt: skip

    def _invoices(self) -> list[Control]:
        return [
            Control("btn", "Download", f"row: {name} {sum_} open")
            for name, sum_ in INVOICES.items()
        ]

    def _settings(self) -> list[Control]:
        group = "form: Notifications"
        marks = [
            Control("chk", name, group, None, {"s": ["checked"] if name in self.checked else []})
            for name in ("Email alerts", "Text messages", "Weekly digest")
        ]
        languages = {
            "o": ["English", "German", "French"],
            "v": self.typed.get("Language", "English"),
        }
        select = Control("sel", "Language", group, None, languages)
        return [*marks, select, Control("btn", "Save settings", group, self._save("/settings"))]

    def _form(self, title: str, names: tuple[str, ...], save: str, then: str) -> list[Control]:
        group = f"form: {title}"
        fields = [
            Control("inp", name, group, None, {"v": self.typed.get(name, ""), "s": ["required"]})
            for name in names
        ]
        return [
            *fields,
            Control("btn", save, group, self._save(then)),
            Control("btn", "Cancel", group),
        ]

    def _to(self, place: str) -> Callable[[], None]:
        def go() -> None:
            self.place, self.message, self.error = place, "", ""
            self.typed.clear()

        return go

    def _save(self, then: str) -> Callable[[], None]:
        def save() -> None:
            fields = [one for one in self.controls() if "required" in one.more.get("s", [])]
            empty = [one.name for one in fields if not self.typed.get(one.name)]
            if empty:
                self.error = f"{empty[0]} is required"
                return
            kept = dict(self.typed)
            self.saved.append(kept | dict.fromkeys(self.checked, "on"))
            self._to(then)()
            named = kept.get("Full name") or kept.get("Subject") or "your changes"
            self.message = f"Saved: {named}"
            if then == "/settings":
                self.typed.update(kept)

        return save

    def _ship(self, name: str) -> None:
        self.shipped.append(name)
        self.message = f"The order of {name} was marked as shipped"

    # What the extension would send and do

    def _id(self, control: Control) -> str:
        key = (self.place, control.group, control.role, control.name)
        return self._ids.setdefault(key, str(len(self._ids) + 1))

    def observation(self) -> dict[str, Any]:
        """The page as a request's body."""
        controls = self.controls()
        groups = dict.fromkeys(one.group.rpartition(": ")[2] for one in controls if one.group)
        text = [*groups, *(one.name for one in controls if one.role != "link")]
        return {
            "url": ORIGIN + self.place.replace(" ", "%20"),
            "pageTitle": "Desk",
            "requestId": str(uuid4()),
            "domMode": "semantic_v3",
            "interactiveTree": [
                {"i": self._id(one), "r": one.role, "n": one.name, "g": one.group, **one.more}
                for one in controls
            ],
            "viewport": {"width": 1280, "height": 800},
            "pageSummary": "\n".join(text),
            "errors_detected": [self.error] if self.error else [],
            "success_messages": [self.message] if self.message else [],
        }

    def step(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Execute an answer and observe again: the next request's body."""
        before, sent_from = json.dumps(self.observation()["interactiveTree"]), self.place
        last, done, status = None, -1, "success"
        for sent in answer["actions"]:
            last = sent["actionId"]
            if not self.do(sent["action"]):
                status = "failure"
                break
            done = sent["index"]
        seen = self.observation()
        changed = json.dumps(seen["interactiveTree"]) != before
        moved = self.place != sent_from
        seen |= {"taskId": answer["taskId"], "lastActionId": last, "lastActionStatus": status}
        seen["clientObservations"] = {"didDomMutate": changed, "didUrlChange": moved}
        return seen | ({"lastExecutedActionIndex": done} if done >= 0 else {})

    def do(self, action: str) -> bool:
        """Execute an action; False if its element does not exist."""
        name, raw = re.fullmatch(r"(\w+)\((.*)\)", action, re.DOTALL).groups()  # type: ignore[union-attr]
        args = json.loads(f"[{raw}]")
        if name in {"wait", "scroll", "pressKey"}:
            return True
        found = next((one for one in self.controls() if self._id(one) == str(args[0])), None)
        if found is None or "disabled" in found.more.get("s", []):
            return False
        if name in {"setValue", "selectOption"}:
            self.typed[found.name] = args[1]
        elif name == "setChecked":
            (self.checked.add if args[1] else self.checked.discard)(found.name)
        elif found.role == "chk":
            self.checked ^= {found.name}
        elif found.press is not None:
            found.press()
        return True
