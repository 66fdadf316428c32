"""What a message asks of a summary: its length, its shape and what it is to dwell on."""

from dataclasses import dataclass, replace
from functools import cache

from app.chat.summarizing.length import BRIEF, DETAILED, LONGEST, MOST_WORDS, SHORT, Length
from app.chat.summarizing.numerals import NUMBER, value
from app.text import patterns

WORDS_A_PAGE = 450  # of running text with headings, at 11 points on A4
WORDS_A_MINUTE = 230  # read silently: Brysbaert 2019, 238 for English non-fiction
WORDS_A_LINE = 25
CHARACTERS_A_POST = 280

_READ = 4_000  # characters of a message that are looked at: lengths are asked for in a few words
_UNITS = {
    "sentences": r"sentences?|s[aä]tz(?:e|en)?|saetzen?|phrases?|frases?|oraci(?:ón|on|ones)|משפט(?:ים)?",
    "items": r"(?:bullet(?:ed)?|key|main|top)?[\s-]*(?:points?|bullets?|items?|take-?aways?|facts?"
    r"|highlights?)"
    r"|stichpunkte?n?|stichworte?n?|kernpunkte?n?|punkte?n?|aufz[aä]hlungspunkte?n?|puces?"
    r"|puntos?(?:\s+clave)?"
    r"|vi[nñ]etas?|נקודות|נקודה|סעיפים|בולטים",
    "words": r"words?|w[oö]rter?n?|woertern?|worte?n?|mots?|palabras?|מילים|מילה",
    "characters": r"characters?|chars?|letters|zeichen|caract[eè]res?|caracter(?:es)?|תווים",
    "paragraphs": r"paragraphs?|abs[aä]tz(?:e|en)?|abschnitt(?:e|en)?|paragraphes?"
    r"|p[aá]rrafos?|פסק(?:ה|ות|אות)",
    "pages": r"pages?|seiten?|p[aá]ginas?|עמוד(?:ים)?",
    "lines": r"lines?|liners?|zeilen?|lignes?|l[ií]neas?|שור(?:ה|ות)",
    "minutes": r"minutes?(?:['\u2019]?s?[\s-]+(?:read(?:ing)?|summary))?|min(?:s|\.)?|minuten?|minutos?|דקות"
    r"|דקה",
    "seconds": r"seconds?|secs?|sekunden|secondes|segundos|שניות",
}
_EACH = (
    r"(?:\s+(?P<each>each|apiece|jeweils|chacune?|cada\s+un[oa]|כל\s+אחד)|\s+(?:per|a|for\s+each|pro"
    r"|je|par|por)\s+(?P<per>[^\W\d_]+))?"
)
_FILLER = (
    r"(?:[\s-]+(?:of\s+the|of|de|very|short|brief|concise|clear|simple|plain|full|complete|key|main"
    r"|most\s+important|important|kurzen?|knappen?|courtes?|breves?|cortas?|the|wichtigsten?)){0,3}"
)
_RANGE = (
    rf"(?:(?:{NUMBER})\s*(?:to|or|bis|oder|à|ou|עד)\s*|\d+\s*[-\u2013\u2014]\s*|\d+\s+[ao]\s+"
    rf"|between\s+(?:{NUMBER})\s+and\s+|zwischen\s+(?:{NUMBER})\s+und\s+)?"
)
_LIST = patterns.compile(
    r"\b(?:bullet(?:ed|s|[\s-]*points?)?|bullet[\s-]?list|as\s+an?\s+(?:\w+\s+)?list"
    r"|in\s+(?:a\s+)?list(?:\s+form)?"
    r"|key\s+(?:points|facts|take-?aways)|main\s+points|(?:key\s+)?take-?aways|highlights"
    r"|in\s+points|table|checklist"
    r"|stichpunkt\w*|stichwort\w*|aufz[aä]hlung|kernpunkte?|als\s+liste|(?:en|à|a)\s+puces"
    r"|points\s+cl[eé]s|en\s+liste"
    r"|vi[nñ]etas|puntos\s+(?:clave|principales)|en\s+puntos|lista|tabelle|tableau|tabla)\b"
    r"|נקודות|רשימה|בולטים",
    patterns.IGNORECASE,
)
_ONE_PARAGRAPH = patterns.compile(
    r"\b(?:as|in)\s+(?:a\s+)?(?:short\s+|brief\s+)?paragraph\b|\bals\s+absatz\b",
    patterns.IGNORECASE,
)
_BRIEFEST = patterns.compile(
    r"\btl\W?\s*dr\b|\b(?:very|really|super|extremely|ultra|as)\s+(?:brief|short|quick|concise)\w*"
    r"|\bin\s+a\s+nutshell\b|\bnutshell\b|\bin\s+(?:short|brief)\b|\belevator\s+pitch\b|\bgist\b"
    r"|\bone[\s-]?liner\b"
    r"|\b(?:sehr|ganz|super)\s+(?:kurz|knapp)\w*|\bin\s+k[uü]rze\b|\btr[eè]s\s+(?:bref|court"
    r"|bri[eè]vement)\w*"
    r"|\bmuy\s+(?:breve|corto|brevemente)\w*|\ben\s+pocas\s+palabras\b|בקצרה\s+מאוד|על\s+קצה\s+המזלג",
    patterns.IGNORECASE,
)
_BRIEF = patterns.compile(
    r"\b(?:brief(?:ly)?|short(?:ly|er)?|quick(?:ly)?|concise(?:ly)?|succinct(?:ly)?|terse|compact)\b"
    r"|\b(?:kurz(?:e[nrs]?|gefasst)?|knapp(?:e[nrs]?)?)\b|\b(?:bref|bri[eè]vement|courte?|en\s+bref)\b"
    r"|\b(?:breve(?:mente)?|cort[oa]|en\s+resumen)\b|בקצרה|בקיצור|קצר",
    patterns.IGNORECASE,
)
_DETAILED = patterns.compile(
    r"\b(?:(?:very\s+|more\s+)?detailed|in\s+(?:more\s+|great\s+|full\s+)?detail|thorough(?:ly)?"
    r"|comprehensive(?:ly)?|in[\s-]depth"
    r"|extensive(?:ly)?|exhaustive|long(?:er)?|full[\s-]length|at\s+length|elaborate)\b"
    r"|\b(?:ausf[uü]hrlich\w*|detailliert\w*|gr[uü]ndlich\w*)\b|\bd[eé]taill[eé]\w*|\ben\s+d[eé]tail\b"
    r"|\bdetallad[oa]\b|\ben\s+detalle\b|\bextens[oa]\b|מפורט|בפירוט|בהרחבה",
    patterns.IGNORECASE,
)
_POST = patterns.compile(r"\b(?:in|as|for|of)\s+(?:a\s+)?tweet\b", patterns.IGNORECASE)
_PER_DOCUMENT = patterns.compile(
    r"\b(?:each|per)\s+(?:document|doc|file|one|of\s+(?:them|these|those))|\beach\b"
    r"|\bseparately\b|\bapiece\b"
    r"|\bjeweils\b|\bpro\s+dokument\b|\bpar\s+document\b|\bchacune?\b|\bpor\s+documento\b"
    r"|\bcada\s+(?:uno|una|documento)\b|לכל",
    patterns.IGNORECASE,
)
_FOCUS = patterns.compile(
    r"\b(?:focus(?:ing|ed|sing)?\s+(?:mainly\s+|only\s+)?(?:on|upon)|(?:with\s+(?:an?\s+"
    r"|special\s+)?)?(?:emphasis|focus|attention|stress)"
    r"\s+(?:on|to)|emphasi[sz]ing|concentrat(?:e|ing)\s+on|highlighting|especially|particularly"
    r"|above\s+all|pay\w*\s+attention\s+to"
    r"|with\s+regard\s+to|regarding|concerning|about|mit\s+(?:fokus|schwerpunkt)\s+auf"
    r"|schwerpunkt|vor\s+allem|besonders|insbesondere"
    r"|surtout|en\s+particulier|en\s+insistant\s+sur|ax[eé]e?\s+sur|centr[eé]e?\s+sur"
    r"|enfocad[oa]\s+en|centrad[oa]\s+en|sobre\s+todo"
    r"|con\s+[eé]nfasis\s+en|en\s+especial|especialmente)\s*:?\s+(?P<what>[^,.;:!?\n]{2,120})"
    r"|(?:בדגש\s+על|התמקד\w*\s+ב|במיוחד)\s*(?P<he>[^,.;:!?\n]{2,120})",
    patterns.IGNORECASE,
)
_FOR = patterns.compile(
    r"\b(?:for|für|fuer|pour|para)\s+(?P<what>(?!me\b|us\b|you\b|it\b|this\b|that\b|them\b|each\b"
    r"|mich\b|uns\b|moi\b|nous\b|m[ií]\b)"
    r"[^,.;:!?\n]{3,80})",
    patterns.IGNORECASE,
)
# What is left before a length that was cut out: "for new hires in (three sentences)".
_DANGLING = patterns.compile(
    r"(?:\s+(?:in|with|as|of|at|most|within|using|and|max|maximum|than|under|mit|und|als|en|avec"
    r"|et|con|y))+$",
    patterns.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The length that is asked for, and what to dwell on, "" for nothing."""

    length: Length
    focus: str = ""


def wanted(message: str, plain: str) -> Wanted:
    """What a message asks of a summary; `plain` is the message without its mentions, whose titles may hold
    numbers of their own.
    """
    said = (plain or message)[:_READ]
    length, rest = _counted(said, Length())
    if length == Length():
        length = _described(said, length)
    if _LIST.search(said):
        length = replace(length, shape="list")
    if length.paragraphs is None and length.open and _ONE_PARAGRAPH.search(said):
        length = replace(length, paragraphs=1)
    if _PER_DOCUMENT.search(_without_items(said)):
        length = replace(length, each=True)
    return Wanted(length, _focus(rest))


@cache
def _counted_as() -> tuple[tuple[str, patterns.Pattern], ...]:
    """Each unit with each way to say how many of it. Made when first asked: half a second of a start."""
    before = [
        (
            unit,
            patterns.compile(
                rf"{_RANGE}(?P<n>{NUMBER}){_FILLER}[\s-]*(?P<unit>{words})(?!\w){_EACH}",
                patterns.IGNORECASE,
            ),
        )
        for unit, words in _UNITS.items()
    ]
    behind = [  # Hebrew says "one" behind the noun
        (
            unit,
            patterns.compile(
                rf"(?P<unit>[בל]?(?:{words}))\s+(?P<n>אחד|אחת|יחיד)(?!\w)", patterns.IGNORECASE
            ),
        )
        for unit, words in _UNITS.items()
    ]
    return (*before, *behind)


def _counted(said: str, length: Length) -> tuple[Length, str]:
    """The numbers that are asked for, and the message without them."""
    for unit, shape in _counted_as():
        found = shape.search(said)
        if found is None:
            continue
        length = _limited(length, unit, value(found["n"]), _of_items(found, length))
        said = f"{said[: found.start()]} ; {said[found.end() :]}"
    return length, said


def _of_items(found: patterns.Match, length: Length) -> bool:
    """Whether it is said of each item: "ten words per bullet", "three bullets of ten words each"."""
    groups = found.groupdict()
    if groups.get("each"):
        return length.sentences is not None
    per = (groups.get("per") or "").casefold()
    return bool(per) and any(
        patterns.fullmatch(_UNITS[unit], per, patterns.IGNORECASE)
        for unit in ("items", "sentences", "lines")
    )


def _limited(length: Length, unit: str, number: float, of_items: bool) -> Length:
    whole = max(1, round(number))
    words = {
        "words": number,
        "pages": number * WORDS_A_PAGE,
        "minutes": number * WORDS_A_MINUTE,
        "seconds": number * WORDS_A_MINUTE / 60,
    }
    if unit == "words" and of_items:
        return replace(length, words_each=whole)
    if unit in words:
        return replace(length, words=min(max(1, round(words[unit])), MOST_WORDS))
    if unit == "characters":
        return replace(length, characters=whole)
    if unit == "paragraphs":
        return replace(length, paragraphs=min(whole, LONGEST))
    if unit == "lines":
        return replace(length, sentences=min(whole, LONGEST), words_each=WORDS_A_LINE)
    shape = "list" if unit == "items" else length.shape
    return replace(length, sentences=min(whole, LONGEST), shape=shape)


def _described(said: str, length: Length) -> Length:
    if _POST.search(said):
        return replace(length, characters=CHARACTERS_A_POST)
    if _BRIEFEST.search(said):
        return replace(length, sentences=BRIEF)
    if _DETAILED.search(said):
        return replace(length, times=DETAILED)
    if _BRIEF.search(said):
        return replace(length, sentences=SHORT)
    return length


def _without_items(said: str) -> str:
    """Ten words "each" speaks of the items where there are any."""
    return patterns.sub(rf"\b(?:{_UNITS['words']})\s+each\b", " ", said, flags=patterns.IGNORECASE)


def _focus(rest: str) -> str:
    for shape in (_FOCUS, _FOR):
        found = shape.search(rest)
        if found is not None:
            what = next(filter(None, found.groupdict().values()), "")
            return _DANGLING.sub("", " ".join(what.split()))
    return ""
