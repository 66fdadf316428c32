"""Sentences that are written for a model that reads the document, not for people."""

from functools import lru_cache

from app.text import patterns

KEPT = 8_192  # sentences that are remembered: a turn often reads what the last one read

_READ = 600  # characters of a sentence
# One of these is in whatever the pattern below matches: it is slow, and few sentences hold any.
_SIGNS = (
    "instruct", "prompt", "assistant", "chatbot", "language model", "llm", "gpt", " ai", "ai ", "a.i.",
    "disregard",
    "ignor", "forget", "bypass", "overrid", "summar", "respond", "reply", "answer", "output",
    "response", "say only",
    "say exactly", "say just", "do not tell", "do not inform", "do not mention", "do not reveal",
    "sprachmodell",
    "als ki", "als eine ki", " ia", "ia ", "asistente", "models", "התעל",
)  # fmt: skip
_ORDERS = patterns.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.]{0,60}\b(?:instructions?|prompts?|rules?"
    r"|guidelines|directions|context|above|said|told)\b"
    r"|\b(?:as|you are|you're|act(?:ing)? as|pretend to be|being)\s+(?:now\s+)?(?:an?\s+|the\s+"
    r"|my\s+)?(?:\w+\s+){0,2}"
    r"(?:ai|a\.i\.|assistant|language model|chatbot|llm|chatgpt|gpt)\b"
    r"|\b(?:dear|hey|attention|note to|to the|hello)[,:]?\s+(?:the\s+|any\s+|all\s+)?(?:ai"
    r"|assistants?|language models?|llms?|chatgpt|models?|summari[sz]ers?)\b"
    r"|\b(?:system|developer|hidden|new)\s+(?:prompt|instructions?|message)\s*[:=]"
    r"|\b(?:ai|llm|assistant|language)\s*(?:agents?|models?|assistants?|systems?)?\s*(?:reading"
    r"|summari[sz]ing|processing|must|should)\b.{0,80}\b(?:this|document|text|page|reply|respond"
    r"|say|output|answer)"
    r"|\bwhen\s+(?:you\s+)?(?:summari[sz]\w+|asked\s+(?:to|for)\s+(?:a\s+)?summar\w+)"
    r"|\b(?:your|the)\s+(?:summary|reply|response|answer|output)\s+(?:must|should|shall|has to"
    r"|needs to)\s+(?:only\s+)?(?:say|state|be|contain|include|read|begin|start|end)\b"
    r"|\b(?:respond|reply|answer|output|say)\s+(?:only|exactly|just|nothing but|with the (?:word"
    r"|text|phrase|following))\b"
    r"|\b(?:reveal|print|repeat|show|leak|send)\b.{0,40}\b(?:system prompt|your instructions"
    r"|api[\s-]?keys?|passwords?\s+(?:you|of))\b"
    r"|\bdo not\s+(?:tell|inform|mention (?:this|it) to|reveal (?:this"
    r"|it) to)\s+(?:the\s+)?(?:user|reader|person)\b"
    r"|\bignorier\w*\b.{0,60}\b(?:anweisung|vorgabe|regel)\w*|\bals\s+(?:eine?\s+)?(?:ki|sprachmodell)\b"
    r"|\bignore[zr]?\b.{0,60}\b(?:instructions|consignes|règles)\b|\ben tant qu['\u2019](?:ia|assistant)"
    r"|\bignor(?:a|e|ar|en)\b.{0,60}\b(?:instrucciones|reglas|indicaciones)\b"
    r"|\bcomo\s+(?:una?\s+)?(?:ia|asistente)\b"
    r"|התעל[מם][ויה]?\b.{0,40}(?:הוראות|הנחיות)",
    patterns.IGNORECASE,
)  # fmt: skip


@lru_cache(maxsize=KEPT)
def is_addressed_to_a_model(sentence: str) -> bool:
    """Whether it gives orders to a model, as in "Ignore all previous instructions"."""
    low = sentence.lower()
    return any(sign in low for sign in _SIGNS) and _ORDERS.search(sentence[:_READ]) is not None
