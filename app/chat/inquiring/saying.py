"""What is said around the documents' words, in the language of the question where that is plain."""

from dataclasses import dataclass

from app.chat.evidence.wording import tongue
from app.engines.provenance.tokens import fold
from app.text import patterns


@dataclass(frozen=True, slots=True)
class Phrases:
    """`not_said`: the documents do not answer; what is shown then are the nearest passages, one or more."""

    not_said: str
    nearest: str
    several: str


NOT_SAID = "The documents do not say."
_ENGLISH = Phrases(NOT_SAID, "The nearest passage:", "The nearest passages:")
_OTHERS = {
    "german": Phrases(
        "Die Dokumente sagen dazu nichts.", "Die n\u00e4chste Stelle:", "Die n\u00e4chsten Stellen:"
    ),
    "french": Phrases(
        "Les documents ne le disent pas.",
        "Le passage le plus proche\u00a0:",
        "Les passages les plus proches\u00a0:",
    ),
    "spanish": Phrases(
        "Los documentos no lo dicen.",
        "El pasaje m\u00e1s cercano:",
        "Los pasajes m\u00e1s cercanos:",
    ),
}
_HEBREW = Phrases(
    "\u05d4\u05de\u05e1\u05de\u05db\u05d9\u05dd \u05dc\u05d0 \u05d0\u05d5\u05de\u05e8\u05d9\u05dd "
    "\u05d6\u05d0\u05ea.",
    "\u05d4\u05e7\u05d8\u05e2 \u05d4\u05e7\u05e8\u05d5\u05d1 \u05d1\u05d9\u05d5\u05ea\u05e8:",
    "\u05d4\u05e7\u05d8\u05e2\u05d9\u05dd \u05d4\u05e7\u05e8\u05d5\u05d1\u05d9\u05dd "
    "\u05d1\u05d9\u05d5\u05ea\u05e8:",
)
_IN_HEBREW = patterns.compile("[\u05d0-\u05ea]")
_LETTER = patterns.compile(r"[^\W\d_]")
# Words that ask, which a short question may have and hardly another word that tells its language.
_ASKING = {
    "german": patterns.compile(
        r"^\W*(?:wer|wann|warum|wieso|weshalb|welche[rsmn]?|wieviele?|darf|wohin)\b"
        r"|^\W*(?:wie|was|wo|muss|gibt)\b"
        r".*\b(?:ich|wir|man|der|die|das|den|dem|ein|eine[rnms]?|ist|sind|kostet|hat|bei|im|beim|fur|es)\b",
    ),
    "french": patterns.compile(
        r"^\W*(?:quel(?:le)?s?|combien|pourquoi|quand|est-ce)\b|^\W*(?:comment|qui|ou|que)\b"
        r".*\b(?:est|sont|le|la|les|des|du|un|une|de|je|nous|on|il)\b|\bl'[^\W\d_]+.*\bd'|\bqu'est",
    ),
    "spanish": patterns.compile(
        r"\u00bf|^\W*(?:cuant[oa]s?|cuando|quien(?:es)?|cual(?:es)?|por\s+que)\b|^\W*(?:como|donde)\b"
        r".*\b(?:es|son|el|la|los|las|un|una|de|puedo|hay|se)\b",
    ),
}


def phrases(question: str) -> Phrases:
    """English, unless it is plainly German, French, Spanish or Hebrew."""
    letters = len(_LETTER.findall(question))
    if letters and 2 * len(_IN_HEBREW.findall(question)) > letters:
        return _HEBREW
    folded = fold(question)
    asked_in = next((name for name, asks in _ASKING.items() if asks.search(folded)), None)
    return _OTHERS.get(asked_in or tongue(question), _ENGLISH)
