"""A request cut into the things that it asks."""

from app.chat.intent.request import DOC
from app.text import patterns

_SENTENCE = patterns.compile(r"(?<=[.!;])\s+|(?<=\?)\s*|\n+")
_MOST = 40  # clauses that are looked at; the rest of a request adds nothing

_DOING = (
    r"(?:summari[sz]\w*|sum up|recap|compare|comparing|contrast|audit(?:ing)?|check(?!\w)"
    r"|review(?:ing)?|verify|validate|assess|evaluate|"
    r"proofread|vet|tell|explain|list|find|show|give|flag|highlight|point out|identify|answer"
    r"|let me know|look (?:up|for)|say|quote|cite|"
    r"write|make|create|draft|see (?:if|whether)|outline|condense|brief me|what|which|how|who"
    r"|when|where|whether|why|pull|extract|analy[sz]e|"
    r"do (?:a|an)|provide|spot|describe|mention|spell|note|define|produce|prepare|search|get"
    r"|confirm|sketch|lay out|"
    r"is|are|does|do i|do we|can i|can we|may i|i(?:['’]d| would) (?:like|want)|i (?:want|need)"
    r"|a (?:quick |short |brief )?(?:summary|comparison|list)|an (?:audit|overview)|"
    r"zusammenfassen|vergleiche\w*|pr[uü]fe\w*|fasse|sage?|nenne?|r[eé]sume\w*|compar\w+"
    r"|v[eé]rifie\w*|audite\w*|dis|revisa\w*|verifica\w*|audita\w*|dime)"
)
_JOINT = patterns.compile(
    rf"\s*(?:,\s*(?:and\s+|but\s+)?(?:then|after that|afterwards|also|second(?:ly)?|third(?:ly)?"
    rf"|next|finally|lastly|instead|rather|please)\b|,?\s*\b(?:and|&|then|plus|but|as well as|und"
    rf"|dann|sowie|et|puis|y|e|luego|אז|ואז)\b(?:\s+(?:then|also|please|"
    rf"dann|auch|ensuite|luego|despu[eé]s|maybe|afterwards|finally|to|if possible))*"
    rf"|,)\s+(?={_DOING}\b)|,\s*(?:but\s+)?(?:just|only|rather|instead)\s+(?=\w)",
    patterns.IGNORECASE,
)
_LEAD = patterns.compile(
    rf"""(?:[\s,:–—·•*\d.)-]+|
    (?:hi|hello|hey|dear)\b(?:\s+(?:there|all|team|assistant|everyone))?(?:\s+[A-Z]\w+)?(?=\s*[,!.–-]) |
    (?:please|pls|plz|kindly|ok(?:ay)?|so|well|now|then|next|first(?:ly)?|second(?:ly)?|finally
      |lastly|also|just|maybe|perhaps|quickly|briefly|right|great|
     thanks|thank\s+you|actually|alright|basically|again|instead|today|and|but|or|good\s+morning
       |cool|perfect|sorry)\b(?!\s+(?:of|for\s+the)\b)|
    (?:can|could|would|will)\s+(?:you|u|we|someone)(?!\s+(?:not|like)\b)(?:\s+(?:please|kindly
      |just|maybe|possibly|also|quickly|briefly))*\b|
    (?:do|would)\s+you\s+mind\b | are\s+you\s+able\s+to\b | do\s+you\s+think\s+you\s+(?:can
      |could)\b | (?:may|can|could)\s+i\s+(?:ask|get|have)\s+you\s+to\b | why\s+(?:don['’]t
      |not)\s+(?:you|we)\b |
    (?:would|is)\s+(?:it|there)\s+(?:be\s+)?(?:possible|a\s+way|any\s+way)\s+(?:for\s+you\s+)?to\b |
    (?:any\s+chance|wonder(?:ing)?\s+if)\s+you\s+(?:can|could|would)\b
      | i\s+was\s+wondering\s+(?:if|whether)\s+you\s+(?:can|could|would)\b |
    i(?:['’]d|\s+would)\s+(?:really\s+)?(?:like|love|appreciate\s+it\s+if|want|need)\s*(?:you
      |for\s+you)?\s*(?:to|could|would)\b |
    (?:i|we)\s+(?:really\s+|just\s+|only\s+)?(?:want|need|would\s+like|wish|have
      |must)\s+(?:you\s+)?to\b(?!\s+(?:know|understand)\b)|
    (?:i['’]m|i\s+am|we['’]re|we\s+are)\s+(?:trying|looking)\s+to\b | my\s+(?:request|task
      |question)\s*(?:is)?\s*: |
    help\s+(?:me|us)\s+(?:to\s+)?(?!understand|find|with\b)|let(?:['’]s|\s+us)\b
      | go\s+(?:ahead\s+and|and)\b | feel\s+free\s+to\b |
    (?:your\s+task\s+is|it(?:['’]d|\s+would)\s+be\s+(?:great|nice|good)\s+if\s+you\s+could
      |make\s+sure\s+to|be\s+so\s+kind\s+(?:as\s+)?to|take\s+\S+\s+and)\b |
    (?:for|from|using|with|regarding|about|in|on|of|given|based\s+on)\s+(?:the\s+|this\s+
      |our\s+)?{DOC}\s*[,:–-]\s*|
    (?:bitte|k[oö]nn(?:test|en|ten)\s+(?:du|sie)|kannst\s+du|w[uü]rde(?:st|n)\s+(?:du|sie)|mal
      |s['’]il\s+(?:te|vous)\s+pla[iî]t|svp|
      (?:peux|pourrais)[-\s]tu|(?:pouvez|pourriez)[-\s]vous|(?:je\s+voudrais
        |j['’]aimerais)(?:\s+que\s+(?:tu|vous))?|por\s+favor|puedes?|podr[ií]as?|quiero\s+que|quisiera|
      me\s+gustar[ií]a(?:\s+que)?|necesito\s+que|נא|בבקשה|אפשר|(?:אתה\s+)?(?:תוכל|יכול)(?:י)?
        |אני\s+רוצה)(?!\w)
    )\s*""",
    patterns.IGNORECASE | patterns.VERBOSE,
)


def clauses_of(text: str) -> list[str]:
    """The things asked, one each: cut at sentences, and where "and" goes on with another thing to do."""
    found = []
    for sentence in _SENTENCE.split(text):
        found += [piece for piece in _JOINT.split(sentence) if piece.strip()]
    if len(found) > _MOST:
        found = found[: _MOST // 2] + found[-_MOST // 2 :]
    return found


def core(clause: str) -> str:
    """The clause without what politeness puts before it."""
    done = 0
    while found := _LEAD.match(clause, done):
        if found.end() == done:
            break
        done = found.end()
    return clause[done:].strip()
