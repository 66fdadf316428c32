"""One running application: what its page shows, and what each action did."""

import re
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from app.domain.action import Action, action
from bench.scenes.language import App, Control, Shown, Values

_EFFECT = re.compile(r"(?P<key>.+?)(?P<how>:=|=)(?P<value>.*)")
_TYPES = frozenset({"password", "textarea", "date", "email", "number", "tel", "search"})
_PASSIVE = frozenset({"wait", "scroll", "hover", "verifySuccess", "selectText"})
_TROUBLES = ("alert", "toast", "title", "invalid", "plain", "crash")
_SPOKEN = {"alert": "alert", "toast": "status"}


class Page:
    """The current page, the typed values, and the saved records. The application's `faults` say how it
    fails to save; `after` is how many saves succeed before.
    """

    def __init__(self, app: App, at: str, host: str) -> None:
        self.app, self.at, self._host = app, at, host
        self.values = Values({**app.start, "at": at})
        self.message = ""
        self.done: list[Control] = []  # the controls used, in order
        self._trouble: tuple[str, str] = ("", "")
        self._asks = ""  # the effects that wait for a confirmation
        self._undo: tuple[int, dict[str, str]] | None = None
        self._focus: Control | None = None
        self._savings = 0
        self._ids: dict[tuple[str, ...], str] = {}

    @property
    def saved(self) -> dict[str, str]:
        return self.values.saved

    # Display

    def _shown(self) -> Shown:
        shown = Shown(self.app.name, self.values)
        how, text = self._trouble
        for name, to in self.app.nav.items():
            shown.control(f"link {name} -> > {to}", "nav: Main")
        if how == "crash":
            shown.lines.append(f"# {text}")
        else:
            shown.read(self.app.pages[self.at], self.app.lists)
        if self._asks:
            question = self.app.faults["confirm"]
            shown.lines.append(question)
            shown.control("btn Cancel -> asked=no", f"dialog: {question}")
            shown.control("btn Yes, continue -> asked=yes", f"dialog: {question}")
        self._tell(shown)
        return shown

    def _tell(self, shown: Shown) -> None:
        """Add the messages where this application shows them."""
        how, text = self._trouble
        if how in ("title", "crash"):
            shown.title = text
        if how == "invalid":
            at = next((i for i, one in enumerate(shown.controls) if one.role == "inp"), None)
            if at is not None:
                shown.controls[at] = shown.controls[at].with_state("invalid")
        if how == "plain":
            shown.lines += ["Opening hours: 9 to 5", "About this page", text]
        for one, state in ((self.message, "status"), (text, _SPOKEN.get(how, ""))):
            if one and state:
                shown.lines.append(one)
                shown.controls.append(Control("txt", one, "", states=(state,)))

    def controls(self) -> list[tuple[str, Control]]:
        """The controls that can be used now, with their ids."""
        seen: dict[tuple[str, ...], int] = {}
        listed = []
        for one in self._shown().controls:
            about = (self.at, one.role, one.name, one.group)
            seen[about] = seen.get(about, 0) + 1
            key = (*about, str(seen[about]))
            listed.append((self._ids.setdefault(key, str(len(self._ids) + 1)), one))
        return listed

    def observation(self) -> dict[str, Any]:
        """The page as a request's body; what a rollback reverts is visible once."""
        if self._undo is not None and self._undo[0] < self.values.looks:
            self.settle()
        self.values.looks += 1
        controls, shown = self.controls(), self._shown()
        modal = next((one.group for _, one in controls if "dialog" in one.group), None)
        how, text = self._trouble
        errors = [text] if how == "alert" else []
        tree = [
            _node(i, one, covered=bool(modal) and "dialog" not in one.group) for i, one in controls
        ]
        return {
            "url": f"https://{self._host}/{self.at}",
            "pageTitle": shown.title,
            "requestId": str(uuid4()),
            "domMode": "semantic_v3",
            "interactiveTree": tree,
            "viewport": {"width": 1280, "height": 800},
            "pageSummary": "\n".join([shown.title, *self.app.nav, *shown.lines])[:4_000],
            "hasErrors": bool(errors),
            "errors_detected": errors,
            "success_messages": [self.message] if self.message else [],
        }

    def settle(self) -> None:
        """Revert what was only displayed as saved, whether or not anybody observes."""
        if self._undo is not None:
            self.values.saved, self._undo = self._undo[1] | {"at": self.at}, None

    @property
    def text(self) -> str:
        """All readable text."""
        shown = self._shown()
        return "\n".join([shown.title, *shown.lines])

    def find(self, name: str, row: str) -> tuple[str, Control] | None:
        """The control of that name whose group contains `row`."""
        return next(
            (
                found
                for found in self.controls()
                if found[1].name == name and row in found[1].group and found[1].role != "txt"
            ),
            None,
        )

    # Actions

    def action(self, act: str) -> Action | None:
        """The action for `Name = value @ row` on this page; None if the control does not exist."""
        name, row, value = parts(act)
        found = self.find(name, row)
        if found is None:
            return None
        i, control = found
        if control.role == "inp":
            return action("setValue", i, value)
        if control.role == "sel":
            return action("selectOption", i, value)
        if control.role == "chk" and value:
            return action("setChecked", i, value == "on")
        return action("click", i)

    def act(self, name: str, args: Mapping[str, Any]) -> bool:
        """Execute an action; False if that is impossible."""
        if name in _PASSIVE:
            return True
        if name == "pressKey":
            return self._key(str(args["key"]))
        if name == "navigate":
            return self._navigate(str(args["url"]))
        one = next((one for i, one in self.controls() if i == str(args.get("id"))), None)
        modal = any("dialog" in other.group for _, other in self.controls())
        if one is None or "disabled" in one.states or (modal and "dialog" not in one.group):
            return False
        self.done.append(one)
        self._focus = one
        return self._use(one, name, args)

    def _use(self, one: Control, name: str, args: Mapping[str, Any]) -> bool:
        if name == "setValue":
            if one.role != "inp" or "readonly" in one.states:
                return False
            self.values.typed[one.key] = _as_page_takes_it(str(args["text"]), one)
        elif name == "selectOption":
            if args["label"] not in one.options:
                return False
            self.values.typed[one.key] = str(args["label"])
        elif name == "setChecked":
            self.values.typed[one.key] = _checked(one, on=bool(args["checked"]))
        elif name not in ("click", "doubleClick", "press"):
            return False
        elif one.role in ("chk", "rad"):
            self.values.typed[one.key] = _checked(one, on="checked" not in one.states)
        if name != "setValue":
            self._press(one)
        return True

    def _key(self, key: str) -> bool:
        if key == "Enter" and self._focus is not None and self._focus.role == "inp":
            group, own = self._focus.group, self._focus.does
            submits = (
                one for _, one in self.controls() if one.role == "btn" and one.group == group
            )
            pressed = self._focus if own else next(submits, None)
            if pressed is not None:
                self.done.append(pressed)
                self._press(pressed)
        return True

    def _navigate(self, url: str) -> bool:
        page = url.rpartition("/")[2]
        if page not in self.app.pages or self._host not in url:
            return False
        self._run([f"> {page}"])
        return True

    def _press(self, one: Control) -> None:
        if not one.does:
            return
        if self._asks:
            waiting, self._asks = self._asks, ""
            if one.does == "asked=yes":
                self._run(waiting.split("; "))
            return
        effects = one.does.split("; ")
        if any(":=" in effect for effect in effects):
            self._savings += 1
            if self.app.faults and self._savings > int(self.app.faults.get("after", 0)):
                self._fail(effects)
                return
        self._run(effects)

    def _fail(self, effects: list[str]) -> None:
        """What this application does instead of saving."""
        faults = self.app.faults
        kept = [one for one in effects if ":=" not in one]
        if "silent" in faults:
            return
        if "confirm" in faults:
            self._asks = "; ".join(effects)
        elif "lost" in faults:
            self._run(kept)
        elif "queued" in faults:
            self._run([*(one for one in kept if not one.startswith("+")), f"+{faults['queued']}"])
        elif "login" in faults:
            self._run(["> login"])
        elif "rollback" in faults:
            before = dict(self.saved)
            self._run(effects)
            self._undo = (self.values.looks, before)
        elif "says" in faults:
            self._run([*kept, f"+{faults['says']}"])
        else:
            self.message = ""
            self._trouble = next((how, faults[how]) for how in _TROUBLES if how in faults)

    def _run(self, effects: list[str]) -> None:
        self.message, self._trouble = "", ("", "")
        for raw in effects:
            effect = self.values.guarded(raw)
            if effect is None:
                continue
            if effect.startswith("!"):
                self._trouble = ("alert", self.values.fill(effect[1:]))
                return
            if effect.startswith("> "):
                self.at = self.saved["at"] = self.values.fill(effect[2:])
                self.values.typed, self.values.defaults, self._focus = {}, {}, None
            elif effect.startswith("+"):
                self.message = self.values.fill(effect[1:])
            else:
                self._set(effect)

    def _set(self, effect: str) -> None:
        found = _EFFECT.fullmatch(effect)
        if found is None:
            raise ValueError(f"no effect: {effect}")
        key = self.values.fill(found["key"])
        place = (
            self.values.typed if key in self.values.defaults and found["how"] == "=" else self.saved
        )
        place[key] = self.values.fill(found["value"])


def parts(act: str) -> tuple[str, str, str]:
    """The name, row and value of `Name = value @ row`."""
    rest, _, row = act.partition(" @ ")
    name, _, value = rest.partition(" = ")
    return name, row, value


def _as_page_takes_it(text: str, one: Control) -> str:
    """The text as the field accepts it: some truncate or reformat it."""
    if "digits" in one.states:
        return "".join(letter for letter in text if letter.isdigit())
    most = next((int(state[3:]) for state in one.states if state.startswith("max")), None)
    return text[:most]


def _checked(one: Control, *, on: bool) -> str:
    return one.name if one.role == "rad" else "on" if on else ""


def _node(i: str, one: Control, *, covered: bool) -> dict[str, Any]:
    states = [
        s for s in one.states if s not in _TYPES and s != "digits" and not s.startswith("max")
    ]
    kind = next((s for s in one.states if s in _TYPES), "text")
    return {
        "i": i,
        "r": one.role,
        "n": one.name,
        **({"g": one.group} if one.group else {}),
        **({"s": states} if states else {}),
        **({"v": _seen(one, kind)} if one.role in ("inp", "sel") else {}),
        **({"t": kind} if one.role == "inp" else {}),
        **({"o": list(one.options)} if one.options else {}),
        **({"occ": True} if covered else {}),
    }


def _seen(one: Control, kind: str) -> str:
    return "••••" if kind == "password" and one.value else one.value
