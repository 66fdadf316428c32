"""Words that are no values by themselves, and words that stand for values in another spelling.

Without accents, as `tokens.fold` leaves them.
"""

from app.text.vocabulary import numbers, section, vocabulary

GLUE = vocabulary("values.glue")
INTRODUCING = vocabulary("values.introducing")
"""Words that a value may follow: "status to new", "with name Jas"."""
LABELS = vocabulary("values.labels")
"""What fields are called: in a person's sentence they part one value from the next."""
COMMANDS = vocabulary("values.commands")
COMMON = GLUE | INTRODUCING | LABELS | COMMANDS

EXAMPLE = vocabulary("values.example")
"""What follows one of these on a page shows a format, and is nobody's value."""

MONTHS: tuple[frozenset[str], ...] = tuple(map(frozenset, section("values.months").values()))
WEEKDAYS: tuple[frozenset[str], ...] = tuple(map(frozenset, section("values.weekdays").values()))
RELATIVE_DAYS = numbers("values.relative_days")
UNITS = numbers("values.units")
SCALES = numbers("values.scales")
NAMED_TIMES = {
    **dict.fromkeys(vocabulary("values.noon"), "12:00"),
    **dict.fromkeys(vocabulary("values.midnight"), "00:00"),
}
DATE_PARTS = vocabulary("values.date_parts")
"""Fields that take a piece of a date or a time."""
AT = vocabulary("values.at")
"""Before a bare number, these make it an hour."""
