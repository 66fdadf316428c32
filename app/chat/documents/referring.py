"""Words that mean documents without naming them: "it", "this document", "the other one", "those two"."""

from collections.abc import Callable
from dataclasses import dataclass

from app.chat.documents.context import Context, Meant
from app.chat.documents.reading import Reading
from app.chat.documents.vocabulary import GENERIC, KINDS, SAY, TARGETS
from app.domain.chat import ChatAction
from app.text import patterns


def _any(words: frozenset[str]) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


_NOUN = rf"(?P<noun>(?:{_any(KINDS | GENERIC)})(?:e?s|e?n)?|policies|summaries|studies|ones?)"
_SAYS = rf"(?:{_any(SAY)})"
_END = r"(?=$| [|,]| \u00a7)"
# Before what is asked about: in it, about that, ...
_IN = (
    r"(?:in|about|of|from|within|per|under|inside|throughout|according to|based on|with|to|against|between|"
    r"in|aus|uber|von|laut|nach|mit|dans|de|selon|sur|avec|en|segun|sobre|con|del?)"
)
_NUMBERS = {
    "first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3,
    "latter": -1, "former": 0,
    "erste": 0, "ersten": 0, "erstes": 0, "zweite": 1, "zweiten": 1, "zweites": 1, "dritte": 2, "dritten": 2,
    "premier": 0, "premiere": 0, "deuxieme": 1, "seconde": 1, "troisieme": 2,
    "primero": 0, "primera": 0, "segundo": 1, "segunda": 1, "tercero": 2, "tercera": 2,
    "ראשון": 0, "הראשון": 0, "השני": 1, "שני": 1, "השלישי": 2,
}  # fmt: skip
_THE = r"(?:the|die|der|das|den|dem|le|la|les|el|los|las|ה)"
_HELP = r"(?:also |even |actually |specifically |exactly |really )?"
_EMPTY = (
    r"(?:is|was|s|would be|will be|ist|est|es)(?: it)? (?:not )?(?:possible|allowed|okay?|necessary|"
    r"required|true|legal|"
    r"mandatory|permitted|important|common|safe|better|best|worth|time|normal|fair|clear|correct|right)"
)

_ORDINAL = patterns.compile(
    rf"\b(?:{_THE} )?(?P<number>{'|'.join(_NUMBERS)})"
    rf"(?: {_NOUN}\b|(?= and | with | to | or | und | et | y | {_SAYS}\b)|{_END})"
)
_OTHER = patterns.compile(
    rf"\b(?:the other|another|die andere|das andere|der andere|den anderen|l autre|lautre|el otro|"
    rf"la otra|השני)"
    rf"(?: {_NOUN}\b|{_END}|(?= {_SAYS}\b))"
)
_EARLIER = patterns.compile(
    rf"\b(?:(?:the|my) )?(?:previous|earlier|prior|vorherige[nrs]?|precedente?|anterior) {_NOUN}\b"
    rf"|\b{_NOUN.replace('noun', 'thing')} (?:before|from before|from earlier)\b"
)
_NEWEST = patterns.compile(
    r"\b(?:the |my )?(?:(?:latest|newest|most recent(?:ly)?|last|just) (?:added |uploaded |ingested |"
    r"imported )?"
    r"(?:document|doc|file|pdf|upload)|(?:document|doc|file|pdf) (?:that )?(?:i|we) (?:have )?just "
    r"(?:added|uploaded|ingested|imported))\b"
)
_EVERY = patterns.compile(
    r"\b(?:all|every) (?:of )?(?:the |our |my |your |available )*(?:documents?|docs?|files?|pdfs?)\b"
    r"|\balle (?:unsere |meine )?(?:dokumente|dateien)\b|\btous (?:les|nos|mes) (?:documents|fichiers)\b"
    r"|\btodos (?:los|nuestros|mis) (?:documentos|archivos)\b|כל המסמכים"
)
_TWO = patterns.compile(
    r"\b(?:both(?: of)?(?: the(?:m|se)?| those)?|(?:the|those|these) (?:two|pair)(?: of them)?|"
    r"all (?:of )?(?:them|these|those)|all (?P<three>three)|each of (?:them|these|those)|(?:die |"
    r"diese )?beiden?|"
    r"(?:les|ces) deux|tous les deux|(?:los|esos|estos) dos|ambos|שניהם|שניהן|שתיהן)"
    rf"(?: {_NOUN}\b|{_END}|(?= {_SAYS}\b| in | on | by | and | with | is | are | has | have | agree\b|"
    rf" differ\b| of | for | as ))"
)
_THESE = patterns.compile(
    rf"\b(?:these|those|diese|ces|esos|estos|aquellos|האלה) {_NOUN}\b|\b(?:המסמכים|החוזים) האלה"
)
_THIS = patterns.compile(
    rf"\b(?:this|that|the same|said|dies(?:e[mnrs]?|es)?|ce(?:t|tte)?|este|esta|ese|esa) {_NOUN}\b"
    rf"|\b(?:the same|dasselbe|derselbe|dieselbe|le meme|la meme|el mismo|la misma){_END}"
    r"|(?:ה|ב|ל|מה)?(?:מסמך|נוהל|חוזה|הסכם|קובץ|מדריך) הזה"
)
_THE_DOCUMENT = patterns.compile(
    rf"\b(?:the|das|dem|des|im|le|ce|du|el|al|del|my|our) (?P<noun>{_any(GENERIC)}s?|dokuments)\b"
    r"(?! (?:about|on|called|named|titled|regarding|concerning|that|which|from|uber|namens|sur|sobre|"
    r"i|we)\b)"
    r"|(?<!\S)[בלמ]?ה?(?:מסמך|קובץ)(?!\S)"
)
_THEM_ASKED = patterns.compile(
    rf"\b(?:they|these|those) {_HELP}(?:both )?(?:{_SAYS}|agree|differ|disagree)\b|\b{_IN} (?:them|"
    rf"these|those){_END}"
    rf"|\b{_IN} them\b|\btheir (?:differences|similarities|main|key|content)\w*"
)
_IT_ASKED = patterns.compile(
    rf"\b(?:it|this|that|er|sie|es|il|elle|ello) {_HELP}{_SAYS}\b|\b{_IN} (?:this|that){_END}|\b{_IN} it\b"
    rf"|\bits (?!own\b)\w+|\bdarin\b|\bdazu\b|\bla dedans\b|\by est (?:dit|ecrit)\b|(?<!\S)(?:בו|בזה|"
    rf"בה)(?!\S)"
    r"|\b(?:is|was|when was|does|has) it (?:still |also )?(?:about|valid|in force|written|signed|"
    r"published|updated|"
    r"apply|cover)\b|\b(?:wrote|published|signed|approved) it\b"
)
_THEM = patterns.compile(
    r"\b(?:them|they|these|those|sie|ihnen|les|las|los)(?=$| [|,]| (?:to|with|and|in|for|by|as|on|"
    r"please|both|again|"
    r"miteinander|entre)\b)|אותם|אותן"
)
_IT = patterns.compile(
    r"\b(?:it|this|that|es|sie|ihn|le|la|lo)(?=$| [|,]| (?:to|with|and|in|for|by|as|on|please|again|"
    r"briefly|shorter|"
    r"zusammen|mit|kurz|bitte|en|avec|con|against)\b)|אותו|אותה|(?<!\S)(?:את )?זה(?!\S)"
)
_JOINED = patterns.compile(
    r"\b(?:resume|compare|vergleiche|resumez|comparez)[ -](?:le|la|lo|los|les|las)\b|\bresumelo\b"
)
_IT_AT_ALL = patterns.compile(rf"\bit\b|\b(?:this|that){_END}|\bdamit\b|\bdavon\b")
_EMPTY_IT = patterns.compile(
    rf"\bit {_EMPTY}\b|\b{_EMPTY}\b|\bdoes it (?:take|cost|matter|mean|depend)\b"
)


@dataclass(frozen=True, slots=True)
class _Way:
    """A way of speaking, and what it takes of the context. `plainly`: a document is meant even where there is
    none that it could be.
    """

    pattern: patterns.Pattern
    found: Callable[[Context, Meant, patterns.Match], bool]
    plainly: bool = True


def _noun(match: patterns.Match) -> str:
    given = match.groupdict().get("noun") or ""
    return "" if given in GENERIC or given.rstrip("s") in GENERIC | {"one"} else given


def _ordinal(context: Context, meant: Meant, match: patterns.Match) -> bool:
    return context.nth(meant, _NUMBERS[match["number"]])


def _newest(context: Context, meant: Meant, match: patterns.Match) -> bool:
    return context.newest(meant)


def _two(context: Context, meant: Meant, match: patterns.Match) -> bool:
    if match.group().startswith(("all", "each")):
        return context.several(meant, _noun(match), 3 if match["three"] else 0)
    return context.several(meant, _noun(match), 2)


def _several(context: Context, meant: Meant, match: patterns.Match) -> bool:
    return context.several(meant, _noun(match))


def _one(context: Context, meant: Meant, match: patterns.Match) -> bool:
    if match.group().endswith("s") and _noun(match) == "" and match.group().startswith("the doc"):
        return context.several(meant)
    return context.one(meant, _noun(match))


_FIRST = (
    _Way(_NEWEST, _newest),
    _Way(_ORDINAL, _ordinal, plainly=False),
    _Way(_OTHER, lambda context, meant, match: context.other(meant, _noun(match)), plainly=False),
    _Way(_EARLIER, lambda context, meant, match: context.earlier(meant)),
    _Way(_TWO, _two, plainly=False),
    _Way(_THESE, _several),
    _Way(_THIS, _one),
    _Way(_THE_DOCUMENT, _one),
)
_ASKED = (
    _Way(_THEM_ASKED, _several, plainly=False),
    _Way(_IT_ASKED, _one, plainly=False),
    _Way(_IT_AT_ALL, _one, plainly=False),
)
_DONE = (
    _Way(_JOINED, _one),
    _Way(_THEM, _several),
    _Way(_IT, _one),
)
_TARGET = patterns.compile(rf"\b(?:{_any(TARGETS)}|in line|consistent|comply|conform)\b")


def every(reading: Reading) -> bool:
    """Whether all documents are asked for, in words."""
    return _EVERY.search(reading.said()[0]) is not None


def refer(reading: Reading, context: Context, meant: Meant, action: ChatAction) -> None:
    """Take what is referred to before names are looked for: "this policy", "the other one", "both"."""
    for way in _FIRST:
        _go(way, reading, context, meant, action)


def refer_barely(reading: Reading, context: Context, meant: Meant, action: ChatAction) -> None:
    """Take the pronouns: in a question only where a document is what it says or what something is in."""
    if action == "inquire" and _EMPTY_IT.search(reading.said()[0]):
        return
    for way in _ASKED if action == "inquire" else _DONE:
        _go(way, reading, context, meant, action)


def _go(way: _Way, reading: Reading, context: Context, meant: Meant, action: ChatAction) -> None:
    said, begins = reading.said()
    for match in way.pattern.finditer(said):
        if action == "audit" and not _TARGET.search(said[: match.start() + len(match.group())]):
            continue  # what is checked is the text, what it is checked against a document
        there = way.found(context, meant, match)
        if not there and not way.plainly:
            continue
        meant.open = meant.open or not there
        places = [at for at, begin in enumerate(begins) if match.start() <= begin < match.end()]
        if places:
            reading.take(places[0], places[-1] + 1)
        return
