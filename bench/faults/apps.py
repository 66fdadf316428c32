"""The apps of the site: their records, the task in words, and the expected result."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]
Values = dict[str, str]

PEOPLE = ("Ann Smith", "Bob Tanner", "Chloe Marsh", "Dev Patel", "Eva Lund", "Farid Aziz")
NEW_PEOPLE = ("Rosa Lind", "Tom Okafor", "Mia Castell", "Jonas Weber")
FIRMS = ("Bolt & Co", "Harbour Paper", "Nordlicht GmbH", "Quay Foods")


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal in words, and the single effect on the records that it means. `row` is the id of the record,
    None for a new one. `values` must be among what the page sends.
    """

    words: str
    op: str
    values: Values
    row: int | None = None


@dataclass(frozen=True, slots=True)
class App:
    """One app. `parts` are the controls on the way that faults are put on, each with the number of the
    answer that uses it if nothing goes wrong; the last one ends the task. `field` is one that the goal
    has a value for, `required` are the form's mandatory ones. `strict` is a complaint about the value
    of `field`, and the value in the format the app accepts.
    """

    name: str
    start: str
    parts: dict[str, int]
    rows: tuple[Row, ...]
    goal: Callable[[random.Random], Goal]
    field: str = ""
    required: tuple[str, ...] = ()
    strict: tuple[str, Callable[[str], str]] | None = None
    more: tuple[Row, ...] = ()  # rows added concurrently by others


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())


def _day_first(text: str) -> str:
    return "/".join(reversed(text.split("-")))


def _supplier(rng: random.Random) -> Goal:
    name, phone = rng.choice(FIRMS), f"555 {rng.randint(1000, 9999)}"
    words = f"Add a new supplier called '{name}' with phone '{phone}'"
    return Goal(words, "add", {"name": name, "phone": phone})


def _contact(rng: random.Random) -> Goal:
    name = rng.choice(NEW_PEOPLE)
    email = f"{name.split()[0].lower()}@{rng.choice(('post', 'mail', 'works'))}.example"
    words = f"Add a new contact with name '{name}' and email '{email}'"
    return Goal(words, "add", {"name": name, "email": email})


def _email(rng: random.Random) -> Goal:
    number = rng.randrange(len(PEOPLE))
    email = f"{PEOPLE[number].split()[0].lower()}.{rng.randint(10, 99)}@new.example"
    words = f"Change the email of {PEOPLE[number]} to '{email}'"
    return Goal(words, "change", {"email": email}, number + 1)


def _order(rng: random.Random) -> Goal:
    number = rng.randrange(len(PEOPLE))
    return Goal(f"Delete the order of {PEOPLE[number]}", "delete", {}, number + 1)


def _switch(rng: random.Random) -> Goal:
    row = rng.choice([one for one in SWITCHES if one["tab"] == "notifications" and not one["on"]])
    words = f"Open Notifications, turn on {row['name'].lower()} and save the changes"
    return Goal(words, "set", {"on": "true"}, row["id"])


def _booking(rng: random.Random) -> Goal:
    title = rng.choice(("Team lunch", "Board meeting", "Fire drill"))
    date, room = f"2026-12-{rng.randint(10, 28)}", rng.choice(("Garden", "Library", "Attic"))
    guests = str(rng.randint(3, 19))
    words = (
        f"Create a new booking with title '{title}' and date '{date}', press Next, "
        f"select '{room}' as room, enter '{guests}' as guests and press Confirm booking"
    )
    return Goal(words, "add", {"title": title, "date": date, "room": room, "guests": guests})


def _ticket(rng: random.Random) -> Goal:
    row = rng.choice(TICKETS)
    person = rng.choice(("Ann Reed", "Omar Haddad", "Lena Fuchs", "Ivo Novak"))
    words = (
        f"Open '{row['title']}', set priority to High, "
        f"set assignee to {person} and press Save ticket"
    )
    return Goal(words, "change", {"priority": "High", "assignee": person}, row["id"])


SWITCHES: tuple[Row, ...] = tuple(
    {"id": number, "tab": tab, "name": name, "on": on}
    for number, (tab, name, on) in enumerate(
        (
            ("general", "Compact view", False),
            ("general", "Show tips", True),
            ("notifications", "Weekly digest", False),
            ("notifications", "Order alerts", True),
            ("notifications", "Low stock warnings", False),
            ("security", "Ask for a code", True),
        ),
        1,
    )
)
TICKETS: tuple[Row, ...] = tuple(
    {"id": number, "title": title, "priority": "Normal", "assignee": "Nobody"}
    for number, title in enumerate(
        ("Printer is broken", "Lamp in hall 3", "Lost key", "Wet floor"), 12
    )
)
CONTACTS: tuple[Row, ...] = tuple(
    {
        "id": number,
        "name": name,
        "email": f"{name.split()[0].lower()}@old.example",
        "phone": f"555 {number * 111:04}",
    }
    for number, name in enumerate(PEOPLE, 1)
)
PRICES = (40, 310, 95, 120, 60, 25)
ORDERS: tuple[Row, ...] = tuple(
    {"id": number, "customer": name, "item": item, "total": total}
    for number, (name, item, total) in enumerate(
        zip(PEOPLE, ("Lamp", "Desk", "Chair", "Shelf", "Rug", "Clock"), PRICES, strict=True), 1
    )
)  # fmt: skip
SUPPLIERS: tuple[Row, ...] = (
    {"id": 1, "name": "Aldous Timber", "phone": "555 0100", "city": "Leeds"},
    {"id": 2, "name": "Brightwater", "phone": "555 0111", "city": "York"},
)
BOOKINGS: tuple[Row, ...] = (
    {"id": 1, "title": "Yoga", "date": "2026-12-01", "room": "Attic", "guests": "8"},
)
_DIGITS = ("Phone may only contain digits, without spaces", _digits)
_DATE = ("Enter the date as DD/MM/YYYY", _day_first)

APPS = {
    app.name: app
    for app in (
        App("suppliers", "/suppliers", {"open": 1, "save": 3}, SUPPLIERS, _supplier,
            field="phone", required=("name",), strict=_DIGITS),
        App("contacts", "/contacts", {"open": 1, "save": 3}, CONTACTS, _contact,
            field="email", required=("name",),
            more=({"name": "Zoe Hart", "email": "zoe@x.example"},)),
        App("emails", "/contacts", {"row": 1, "save": 3}, CONTACTS, _email,
            field="email", required=("name",),
            more=({"name": "Zoe Hart", "email": "zoe@x.example"}, {"name": "Yan Qi"})),
        App("orders", "/orders", {"save": 1}, ORDERS, _order,
            more=({"customer": "Zoe Hart", "item": "Vase"}, {"customer": "Yan Qi", "item": "Mug"})),
        App("settings", "/settings", {"open": 1, "toggle": 2, "save": 3}, SWITCHES, _switch),
        App("bookings", "/bookings", {"open": 1, "next": 3, "save": 6}, BOOKINGS, _booking,
            field="date", required=("title", "date"), strict=_DATE),
        App("tickets", "/tickets", {"open": 1, "list": 2, "save": 3}, TICKETS, _ticket,
            more=({"title": "Broken window"}, {"title": "Cold office"})),
    )
}  # fmt: skip
