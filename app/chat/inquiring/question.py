"""What is asked: the words to search with, and what kind of answer it wants."""

from dataclasses import dataclass

from app.chat.evidence.reading import split
from app.chat.evidence.wording import tells
from app.chat.inquiring.frames import commands, framed
from app.chat.tools import Asked
from app.domain.chat import Turned
from app.engines.provenance.tokens import fold
from app.text import patterns

LONGEST = 600  # characters of a query: what is longer is a text with a question in it
READ = 10_000  # characters at either end of a long text in which questions are looked for
LONGEST_BEFORE = 200  # of an earlier message that this one leans on
_FEW = 3  # telling words: with more, a question stands by itself unless it points back
_CHAINED = 2  # earlier messages that are looked at: "and why?" after "and for part-timers?"
_LEANS = patterns.compile(
    r"^\s*(?:and|but|or|so|then|also|what\s+about|how\s+about|what\s+if|why|how\s+so|since\s+when|und|aber|oder"
    r"|warum|wieso|et|mais|pourquoi|y|pero|por\s+qu\w+|e|ma|perche)\b",
    patterns.IGNORECASE,
)
_POINTS = patterns.compile(
    r"\b(?:it|its|they|them|their|theirs|that|those|this|these|there|he|him|his|she|her|ones?|same|former|latter"
    r"|else|instead|otherwise|er|es|ihn|ihm|ihnen|deren|dessen|dies\w*|davon|dafur|il|elle|ils|elles|cela|celui"
    r"|eso|esto|ello|ellos)\b",
    patterns.IGNORECASE,
)
_THAT_JOINS = patterns.compile(
    r"\b(?:that|this|these|those|there|her|his|their)\s+[^\W\d_]{3,}", patterns.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Question:
    """`own` is the message, cut to what can be searched for; `about` the same without what frames it ("what
    does it say about"); `before` the earlier ones that it leans on.
    """

    own: str
    before: str = ""
    about: str = ""

    @property
    def query(self) -> str:
        """What the documents are searched with."""
        return f"{self.before} {self.content}".strip()

    @property
    def content(self) -> str:
        """What it asks about."""
        return self.about or self.own


def question_of(asked: Asked) -> Question:
    """The question of a turn. Where tagged documents are all that it says, their names are the question."""
    own = shortened(asked.plain.strip() or asked.message.strip())
    titles = [one.title for one in asked.documents]
    about = framed(own, titles)
    said = [one for one in asked.earlier if one.role == "user" and one.text.strip()]
    # With a frame gone that named documents, what is left stands for itself, or leans by itself.
    before = (
        ""
        if asked.documents and about != own and not _LEANS.search(about)
        else _before(about, said)
    )
    return Question(own, framed(before, titles) if before else "", about)


def shortened(text: str) -> str:
    """At most `LONGEST` characters: of a long text its questions, or how it begins and ends."""
    flat = " ".join(text.split())
    if len(flat) <= LONGEST:
        return flat
    sentences = list(split(f"{flat[:READ]} {flat[-READ:]}" if len(flat) > 2 * READ else flat))
    asking = [one for one in sentences if one.rstrip("\"')\u201d").endswith("?")]
    kept = asking[::-1] or [sentences[0], sentences[-1]]
    made = ""
    for one in kept:
        if len(made) + len(one) < LONGEST:
            made = f"{one} {made}".strip()
    return made or f"{_cut(flat, LONGEST // 2)} {flat[-LONGEST // 2 :].partition(' ')[2]}".strip()


def leans(text: str) -> bool:
    """Whether it cannot be understood by itself."""
    telling = [word for word in patterns.findall(r"[^\W_]+", fold(text)) if tells(word)]
    if len(telling) <= 1 and len(text) < 40:
        return bool(_LEANS.search(text) or _POINTS.search(text)) or not telling
    if len(telling) <= _FEW and _LEANS.search(text):
        return True
    # In "that form" the word that points is beside what it means.
    return bool(_POINTS.search(_THAT_JOINS.sub(" ", fold(text))))


def _before(own: str, said: list[Turned]) -> str:
    found: list[str] = []
    leaning = own
    for one in reversed(said[-_CHAINED:]):
        if not leans(leaning):
            break
        if commands(one.text):
            continue
        leaning = _cut(" ".join(one.text.split()), LONGEST_BEFORE)
        if leaning != own:
            found.insert(0, leaning)
    return " ".join(found)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most + 1].rpartition(" ")[0] or text[:most]
