"""Which texts are conversation, questions about the page, or not in English."""

from app.reasoners.rules.parse.spans import Phrases, Span
from app.reasoners.rules.parse.verbs import verb_at
from app.reasoners.rules.parse.wordlist import words

_SMALL_TALK = Phrases(
    words(
        "hello|hi|hey|hi there|hello there|hey there|good morning|good afternoon|"
        "good evening|thanks|thank you|thank you very much|thanks a lot|many thanks|"
        "thx|bye|goodbye|good bye|see you|see you later|ok|okay|cool|great|nice|"
        "good job|well done|perfect|awesome|yes|no|how are you|how are you doing|"
        "how's it going|what's up|who are you|what are you|what can you do|"
        "what do you do|how do you work|help|what is your name|what's your name|"
        "are you a bot|are you there|are you human|good night|nice to meet you|"
        "you're welcome|so much|very much|again|that was great|that is great|"
        "never mind|nevermind|sorry|lol|how can you help me|can you help me|"
        "what can you help me with|tell me about yourself|who made you|are you an ai|"
        "are you real|good|morning|evening|for your help|for the help|for that|"
        "tell me a joke|today|everyone|all|friend|buddy|assistant|man|a lot|you|"
        "how do i use you|what are your capabilities|what else can you do|sure|yep|nope"
    )
)
_ASKING = frozenset(
    words(
        "what|what's|whats|who|who's|whose|whom|which|where|where's|when|when's|"
        "why|how|how's|is|are|was|were|does|do|did|has|have|am"
    )
)
_HELPERS = frozenset(words("could|would|can|will|should|may|shall"))
_COMMON = frozenset(
    words("the|a|an|to|of|in|on|and|or|for|with|is|it|this|that|from|by|at|my|me|you|i|please|not")
)


def small_talk(span: Span) -> bool:
    """Whether it is nothing but greetings, thanks and questions to the assistant itself."""
    index = 0
    while index < len(span):
        length = _SMALL_TALK.at(span, index)
        if not length and span[index].kind == "word" and span[index].text.isalpha():
            return False
        if not length and (span[index].literal or span[index].text.isalnum()):
            return False
        index += length or 1
    return bool(len(span))


def asks(span: Span) -> bool:
    """Whether it is a question about the page rather than a request put as a question."""
    if not len(span):
        return False
    start = 0
    while start < len(span) and span.low(start) in {
        "and",
        "so",
        "please",
        "hey",
        "hi",
        "also",
        ",",
    }:
        start += 1
    first = span.low(start)
    if first in {"at", "in", "on", "for", "by", "to"}:
        return span.low(start + 1) in {"what", "which", "whom"} and _ends_asking(span)
    if first in {"how"} and span.low(start + 1) == "about":
        return False
    if first == "do":
        if span.low(start + 1) == "the" and not _ends_asking(span):
            return False  # "do the dishes"
        return span.low(start + 1) in {"i", "we", "they", "you", "any", "the"}
    if first in _ASKING:
        return (
            first not in {"when", "where", "which", "who"} or _ends_asking(span) or first != "when"
        )
    return False


def _ends_asking(span: Span) -> bool:
    return bool(len(span)) and span.source.rstrip().endswith("?")


def foreign(span: Span) -> bool:
    """Whether most of it is no English: few known words, and letters English does not have."""
    words = [token for token in span if token.kind == "word" and token.text[:1].isalpha()]
    if not words:
        return False
    exotic = sum(1 for token in words if not token.text.isascii() and not token.text[:1].isupper())
    known = sum(1 for index in range(len(span)) if _known(span, index))
    other_script = sum(1 for token in words if _script(token.text))
    return (known == 0 and (exotic > 0 or other_script > 0)) or other_script * 2 > len(words)


def _known(span: Span, index: int) -> bool:
    return span.low(index) in _COMMON or verb_at(span, index) is not None


def _script(word: str) -> bool:
    """Whether it is written in letters other than Latin ones."""
    return ord(word[0]) > 0x24F and word[0].isalpha()
