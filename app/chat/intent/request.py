"""What of a message is the request: without the names, the quotes and the texts that came with it."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from app.text import patterns

DOC = "◆"  # stands for a document or a set that was named
QUOTE = "◇"  # for a few words in quotes: a title, a term
TEXT = "▣"  # for a text that was handed over with the request
_MARKS = str.maketrans(dict.fromkeys((DOC, QUOTE, TEXT), "·"))

_ENDS = 3_000  # characters read from each end: the request stands first or last
_MOST_LABELS = 200
_SHORT_QUOTE = 80  # characters; a longer one is a text
_SHORT_REQUEST = 120
_LONG = 700  # characters of one paragraph, beyond which it is a text rather than a request

_UNSEEN = patterns.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_CODE = patterns.compile(r"```.*?(?:```|\Z)", patterns.DOTALL)
_QUOTED_LINES = patterns.compile(r"(?:^[ \t]*>[^\n]*(?:\n|\Z))+", patterns.MULTILINE)
_QUOTES = patterns.compile(
    r"[“„\"][^“”„\"]+?[”“\"]|«[^«»]+»|`[^`\n]{1,200}`"
    r"|(?<![\w’'])[‘'](?=\w)[^'’‘\n]{2,200}[’'](?!\w)"
)
_HEADER = patterns.compile(
    r"^[ \t]*(?:from|to|cc|subject|sent|date|von|an|betreff|de|[àa]|objet|asunto|para|מאת|אל"
    r"|נושא)[ \t]*:[ \t]*\S",
    patterns.IGNORECASE | patterns.MULTILINE,
)
_GREETING = patterns.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|afternoon|day)|to whom it may concern"
    r"|sehr geehrte[rs]?|liebe[rs]?|hallo|guten tag"
    r"|bonjour|ch[eè]re?s?|madame|monsieur|hola|estimad[oa]s?|querid[oa]s?|שלום|היי|לכבוד)\b",
    patterns.IGNORECASE,
)
_GOODBYE = patterns.compile(
    r"^[ \t]*(?:(?:best|kind|warm|many)?[ \t]*(?:regards|wishes)|sincerely|yours\b.*|cheers|best"
    r"|thanks(?: and regards)?|thank you|"
    r"mit freundlichen gr[uü][sß]+en|viele gr[uü][sß]+e|cordialement|saludos|atentamente"
    r"|בברכה)[ \t]*[,.]?[ \t]*$",
    patterns.IGNORECASE | patterns.MULTILINE,
)
_GOES_ON = patterns.compile(
    r"\s*(?:(?:ok(?:ay)?|now|please|great|thanks?"
    r"|good)[\s,.]+)*(?:(?:and\s+)?(?:do\s+)?the\s+same(?:\s+(?:again|thing))?\s+(?:for|with|on"
    r"|to)\b"
    r"|same\s+(?:for|with|again)\b|(?:and|also|next|now)\s+(?:for|with)\b|and\b(?!\s+(?:is|are"
    r"|what|how|who|when|does|do|can|where|why))"
    r"|(?:und|et|y)\b|what\s+about\b|how\s+about\b|again\b|once\s+more\b|do\s+(?:it|that"
    r"|this)\s+(?:again|for|with|too)\b|i\s+meant\b|no,|(?:can\s+you\s+"
    r"|could\s+you\s+)?do\s+(?:the\s+|this\s+)?◆|(?:a\s+(?:bit|little)\s+)?(?:shorter|longer"
    r"|briefer|more\s+(?:detailed|detail|concise)|less\s+detail(?:ed)?|in\s+(?:german|english"
    r"|french|spanish|hebrew|bullet\s+points)))"
    r"\s*(?:(?:for|with|to|the|this|that|these|those|other|one|ones|second|first|third|next|new"
    r"|old|same|document|too|as\s+well|please|◆|◇|it|also|again|both|of|them)[\s,.?!]*)*",
    patterns.IGNORECASE,
)
_SAME_FOR = patterns.compile(
    r"\s*(?:(?:ok(?:ay)?|and|now|please|then)[\s,]+)*(?:the\s+)?same(?:\s+(?:again|thing|question))?"
    r"\s+(?:for|with|on|about|of)\s+(?:\S+\s*){1,8}",
    patterns.IGNORECASE,
)
_BLANK = patterns.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Request:
    """`text` is what is asked, with marks for what was taken out of it; `handed` what was pasted or quoted,
    in its order; `whole` says that all of it was in quotes, so that nothing says what is asked.
    """

    text: str
    handed: tuple[str, ...] = ()
    whole: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether it only goes on with what was asked before: "and this one?", "the same for the lease"."""
        return len(self.text) < _SHORT_REQUEST and bool(
            _GOES_ON.fullmatch(self.text) or _SAME_FOR.fullmatch(self.text)
        )


def request_of(message: str, labels: Iterable[str] = ()) -> Request:
    """The request in a message of any length, in time that does not grow with it. `labels` are names of
    documents that may stand in it.
    """
    text = without_names(_cleaned(message), labels)
    handed: list[str] = []
    text = _QUOTES.sub(lambda found: _kept(found[0], handed), _blocks(text, handed))
    text = _unpasted(text, handed)
    bare = patterns.sub(rf"[{DOC}{QUOTE}{TEXT}\W_]+", "", text)
    if not bare and handed and DOC not in text:
        return Request("\n".join(handed)[:_LONG], tuple(handed), whole=True)
    return Request(text.strip(), tuple(handed))


def without_names(text: str, labels: Iterable[str]) -> str:
    """The text with a mark where a name stood as a whole, an `@` before it taken with it."""
    plain = {unicodedata.normalize("NFKC", label).strip() for label in labels}
    names = sorted((name for name in plain if len(name) > 1), key=len, reverse=True)
    for name in names[:_MOST_LABELS]:
        text = _marked(text, name)
    return text


def _marked(text: str, name: str) -> str:
    low, sought, parts, done = text.lower(), name.lower(), [], 0
    if len(low) != len(text):  # a letter whose small form is longer
        return text.replace(name, DOC)
    at = low.find(sought)
    while at >= 0:
        end = at + len(sought)
        if not (at and low[at - 1].isalnum()) and not (end < len(low) and low[end].isalnum()):
            start = at - 1 if at > done and low[at - 1] == "@" else at
            parts += [text[done:start], DOC]
            done = end
        at = low.find(sought, end)
    return "".join([*parts, text[done:]])


def _cleaned(message: str) -> str:
    """The ends of the message, one kind of space and no characters that nobody sees."""
    if len(message) > 2 * _ENDS:
        message = f"{message[:_ENDS]}\n\n{message[-_ENDS:]}"
    text = unicodedata.normalize("NFKC", message).translate(_MARKS).replace("\r\n", "\n")
    text = _UNSEEN.sub("", text.replace("\r", "\n"))
    kept = (char if char == "\n" or unicodedata.category(char)[0] != "C" else " " for char in text)
    return patterns.sub(r"[^\S\n]+", " ", "".join(kept))


def _kept(found: str, handed: list[str]) -> str:
    handed.append(found.strip("“”„\"«»`'‘’ "))
    return f" {QUOTE} " if len(found) <= _SHORT_QUOTE else f" {TEXT} "


def _blocks(text: str, handed: list[str]) -> str:
    """Without code blocks and lines that begin as quotes do."""

    def taken(found: patterns.Match) -> str:
        handed.append(found[0].strip("`> \n"))
        return f"\n{TEXT}\n"

    return _QUOTED_LINES.sub(taken, _CODE.sub(taken, text))


def _unpasted(text: str, handed: list[str]) -> str:
    """Without paragraphs that are a text of their own: a letter, with its greeting and its goodbye, or one
    too long to be a request.
    """
    paragraphs = [part.strip() for part in _BLANK.split(text) if part.strip()]
    if len(paragraphs) == 1:
        return _one(paragraphs[0], handed)
    pasted = _letter(paragraphs) | {at for at, part in enumerate(paragraphs) if len(part) > _LONG}
    if len(paragraphs) > 4:  # first or last, then: what is between them is a text
        pasted |= set(range(2, len(paragraphs) - 1))
    if len(pasted) == len(paragraphs):
        return _one("\n".join(paragraphs), handed)
    handed.extend(paragraphs[at] for at in sorted(pasted))
    kept = [TEXT if at in pasted else part for at, part in enumerate(paragraphs)]
    return patterns.sub(rf"(?:{TEXT}\n*)+", f"{TEXT}\n", "\n".join(kept))


def _letter(paragraphs: list[str]) -> set[int]:
    """Which paragraphs are those of a letter. One that opens the message is the person's own unless it has
    the head of a mail, or says goodbye with more to follow.
    """
    goodbyes = [at for at, part in enumerate(paragraphs) if _GOODBYE.search(part)]
    last = len(paragraphs) - 1
    end = max((at for at in goodbyes), default=-1)
    for start, part in enumerate(paragraphs):
        headed = len(_HEADER.findall(part)) >= 2
        greeted = bool(_GREETING.match(part)) and (start > 0 or -1 < end < last)
        if headed or greeted:
            stop = max(end, start) if end >= start else (last if start else last - 1)
            while end >= start and stop < last and _name_like(paragraphs[stop + 1]):
                stop += 1
            return set(range(start, stop + 1))
    return set()


def _name_like(paragraph: str) -> bool:
    """A signature: a few words that ask nothing."""
    return len(paragraph) < 40 and len(paragraph.split()) <= 4 and paragraph[-1] not in "?.:"


def _one(paragraph: str, handed: list[str]) -> str:
    """One paragraph too long for a request keeps its first and its last lines or sentences."""
    if len(paragraph) <= _LONG:
        return paragraph
    pieces = [piece for piece in patterns.split(r"\n|(?<=[.?!])\s", paragraph) if piece.strip()]
    if len(pieces) < 5:
        return f"{paragraph[: _LONG // 2]}\n{TEXT}\n{paragraph[-_LONG // 2 :]}"
    handed.append("\n".join(pieces[2:-2]))
    return "\n".join([*pieces[:2], TEXT, *pieces[-2:]])
