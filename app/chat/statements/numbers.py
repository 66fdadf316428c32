"""Numbers as they are written: in digits, and in words of the languages that rules come in."""

from app.text import patterns

_WORDS = {
    "en": """two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 thirteen=13
        fourteen=14 fifteen=15 sixteen=16 seventeen=17 eighteen=18 nineteen=19 twenty=20 twenty-four=24
        twenty-five=25 twenty-eight=28 thirty=30 forty=40 forty-five=45 forty-eight=48 fifty=50 sixty=60
        seventy=70 seventy-two=72 eighty=80 ninety=90 hundred=100 one=1 single=1 dozen=12""",
    "de": """zwei=2 drei=3 vier=4 fünf=5 sechs=6 sieben=7 acht=8 neun=9 zehn=10 elf=11 zwölf=12 vierzehn=14
        fünfzehn=15 zwanzig=20 dreißig=30 vierzig=40 fünfzig=50 sechzig=60 neunzig=90 hundert=100 einen=1
        eines=1 einem=1 einer=1""",
    "fr": """deux=2 trois=3 quatre=4 cinq=5 sept=7 huit=8 neuf=9 dix=10 onze=11 douze=12 quatorze=14
        quinze=15 vingt=20 trente=30 quarante=40 cinquante=50 soixante=60 cent=100""",
    "es": """dos=2 tres=3 cuatro=4 cinco=5 siete=7 ocho=8 nueve=9 diez=10 once=11 doce=12 catorce=14
        quince=15 veinte=20 treinta=30 cuarenta=40 cincuenta=50 sesenta=60 noventa=90 cien=100""",
}
IN_WORDS = {
    word: float(value)
    for words in _WORDS.values()
    for word, value in (pair.split("=") for pair in words.split())
}
NEEDS_UNIT = frozenset(
    {"one", "single", "einen", "eines", "einem", "einer", "once", "cent", "neuf", "dos"}
)
"""These mean something else as often: a number only where a unit follows."""
DIGITS = r"\d{1,3}(?:[,.\u00a0\u202f' ]\d{3})+(?![\d])(?:[.,]\d+)?|\d+(?:[.,]\d+)?"
NUMBER = rf"(?:{DIGITS}|\b(?:{'|'.join(sorted(IN_WORDS, key=len, reverse=True))})\b)"
_GROUPS = patterns.compile(r"[.,\u00a0\u202f' ](?=\d{3}(?:\D|$))")


def value_of(written: str) -> float:
    """What a text that matched `NUMBER` is: "1,000", "1.000,50", "2.5", "fourteen"."""
    if (said := IN_WORDS.get(written.casefold())) is not None:
        return said
    whole = _GROUPS.sub("", written) if _grouped(written) else written
    return float(whole.replace(",", "."))


def _grouped(written: str) -> bool:
    # "1.000" is a thousand, "0.125" is not: a group follows one to three digits that are no zero.
    return bool(patterns.match(r"[1-9]\d{0,2}[.,\u00a0\u202f' ]\d{3}(?:\D|$)", written))


def shown(value: float) -> str:
    """The number as a person writes it."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}".rstrip("0")
