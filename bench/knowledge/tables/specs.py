"""Generate tables as manuals have them, deterministically, each value unique within its table."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

PARTS = (
    "Bracket", "Gasket", "Impeller", "Manifold", "Sprocket", "Thermostat", "Coupling", "Flange", "Solenoid",
    "Bushing", "Regulator", "Diaphragm", "Actuator", "Condenser", "Rotor", "Stator", "Bearing", "Nozzle",
)  # fmt: skip
PLACES = (
    "Leeds",
    "Porto",
    "Gdansk",
    "Lyon",
    "Turin",
    "Bergen",
    "Aarhus",
    "Ghent",
    "Malmö",
    "Split",
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell and the number of columns and rows it spans."""

    text: str
    across: int = 1
    down: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A cell by the names of its row and its column, outer ones first."""

    row: tuple[str, ...]
    column: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """A table under a heading. Its first `heads` rows are the header."""

    name: str
    title: str
    rows: tuple[tuple[Cell, ...], ...]
    heads: int
    asked: tuple[Asked, ...]


Value = Callable[[int, int], str]


def plain(
    title: str, names: Sequence[str], columns: Sequence[str], value: Value, name: str
) -> Spec:
    """A table with one header row and names in the first column."""
    body = [[row, *(value(r, c) for c in range(len(columns) - 1))] for r, row in enumerate(names)]
    return Spec(
        name=name,
        title=title,
        rows=tuple(tuple(map(Cell, row)) for row in [list(columns), *body]),
        heads=1,
        asked=tuple(
            Asked(row=(row[0],), column=(columns[c],), value=row[c])
            for row in body
            for c in range(1, len(columns))
            if row[c]
        ),
    )


def specs() -> list[Spec]:
    """The eight kinds of tables."""
    made = random.Random(8)

    def torque(r: int, c: int) -> str:
        return f"{r + 1}{c}0 Nm"

    def count(r: int, c: int) -> str:
        return f"{r + 1}{c:02d}"

    def price(r: int, c: int) -> str:
        return f"{1_000 + r * 37 + c * 411},{(r * 7 + c * 3) % 100:02d}"

    def sparse(r: int, c: int) -> str:
        return "" if (r * 5 + c * 3) % 4 else f"bay {r + 1}-{c + 1}"

    def signed(r: int, c: int) -> str:
        return (f"-{r + 1}.{c}5 mm", f"{r * 12 + 3}.{c}%", f"€{r + 2}{c},990.00")[c % 3]

    def lines(r: int, c: int) -> str:
        return f"Open valve {r + 1}{c}\nwait {r * 3 + c + 2} s\nclose valve {r + 1}{c}"

    numbered = [f"{made.choice(PARTS)} {100 + n}" for n in range(400)]
    wide = [f"{PLACES[c % 10]} {2010 + c}" for c in range(24)]
    return [
        plain("Torque by part", PARTS[:10], ["Part", "Torque", "Thread", "Bolts"], torque, "plain"),
        _merged_head(),
        _groups(),
        plain("Price list", numbered, ["Article", "List price", "Net", "Deposit"], price, "long"),
        plain("Stock by site and year", PARTS[:8], ["Part", *wide], count, "wide"),
        plain("Where parts are kept", PARTS[:14], ["Part", *PLACES[:6]], sparse, "empty cells"),
        plain("Wear and cost", PARTS[4:14], ["Part", "Wear", "Load", "Cost", "Play"], signed, "numbers"),
        plain("What to do", PARTS[:6], ["Part", "At the start", "At the end"], lines, "lines in cells"),
    ]  # fmt: skip


def _merged_head() -> Spec:
    quarters, kinds = ("Spring", "Summer", "Autumn"), ("Plan", "Actual")
    top = [Cell("Region", down=2), *(Cell(one, across=2) for one in quarters)]
    below = [Cell(kind) for _ in quarters for kind in kinds]
    body = [
        [place, *(str(40_000 + r * 613 + c * 71) for c in range(6))]
        for r, place in enumerate(PLACES)
    ]
    columns = [(quarter, kind) for quarter in quarters for kind in kinds]
    return Spec(
        name="merged head",
        title="Sales by season",
        rows=(tuple(top), tuple(below), *(tuple(map(Cell, row)) for row in body)),
        heads=2,
        asked=tuple(
            Asked(row=(row[0],), column=columns[c], value=row[c + 1])
            for row in body
            for c in range(6)
        ),
    )


def _groups() -> Spec:
    rows: list[tuple[Cell, ...]] = [tuple(map(Cell, ("Site", "Part", "Shelf", "Count")))]
    asked = []
    for number, place in enumerate(PLACES[:6]):
        for at, part in enumerate(PARTS[number : number + 3]):
            values = (f"S{number}{at}-{part[:2]}", str(700 + number * 31 + at * 7))
            first = (Cell(place, down=3),) if at == 0 else ()
            rows.append((*first, Cell(part), *map(Cell, values)))
            asked += [
                Asked(row=(place, part), column=(column,), value=value)
                for column, value in zip(("Shelf", "Count"), values, strict=True)
            ]
    return Spec(name="merged rows", title="Shelves", rows=tuple(rows), heads=1, asked=tuple(asked))
