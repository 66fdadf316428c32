"""Words that are not values by themselves, and words that spell values differently.

Without accents, as returned by `tokens.fold`.
"""

from app.text.vocabulary import numbers, section, vocabulary

GLUE = vocabulary("values.glue")
INTRODUCING = vocabulary("values.introducing")
"""Words that introduce a value: "status to new", "with name Jas"."""
LABELS = vocabulary("values.labels")
"""Names of fields, which separate values in a user's sentence."""
COMMANDS = vocabulary("values.commands")
COMMON = GLUE | INTRODUCING | LABELS | COMMANDS

EXAMPLE = vocabulary("values.example")
"""Words that introduce an example of a format, which is not a value."""

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
"""Fields for part of a date or time."""
AT = vocabulary("values.at")
"""Words that make a following number an hour."""
