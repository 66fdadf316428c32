"""What stands in documents without saying what they are about."""

from functools import lru_cache

from app.text import patterns

KEPT = 8_192  # sentences that are remembered: a turn often reads what the last one read

_WORDLESS = patterns.compile(r"^[\W\d_]*$")
_BOILERPLATE = patterns.compile(
    r"©|\bcopyright\b|\ball rights reserved\b|\balle rechte vorbehalten\b"
    r"|\btous droits réservés\b|כל הזכויות שמורות"
    r"|todos los derechos reservados|\bclick here\b|\bskip to (?:main |the )?content\b"
    r"|\bwas this (?:page|article) helpful\b"
    r"|\b(?:accept|use of|uses|we use) cookies\b|\bprivacy policy\b|\bterms (?:of use"
    r"|and conditions apply)\b"
    r"|\b(?:sign up|subscribe) (?:for|to) (?:our|the) newsletter\b|\bedit (?:this page"
    r"|on github)\b|\bview (?:page )?source\b"
    r"|\bback to (?:the )?top\b|\btable of contents\b|\binhaltsverzeichnis\b"
    r"|\btable des matières\b|\btabla de contenidos\b|\bíndice de\b|תוכן העניינים"
    r"|\b(?:last|zuletzt) (?:updated|modified|reviewed|changed|aktualisiert|geändert)\b"
    r"|\bthis page was (?:last|generated)\b"
    r"|\bthis (?:page|documentation|document) (?:describes|is for) the (?:current|latest"
    r"|development|stable)\b"
    r"|\bfor (?:the )?(?:development|dev|latest|other|older) (?:docs|documentation|versions?)\b"
    r"|\bpowered by\b|\bcreated using sphinx\b"
    r"|\bintentionally left blank\b|\bbreadcrumbs?\b|\bshare (?:this|on)\b|\bread more\b"
    r"|\blearn more\b|\bjump to\b"
    r"|<<<|>>>|\b(?:prev(?:ious)?|next|up|home)\s*[|»«→←]|[»«→←]\s*(?:prev(?:ious)?|next)\b",
    patterns.IGNORECASE,
)
# One of these is in whatever the pattern above matches: it is slow, and few sentences hold any.
_SIGNS = (
    "©", "copyright", "all rights", "alle rechte", "tous droits", "שמורות", "todos los derechos",
    "click here",
    "skip to", "helpful", "cookies", "privacy policy", "terms", "newsletter", "edit ", "source",
    "back to", "contents",
    "verzeichnis", "table des", "contenidos", "índice de", "העניינים", "last updated", "last modified",
    "last reviewed",
    "last changed", "zuletzt", "this page", "this documentation", "this document describes the",
    "this document is for",
    "for dev", "for the ", "for latest", "for other", "for older", "powered by", "sphinx",
    "intentionally", "breadcrumb", "share ", "read more",
    "learn more", "jump to", "<<<", ">>>", "|", "»", "«", "→", "←",
)  # fmt: skip
_POINTER = patterns.compile(
    r"^\W*(?:(?:please\s+)?(?:also\s+)?(?:see|refer to|consult|siehe|vgl\.?|voir|véase|ver|ראה)\b"
    r"|(?:for|you can find|more)\b.{0,80}\b(?:more|further|additional|detailed|details?"
    r"|information|complete list)\b.{0,60}\b(?:see|refer|visit|check|consult|read)\b"
    r"|(?:table|figure|fig\.|example|listing|abbildung|tabelle|tableau|figura|tabla|לוח"
    r"|איור)\s+[\da-z]+(?:[.\-:]\d+)*\b(?!\s+(?:shows?|lists?|gives?|zeigt|montre|muestra))"
    r"|page \d+(?: of \d+)?|seite \d+|v?\d+\.\d+(?:\.\d+)*\b|\(?#\d+|(?:chapter|section|part"
    r"|appendix|kapitel|abschnitt|chapitre|capítulo|פרק)\s+[\da-z]+[.:]?\s*\S{0,60}$"
    r"|(?:added|changed|deprecated|new|removed) in version\b|(?:note|notes|tip|warning|caution"
    r"|important|example|hinweis|achtung|remarque|nota|הערה)\s*:?$)",
)
_FURNITURE = patterns.compile(
    r"^(?:[\dA-Z]{0,3}(?:\.\d+)*\.?\s*)?(?:(?:table of )?contents|index|references|bibliography"
    r"|see also|further reading|related (?:links|topics|pages|documents)"
    r"|external links|navigation|footer|change ?log|changes|release (?:notes|history)"
    r"|revision history|version history|document history|what['\u2019]?s new.*|news"
    r"|copyright.*|licen[cs]es?|licen[cs]ing|legal (?:notice|information)|imprint|colophon"
    r"|credits|acknowledg\w*|about the authors?|feedback|contact(?: us)?"
    r"|on this page|in this (?:article|section|chapter)|list of (?:figures|tables)|glossary|footnotes|notes"
    r"|inhalt(?:sverzeichnis)?|verzeichnis|literatur(?:verzeichnis)?|quellen|impressum"
    r"|änderungs(?:verlauf|historie)|danksagung(?:en)?|siehe auch"
    r"|sommaire|table des matières|bibliographie|références|remerciements|mentions légales|voir aussi"
    r"|índice|contenidos?|bibliografía|referencias|agradecimientos|aviso legal|véase también"
    r"|תוכן(?: העניינים)?|מקורות|ביבליוגרפיה)\s*:?$",
    patterns.IGNORECASE,
)
# A line of a table of contents, "Account Setup, 12.2.2."; and one that only names another part.
_LISTED = patterns.compile(
    r"[,.]?\s[a-z]?\d+(?:\.\d+)+\.$|^\W*(?:section|chapter|appendix)\s+[\da-z.]+,?\s+[\u201c\"]"
    r"|^\W*download (?:the|this|as)\b",
)
_SHORTEST = 3  # words: what is shorter is a label
_LONGEST = 1_500  # characters: what is longer was no sentence


@lru_cache(maxsize=KEPT)
def is_boilerplate(sentence: str) -> bool:
    """Whether a sentence is navigation, a notice of rights, a pointer elsewhere or a label."""
    if len(sentence) > _LONGEST or _WORDLESS.match(sentence):
        return True
    spaced = sentence.isascii() or any(map(str.isspace, sentence))
    if spaced and sentence.count(" ") < _SHORTEST - 1:
        return True
    low = sentence.lower()
    if _POINTER.match(low) is not None or _LISTED.search(low) is not None:
        return True
    return any(sign in low for sign in _SIGNS) and _BOILERPLATE.search(sentence) is not None


def is_furniture(heading: str) -> bool:
    """Whether a section of that heading says nothing of what the document is about: contents, references,
    a history of changes, rights.
    """
    return _FURNITURE.match(heading.strip()) is not None
