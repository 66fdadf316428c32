"""Numbers as people write them in a request: digits, and the words of the languages we know."""

from app.text import patterns

_WORDS = {
    0.5: "half halbe halben halber demi demie media medio חצי",
    1: "a an one single ein eine einem einen einer un une uno una unico única אחד אחת יחיד",
    2: "two couple zwei zwo paar deux dos שני שתי שניים שתיים",
    3: "three few drei einige trois quelques tres unos unas שלוש שלושה כמה",
    4: "four vier quatre cuatro ארבע ארבעה",
    5: "five several fünf fuenf cinq cinco חמש חמישה",
    6: "six sechs seis שש שישה",
    7: "seven sieben sept siete שבע שבעה",
    8: "eight acht huit ocho שמונה",
    9: "nine neun neuf nueve תשע תשעה",
    10: "ten zehn dix dizaine diez עשר עשרה",
    11: "eleven elf onze once",
    12: "twelve dozen zwölf zwoelf dutzend douze douzaine doce docena",
    13: "thirteen dreizehn treize trece",
    14: "fourteen vierzehn quatorze catorce",
    15: "fifteen fünfzehn quinze quince",
    16: "sixteen sechzehn seize dieciséis",
    17: "seventeen siebzehn diecisiete",
    18: "eighteen achtzehn dieciocho",
    19: "nineteen neunzehn diecinueve",
    20: "twenty zwanzig vingt veinte עשרים",
    30: "thirty dreißig dreissig trente treinta שלושים",
    40: "forty vierzig quarante cuarenta ארבעים",
    50: "fifty fünfzig cinquante cincuenta חמישים",
    60: "sixty sechzig soixante sesenta שישים",
    70: "seventy siebzig setenta שבעים",
    80: "eighty achtzig ochenta שמונים",
    90: "ninety neunzig noventa תשעים",
    100: "hundred hundert einhundert cent cien מאה",
    150: "hundertfünfzig",
    200: "zweihundert doscientos doscientas מאתיים",
    300: "dreihundert trescientos trescientas",
    400: "vierhundert cuatrocientos cuatrocientas",
    500: "fünfhundert quinientos quinientas",
    1000: "thousand tausend mille mil אלף",
}
VALUES: dict[str, float] = {
    word: number for number, line in _WORDS.items() for word in line.split()
}
_ARTICLES = frozenset(
    ("a", "an", "ein", "eine", "einem", "einen", "einer", "un", "une", "una", "unos", "unas")
)
_ONE = "|".join(sorted(map(patterns.escape, VALUES), key=len, reverse=True))
_GLUE = r"(?:\s+(?:of\s+|and\s+|und\s+|et\s+|y\s+|de\s+)?|-)"  # "two hundred and fifty"
NUMBER = (
    r"(?:(?<![\d.,])\d{1,3}(?:[., ]\d{3})+(?!\d)|(?<![\d.,])\d{1,6}(?:[.,]5)?(?!\d)"
    rf"|(?<!\w)[בל]?(?:{_ONE})(?!\w)(?:{_GLUE}(?:{_ONE})(?!\w)){{0,4}})"
)
_WORD = patterns.compile(r"[^\W\d_]+")
_PREFIXED = patterns.compile(r"^[בל](?=\w{2})")  # Hebrew writes "in" onto the word
_DECIMAL = patterns.compile(r"\d{1,2}[.,]5")


def value(written: str) -> float:
    """The number that a match of `NUMBER` stands for."""
    if written[:1].isdigit():
        if _DECIMAL.fullmatch(written):
            return float(written.replace(",", "."))
        return float(patterns.sub(r"\D", "", written))
    said = _WORD.findall(written.casefold())
    words = [word if word in VALUES else _PREFIXED.sub("", word) for word in said]
    words = [word for word in words if word in VALUES]
    return _summed([VALUES[word] for word in words if word not in _ARTICLES] or [1.0])


def _summed(values: list[float]) -> float:
    """As they are spoken: "two hundred fifty" is 2 * 100 + 50, "half a dozen" half of 12."""
    total = 0.0
    for one in values:
        if 0 < total < one and (one >= 100 or total < 1):
            total *= one
        else:
            total += one
    return total
