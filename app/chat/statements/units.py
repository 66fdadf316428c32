"""What numbers count: units, each in a family in which they can be turned into each other."""

from dataclasses import dataclass

# Hours; a month and a year by their mean length, so that 30 days are told from a month by `CLOSE` alone.
_TIME = {
    1 / 3600: "second seconds sec secs sekunde sekunden seconde secondes segundo segundos",
    1 / 60: "minute minutes min mins minuten minuto minutos דקות דקה",
    1.0: "hour hours hr hrs stunde stunden heure heures hora horas שעות שעה",
    24.0: "day days tag tage tagen jour jours día días dia dias ימים יום",
    168.0: "week weeks woche wochen semaine semaines semana semanas שבועות שבוע",
    730.5: "month months monat monate monaten mois mes meses חודשים חודש",
    2191.5: "quarter quarters quartal trimestre",
    8766.0: "year years yr yrs jahr jahre jahren an ans année années año años שנים שנה",
}
_WORKING = "business working werk arbeits ouvrables ouvrés hábiles laborables עסקים"
_OTHERS = {
    "percent": {1.0: "% percent percentage prozent pourcent אחוז אחוזים"},
    "EUR": {1.0: "€ eur euro euros"},
    "USD": {1.0: "$ usd dollar dollars us$"},
    "GBP": {1.0: "£ gbp pound pounds"},
    "ILS": {1.0: "₪ ils nis shekel shekels שקלים ש״ח"},
    "CHF": {1.0: "chf franken"},
    "JPY": {1.0: "¥ jpy yen"},
    "INR": {1.0: "₹ inr rupees"},
    "data": {
        1e-3: "byte bytes", 1.0: "kb kib kilobyte kilobytes", 1e3: "mb mib megabyte megabytes",
        1e6: "gb gib gigabyte gigabytes", 1e9: "tb tib terabyte terabytes",
    },
    "bits": {1.0: "bit bits"},
    "length": {1e-3: "mm", 1e-2: "cm", 1.0: "m meter meters metre metres", 1e3: "km kilometres kilometers"},
    "mass": {1e-3: "mg", 1.0: "g gram grams", 1e3: "kg kilogram kilograms", 1e6: "tonne tonnes"},
    "temperature": {1.0: "°c celsius °"},
    "fahrenheit": {1.0: "°f fahrenheit"},
    "pressure": {1.0: "bar", 0.069: "psi", 1e-2: "kpa"},
    "power": {1.0: "w watt watts", 1e3: "kw"},
    "tension": {1.0: "v volt volts", 1e3: "kv"},
    "volume": {1e-3: "ml", 1.0: "l litre litres liter liters"},
    "turns": {1.0: "rpm"},
}  # fmt: skip
MONEY = frozenset({"EUR", "USD", "GBP", "ILS", "CHF", "JPY", "INR"})
CLOSE = 0.02  # of a time in another unit: three months are 90 days to whoever writes so
OFTEN = {
    "hourly": 1.0, "daily": 24.0, "nightly": 24.0, "weekly": 168.0, "fortnightly": 336.0, "biweekly": 336.0,
    "monthly": 730.5, "quarterly": 2191.5, "annually": 8766.0, "yearly": 8766.0, "täglich": 24.0,
    "wöchentlich": 168.0, "monatlich": 730.5, "jährlich": 8766.0, "quotidien": 24.0, "hebdomadaire": 168.0,
    "mensuel": 730.5, "annuellement": 8766.0, "mensualmente": 730.5, "anualmente": 8766.0,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unit:
    """`factor` turns it into the base of its `family`; `name` tells units of one family apart."""

    family: str
    factor: float
    name: str


def _table() -> dict[str, Unit]:
    found = {
        word: Unit("time", factor, words.split()[0])
        for factor, words in _TIME.items()
        for word in words.split()
    }
    for family, sizes in _OTHERS.items():
        for factor, words in sizes.items():
            found |= {word: Unit(family, factor, words.split()[0]) for word in words.split()}
    return found


UNITS = _table()
WORKING = frozenset(_WORKING.split())
WORKING_DAY = Unit("working time", 24.0, "working day")
