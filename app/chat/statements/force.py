"""How a sentence binds: what must, must not, should or may be, and whether it affirms or denies."""

from functools import lru_cache
from typing import Literal

from app.text import patterns

Force = Literal["must", "should", "may", ""]
"""What is merely said to be so has none; a prohibition is "must" of a sentence that denies."""

_MASKED = patterns.compile(
    r"\b(?:not?|never|cannot) (?:[^\W\d_]+ ){0,4}(?:more than|over|above|exceed|exceeding|longer than"
    r"|older than|less than"
    r"|fewer than|below|under|later than|earlier than|beyond) (?=\W?\d)|"
    r"\bno(?:t)? (?:later|more|less|fewer|longer|older|greater|higher|lower|earlier) than\b"
    r"|\bnot (?:to )?exceed(?:ing)?\b"
    r"|\bno longer\b|\bnot only\b|\bno matter\b|\bwhether or not\b|\bnot limited to\b|\bif not\b"
    r"|\bnever (?:exceeds?|more)\b"
    r"|\bnicht (?:mehr|länger|später|nur)\b|\bno más (?:de|tarde)\b|\bpas plus\b|\bno\. ?\d|\bif no\b"
    r"|\bno doubt\b"
    r"|\bcannot exceed\b|\bnothing (?:in|herein)\b"
)
_FREE = patterns.compile(
    r"\b(?:is|are|be|was|were) not (?:required|obliged|obligated|mandatory|necessary|needed|compulsory)\b"
    r"|\bneed(?:s)? not\b"
    r"|\bneedn['\u2019]t\b|\b(?:do|does|did)(?: not|n['\u2019]t) (?:have|need|require)\b(?: to)?"
    r"|\bno need (?:to|for)\b"
    r"|\bnot (?:required|mandatory|necessary|needed|compulsory)\b|\boptional(?:ly)?\b|\bvoluntary\b"
    r"|\bno (?:obligation|requirement)\b"
    r"|\b(?:can|may) skip\b|\bmuss nicht\b|\bmüssen nicht\b|\bfreiwillig\b|\bfacultati(?:f|ve)s?\b"
    r"|\bno es necesario\b|\bאין צורך\b"  # noqa: RUF001
)
_CONDITION = patterns.compile(
    r"^\s*(?:if|when|where|in case|as long as|wenn|falls|si|cuando|quand|אם)\b[^,;]*[,;]"
)
_DENIAL = patterns.compile(
    r"\b(?:not|no|never|neither|none|nobody|without|unless|except(?:ions?)?|cannot|excluding|refuses?|declines?|rejects?"
    r"|prohibit(?:s|ed|ion)?|forbid(?:s|den)?|bans?|banned|disallow(?:s|ed)?|exclude[sd]?|avoid|refrain|denied|denies"
    r"|disabled?|unpaid|unable|unsafe|un(?!it|der|til|iq|ion|less)[a-z]{3,}(?:ed|able)"
    r"|nicht|keine?[rmns]?|nie|niemals|ohne|verboten|untersagt|außer|unzulässig|ne|sans|interdite?s?|sauf"
    r"|nunca|sin|prohibid[oa]s?|excepto|ning[uú]na?|לא|אין|אסור|בלי|ללא|אף)\b|n['\u2019]t\b|\bn['\u2019](?=[aeiouhéê])|\bnon-(?=\w)"
    r"|\bin-?eligible\b|\bnon(?=refundable|negotiable|transferable|compliant|exclusive)"
)
_MUST = patterns.compile(
    r"\b(?:must|shall|has to|have to|had to|needs? to|required?|requires|requirement|mandatory|obliged"
    r"|obligat(?:ed|ory)|compulsory"
    r"|is to|are to|only|always|never|may not|cannot|can ?not|can['\u2019]t|mustn['\u2019]t|prohibit(?:s"
    r"|ed)?|forbidden"
    r"|not (?:allowed|permitted|acceptable)|disallowed|banned|no \w+ (?:may|can|is allowed|are allowed)"
    r"|not to be|under no circumstances"
    r"|do not|don['\u2019]t|muss|müssen|hat zu|haben zu|verpflichte(?:t|nd)|darf (?:nicht|keine?)"
    r"|dürfen (?:nicht|keine?)|verboten"
    r"|untersagt|nur|niemals|doit|doivent|obligatoires?|il faut|ne (?:peut|peuvent|doit|doivent)"
    r"|interdite?s?|uniquement|debe[nrá]*n?"
    r"|obligatori[oa]s?|tienen? que|no (?:puede|pueden|se permite)|prohibid[oa]s?|nunca|חייב(?:ת|ים|ות)?"
    r"|נדרש(?:ת|ים|ות)?|אסור|חובה|אין)\b"
    r"|\bיש ל|^(?:ensure|make sure)\b"  # noqa: RUF001
)
_SHOULD = patterns.compile(
    r"\b(?:should(?:n['\u2019]t)?|recommend(?:s|ed)?|ought|expected to|encouraged|advis(?:ed|able)"
    r"|preferabl[ye]|sollte[n]?|soll(?:en)?"
    r"|empfohlen|devrai(?:t|ent)|recommandée?s?|debería[n]?|recomienda|recomendad[oa]|מומלץ|רצוי|כדאי)\b"
)
_MAY = patterns.compile(
    r"\b(?:may|can|could|allow(?:s|ed)?|permit(?:s|ted)?|entitled|free to|eligible|welcome to|kann|können"
    r"|darf|dürfen|erlaubt"
    r"|peut|peuvent|autorisée?s?|puede[n]?|permitid[oa]s?|רשאי(?:ת|ם|ות)?|מותר|יכול(?:ה|ים|ות)?)\b"
)


# One of these is in every text that the pattern finds something in.
_FREE_BY = (
    "not need needs needn don doesn didn optional optionally voluntary no skip nicht freiwillig facultatif "
    "facultatifs facultative facultatives אין"
)
_FREEING = frozenset(_FREE_BY.split())
_MASKING = frozenset(["not", "no", "never", "cannot", "whether", "nicht", "pas", "nothing"])
_WORDS = patterns.compile(r"[^\W\d_]+")
KEPT = 8_192  # sentences whose force is remembered


@lru_cache(maxsize=KEPT)
def force_of(text: str) -> tuple[Force, bool]:
    """How the sentence binds, and whether it denies: "must not" is ("must", True). An even number of
    denials affirms: "no access without approval".
    """
    text = (
        text.lower()
    )  # signs that no pattern has to try in both cases make this five times as fast
    words = frozenset(_WORDS.findall(text))
    if not words.isdisjoint(_FREEING) and _FREE.search(text):
        return "may", False
    bare = _CONDITION.sub(" ", text, count=1)
    if not words.isdisjoint(_MASKING):
        bare = _MASKED.sub(" ", bare)
    denies = len(_DENIAL.findall(bare)) % 2 == 1
    return _bound(bare if bare.strip() else text, denies), denies


def _bound(text: str, denies: bool) -> Force:
    # "May only be opened by a manager" binds; "must" beside "should" does too.
    if _MUST.search(text):
        return "must"
    if _SHOULD.search(text):
        return "should"
    if _MAY.search(text):
        return "must" if denies else "may"
    return ""
