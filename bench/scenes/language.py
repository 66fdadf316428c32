"""Parse the language of the pages: lines become controls and text, filled with the current values."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

_CONTROL = re.compile(
    r"(?P<role>link|btn|inp|chk|rad|sel|tab|menu) (?P<name>.+?)(?: @(?P<key>.+?))?(?: = (?P<value>.*?))?"
    r"(?: \[(?P<options>.*?)\])?(?P<states>(?: :\w+)*)(?: -> (?P<does>.*))?"
)
_GROUP = re.compile(r"(form|dialog|menu|list|fieldset|toolbar)(?: (.+))?")
_GUARD = re.compile(r"\[([^\]]+)\] (.*)")
_INNERMOST = re.compile(r"\{([^{}]*)\}")
_FIELDS = frozenset({"inp", "chk", "rad", "sel"})


@dataclass(frozen=True)
class App:
    """The constants of an application: pages by name, navigation, rows of `each`, initial records."""

    name: str
    pages: Mapping[str, str]
    nav: Mapping[str, str]
    lists: Mapping[str, Sequence[str]]
    start: Mapping[str, str]
    faults: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Control:
    """A control in its current state; `key` is what it sets, `does` its effects when pressed."""

    role: str
    name: str
    group: str
    key: str = ""
    value: str = ""
    options: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    does: str = ""

    def with_state(self, state: str) -> "Control":
        return replace(self, states=(*self.states, state))


@dataclass
class Values:
    """Typed values, the defaults of the page's fields, and saved values."""

    saved: dict[str, str]
    typed: dict[str, str] = field(default_factory=dict)
    defaults: dict[str, str] = field(default_factory=dict)
    looks: int = 0

    def of(self, key: str) -> str:
        for place in (self.typed, self.defaults, self.saved):
            if key in place:
                return place[key]
        return str(self.looks) if key == "#" else ""

    def fill(self, text: str) -> str:
        """Replace the keys in the text by their values, innermost first."""
        while "{" in text:
            filled = _INNERMOST.sub(lambda found: self.of(found[1]), text)
            if filled == text:
                break
            text = filled
        return text

    def guarded(self, line: str) -> str | None:
        """The line without its condition; None if the condition is false."""
        found = _GUARD.fullmatch(line)
        if found is None:
            return line
        holds = all(self._is_so(part) for part in self.fill(found[1]).split(" & "))
        return found[2] if holds else None

    def _is_so(self, part: str) -> bool:
        if "!=" in part:
            key, _, value = part.partition("!=")
            return self.of(key) != value
        if "=" in part:
            key, _, value = part.partition("=")
            return self.of(key) == value
        if "~" in part:
            key, _, text = part.partition("~")
            return self.of(key).casefold() in text.casefold()
        return not self.of(part[1:]) if part.startswith("!") else bool(self.of(part))


class Shown:
    """A page's content: its title, controls and lines of text."""

    def __init__(self, title: str, values: Values) -> None:
        self.title, self._plain = title, title
        self.controls: list[Control] = []
        self.lines: list[str] = []
        self._values = values
        self._section = self._group = ""
        values.defaults = {}

    def read(self, page: str, lists: Mapping[str, Sequence[str]]) -> None:
        """Add all visible lines of a page."""
        for line in self._expanded(page, lists):
            self._line(line)

    def _expanded(self, page: str, lists: Mapping[str, Sequence[str]]) -> Iterator[str]:
        some = True
        for line in filter(None, map(str.strip, page.splitlines())):
            if line.startswith("each "):
                name, _, inner = line[5:].partition(": ")
                rows = (self._values.guarded(_in_row(inner, row)) for row in lists[name])
                shown = [row for row in rows if row is not None]
                some = bool(shown)
                yield from shown
            elif line.startswith("else "):
                if not some:
                    yield line[5:]
            elif (one := self._values.guarded(line)) is not None:
                yield one

    def _line(self, line: str) -> None:
        fill = self._values.fill
        if line.startswith("# "):
            heading = fill(line[2:])
            self._group = self._section = f"section: {heading}"
            if self.title == self._plain:
                self.title = f"{heading} · {self._plain}"
            self.lines.append(f"# {heading}")
        elif line == "end":
            self._group = self._section
        elif line.startswith("| "):
            self._row([cell.strip() for cell in line[2:].split(" | ")])
        elif _CONTROL.fullmatch(line):
            self.lines.append(self.control(line, self._group).name)
        elif (group := _GROUP.fullmatch(line)) is not None:
            inside = f"{group[1]}: {fill(group[2])}" if group[2] else group[1]
            self._group = " > ".join(filter(None, [self._section, inside]))
        else:
            self.lines.append(fill(line))

    def _row(self, cells: list[str]) -> None:
        controls = [cell for cell in cells if _CONTROL.fullmatch(cell)]
        texts = [self._values.fill(cell) for cell in cells if cell not in controls]
        group = " > ".join(filter(None, [self._section, f"row: {', '.join(texts)}"]))
        names = [self.control(one, group).name for one in controls]
        self.lines.append(" | ".join([*texts, " ".join(names)] if names else texts))

    def control(self, line: str, group: str) -> Control:
        """Add the control described by this line."""
        parts = _CONTROL.fullmatch(line)
        if parts is None:
            raise ValueError(f"no control: {line}")
        values, role, name = self._values, parts["role"], self._values.fill(parts["name"])
        key = values.fill(parts["key"] or name)
        value = values.typed.get(key, values.fill(parts["value"] or ""))
        if role in _FIELDS:
            values.defaults.setdefault(key, value)
        states = tuple(parts["states"].split(" :")[1:])
        if (role == "chk" and value == "on") or (role == "rad" and value == name):
            states = (*states, "checked")
        options = tuple(filter(None, (parts["options"] or "").split(" / ")))
        one = Control(role, name, group, key, value, options, states, parts["does"] or "")
        self.controls.append(one)
        return one


def _in_row(line: str, row: str) -> str:
    for number, cell in enumerate(row.split(", "), start=1):
        line = line.replace(f"{{{number}}}", cell)
    return line
