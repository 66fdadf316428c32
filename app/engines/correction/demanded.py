"""The same value, written as a page demands it: "Only digits", "Enter the date as DD/MM/YYYY"."""

from datetime import date

from app.engines.risk.lexicon import pattern, words
from app.text import patterns

_DIGITS_ONLY = pattern(
    """
    only_digits only_numbers digits_only numbers_only only_contain_digits only_contain_numbers
    must_be_numeric numeric_only nur_ziffern nur_zahlen uniquement_des_chiffres que_des_chiffres
    chiffres_uniquement solo_digitos solo_numeros solo_cifre solo_numeri apenas_digitos
    apenas_numeros alleen_cijfers ספרות_בלבד
    """
)
_NO_SPACES = pattern(
    """
    no_spaces without_spaces not_contain_spaces contain_no_spaces keine_leerzeichen
    ohne_leerzeichen sans_espaces sans_espace sin_espacios senza_spazi sem_espacos zonder_spaties
    """
)
_UPPER = pattern(
    """
    capital_letters uppercase upper_case grossbuchstaben majuscules mayusculas maiuscole maiusculas
    """
)
_LOWER = pattern(
    "lowercase lower_case small_letters kleinbuchstaben minuscules minusculas minuscole"
)
_SEPARATORS = patterns.compile(r"[\s().+/-]")
# Day, month and year as forms write them: English, German, French, Spanish, Portuguese, Italian, Dutch.
_PART = f"(?:{'|'.join(f'{letter}{{2,4}}' for letter in 'DTJGMYA')})"
_DATE = patterns.compile(
    "|".join(
        f"(?<![A-Z]){_PART}({sep}){_PART}{sep}{_PART}(?![A-Z])" for sep in (r"\.", "/", " ", "-")
    )
)
_ISO = patterns.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_EXAMPLE = patterns.compile(r"[(+]?[\d#_][\d#_() ./-]{3,}[\d#_]")
_LEAST = 4  # digits of an example; fewer are a number of something


def rewritten(value: str, said: str) -> str | None:
    """The value as the complaint `said` wants it; None where it says nothing of how, or where only a
    person could tell what the value then is.
    """
    value, plain = value.strip(), words(said)
    found = _as_date(value, said) or _as_digits(value, plain) or _as_example(value, said)
    if found is None and _NO_SPACES.search(plain):
        found = patterns.sub(r"\s+", "", value)
    if found is None and _UPPER.search(plain):
        found = value.upper()
    if found is None and _LOWER.search(plain):
        found = value.lower()
    return found if found and found != value else None


def _as_date(value: str, said: str) -> str | None:
    """A date that can be read in one way only, in the order of letters that the page shows."""
    shape, read = _DATE.search(said), _ISO.fullmatch(value)
    if shape is None or read is None:
        return None
    try:
        day = date(*(int(part) for part in read.groups()))
    except ValueError:
        return None
    separator = "".join(filter(None, shape.groups()))
    return separator.join(_part(letters, day) for letters in shape[0].split(separator))


def _part(letters: str, day: date) -> str:
    """Two or four letters of a date's shape, filled in. `JJ` is a French day, `JJJJ` a German year."""
    if letters[0] == "M":
        return f"{day.month:02}"
    is_year = letters[0] in "YA" or len(letters) == len("JJJJ")
    return f"{day.year:04}"[-len(letters) :] if is_year else f"{day.day:02}"


def _as_digits(value: str, plain: str) -> str | None:
    """A number without what is written between its digits."""
    bare = _SEPARATORS.sub("", value)
    return bare if _DIGITS_ONLY.search(plain) and bare.isdigit() else None


def _as_example(value: str, said: str) -> str | None:
    """A number with its digits where an example or a mask has its own, if it has as many."""
    digits = _SEPARATORS.sub("", value)
    for shown in _EXAMPLE.findall(said):
        places = sum(c.isdigit() or c in "#_" for c in shown)
        if places >= _LEAST and digits.isdigit() and places == len(digits) and not shown.isdigit():
            left = iter(digits)
            return "".join(next(left) if c.isdigit() or c in "#_" else c for c in shown)
    return None
