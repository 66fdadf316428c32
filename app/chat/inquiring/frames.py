"""The words around a question that ask for it and say nothing of it: "what does it say about hotels"."""

from collections.abc import Sequence

from app.chat.evidence.wording import tells, words_of
from app.text import patterns

_SOURCE = (
    r"(?:it|this|that|they|these|those|he|she|one"
    r"|(?:(?:the|this|that|these|those|our|your|my|its|their|all|any)\s+)*(?:of\s+(?:the|our|these|those)\s+)?"
    r"(?:[^\W_]+\s+){0,3}?(?:documents?|docs?|documentation|files?|manuals?|handbooks?|guides?|polic(?:y|ies)"
    r"|rules|text|texts|page|pages|contract|agreement|report))"
)
_SAYS = r"(?:says?|said|states?|tells?|mentions?|specify|specifies|writes?|have\s+to\s+say)"
_ABOUT = (
    r"(?:\s+(?:us|me))?\s+(?:about|on|regarding|concerning|as\s+to|when\s+it\s+comes\s+to|of)\s+"
)
_FRAMES = tuple(
    patterns.compile(pattern, patterns.IGNORECASE)
    for pattern in (
        rf"^\W*(?:(?:and|so|but|ok|okay|please)\W+)*(?:what|anything|something)?\s*(?:else\s+)?(?:does|do|did)\s+"
        rf"{_SOURCE}\s+(?:actually\s+|also\s+)?{_SAYS}(?:\s+anything|\s+something)?{_ABOUT}",
        rf"^\W*(?:(?:and|so|but|ok|okay|please)\W+)*what\s+is\s+(?:said|written|stated|known){_ABOUT}",
        r"^\W*(?:(?:and|so|but|ok|okay|please)\W+)*(?:(?:can|could|would|will)\s+you\s+)?(?:please\s+)?(?:tell|show"
        r"|inform|remind)\s+(?:me|us)(?:\s+(?:more|all|everything|something))?\s+(?:about|of|on)\s+",
        r"^\W*(?:(?:can|could|would|will)\s+you\s+)?(?:please\s+)?(?:tell|remind)\s+(?:me|us)\s*,?\s+"
        r"(?=what|which|who|when|where|why|how|whether|if)",
        r"^\W*(?:(?:and|so|but|ok|okay|please)\W+)*(?:i\s+(?:want|need|would\s+like|'d\s+like)\s+to\s+know"
        r"|do\s+you\s+know)\s+(?:about\s+)?",
        rf"\b(?:according\s+to|as\s+(?:stated|written|said)\s+in|based\s+on)\s+{_SOURCE}\s*,?",
        rf"^\W*(?:(?:what|anything)\s+)?(?:is\s+there|there\s+is)\s+(?:anything\s+)?in\s+{_SOURCE}\s+(?:about|on)\s+",
        r"^\W*was\s+(?:steht|sagt|sagen)\s+(?:(?:in|im)\s+)?(?:(?:der|die|das|dem|den)\s+)?(?:[^\W_]+\s+){1,3}?"
        r"(?:uber|zu|zum|zur)\s+",
        r"^\W*que\s+(?:dit|disent|dice|dicen)\s+(?:(?:le|la|les|el|los|las)\s+)?(?:[^\W_]+\s+){1,3}?"
        r"(?:sur|sobre|de)\s+",
    )
)
# What names an action on documents and asks nothing.
_COMMAND = patterns.compile(
    r"^\W*(?:please\s+|can\s+you\s+|could\s+you\s+)*(?:summari[sz]e|sum\s+up|compare|audit|check|proofread|review)\b",
    patterns.IGNORECASE,
)
_IN_TITLE = r"(?:\b(?:in|of|from|by|according\s+to|per|with|under)\s+)?(?:\b(?:the|our|this)\s+)?"


def framed(text: str, titles: Sequence[str] = ()) -> str:
    """The question without its frame, and without the names of the documents that it is put to; as it is
    where nothing would be left that tells something.
    """
    said = text
    for title in sorted(filter(None, titles), key=len, reverse=True):
        name = rf"(?<!\w){patterns.escape(title)}(?!\w)"
        put_to = patterns.compile(rf"(?:\b(?:the|our|this)\s+)?{name}", patterns.IGNORECASE).sub(
            "it", said
        )
        if (asked := _unframed(put_to)) != " ".join(put_to.split()):
            said = asked
        else:
            said = _kept(
                patterns.sub(rf"{_IN_TITLE}{name}\s*,?", " ", said, flags=patterns.IGNORECASE), said
            )
    return _unframed(said)


def _unframed(text: str) -> str:
    said = " ".join(text.split())
    for frame in _FRAMES:
        said = _kept(frame.sub(" ", said), said)
    return said


def commands(text: str) -> bool:
    """Whether it tells what to do with documents and asks nothing of them."""
    return _COMMAND.search(text) is not None


def _kept(shorter: str, longer: str) -> str:
    shorter = " ".join(shorter.split())
    return shorter if any(tells(word) for word in words_of(shorter)) else longer
