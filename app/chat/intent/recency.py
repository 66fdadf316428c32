"""Whether a message speaks of what may have changed lately."""

from collections.abc import Iterable
from datetime import date, datetime

from app.chat.intent.request import request_of
from app.text import patterns

_AHEAD = 5  # years: a larger number is hardly a year that somebody asks about

_KEPT = (
    r"(?:documents?|docs?|files?|uploads?|attachments?|pages?|chats?|conversations?|threads?"
    r"|tabs?|drafts?)"
)
_FALSE = patterns.compile(
    rf"""
    \bcurrent\s+(?:accounts?|assets?|liabilit\w+|ratios?|{_KEPT}|selection|sections?|chapters?
      |flow|draw|ratings?)\b
    | \b(?:recent|latest|newest)(?:ly)?\s+(?:opened\s+|uploaded\s+|added\s+|closed\s+)?{_KEPT}\b
    | \brecently\s+(?:opened|uploaded|added|attached|closed|shared|sent)\b
    | \b(?:uploaded|added|attached|sent|shared|discussed|opened|mentioned)\s+(?:\w+\s+){{0,3}}?
      (?:today|yesterday|recently|just\s+now|this\s+week)\b
    | \bfrom\s+now\s+on\b | \bnow\s+and\s+then\b | \buntil\s+now\b | \bby\s+now\b | \bjust\s+now\b
    | (?:^|[.!?;:\n]\s*)(?:and\s+|ok(?:ay)?,?\s+|so\s+|right,?\s+)?now\b,?\s+(?!is\b|are\b|valid\b|in\s+force)
    | \bright\s+now\s+i\b | \b(?:not|for)\s+now\b(?=\s*[,.]|\s*$)
    | \blatest\s+by\b | \bat\s+the\s+latest\b
    | \b(?:breaking|good|bad|great)\s+news\b(?!\s+(?:about|on))
    | \ben\s+dernier\b | \bderni(?:er|[eè]re)s?\s+(?:page|chapitre|section|paragraphe|ligne
      |article|document|fichier)s?\b
    | \b[uú]ltim[oa]s?\s+(?:p[aá]gina|cap[ií]tulo|secci[oó]n|p[aá]rrafo|l[ií]nea|documento|archivo)s?\b
    | \bpor\s+[uú]ltimo\b | \bcuenta\s+actual\b
    | סדר[\s-]+היום | (?:העמוד|הפרק|הסעיף|המסמך|הקובץ)\s+האחרון
    """,
    patterns.IGNORECASE | patterns.VERBOSE,
)
_ENGLISH = r"""
    \b(?:latest|newest|most\s+up[\s-]to[\s-]date|recent|recently|current|currently|nowadays|now
      |today(?:['’]?s)?|tonight|yesterday
      |newly|presently|lately|up[\s-]to[\s-]date|so\s+far\s+this|these\s+days|to\s+date
        |at\s+(?:the\s+moment|present)|as\s+of\s+\w+)\b
    | \b(?:this|last|past|next|coming|previous)\s+(?:year|month|week|quarter)(?:['’]s)?\b
    | \bnews\b | \bheadlines?\b
    | \bstill\s+(?:\w+\s+)?(?:valid|enforce(?:d|able)|in\s+(?:force|effect|place|use)|appl(?:y|ies
      |icable)|true|legal|allowed
      |required|mandatory|binding|relevant|accurate|correct|right|hold|holds|stand|stands|current
        |active|operative|permitted|live|used|good)\b
    | \b(?:any|recent|new)\s+(?:updates?|changes?|developments?|amendments?)\s+(?:to|on|in|since
      |about|regarding)\b
    | \bwhat(?:['’]s|\s+is|\s+are)\s+(?:new\b(?!.{0,200}\b(?:compared|between|versus|vs)\b)
      |happening|going\s+on|changing)\b
    | \b(?:has|have)\s+(?:\S+\s+){1,6}?(?:changed|been\s+(?:fixed|patched|resolved|released
      |published|adopted|updated|amended|repealed|replaced|revised|superseded|withdrawn))\b
    | \b(?:any\s+longer|no\s+longer|anymore|out\s*dated|out[\s-]of[\s-]date|superseded|obsolete)\b
    | \bsince\s*\?*$ | \bsince\s+(?:then|yesterday|last\s+\w+)\b
"""
_OTHERS = r"""
    \baktuell(?:e[nrsm]?|ste[nrs]?)?\b | \bneu(?:e)?ste[nrsm]?\b | \bj[uü]ngste[nrsm]?\b
      | \bderzeit(?:ige[nrs]?)?\b
    | \bmomentan\b | \bheut(?:e|ige[nrs]?|zutage)\b | \bjetzt\b | \bdiese[sm]\s+jahr\b
      | \bnoch\s+(?:immer\s+)?(?:g[uü]ltig|in\s+kraft|aktuell)\b
    | \bgilt\b.{1,80}\bnoch\b | \bgelten\b.{1,80}\bnoch\b | \bneuesten\s+stand\b
      | \bnachrichten\b | \bk[uü]rzlich\b | \bneuerdings\b
    | \bzur\s*zeit\b | \bgegenw[aä]rtig\w*\b | \bletzte[ns]?\s+(?:jahr|monat|woche)\b
    | \bderni(?:er|[eè]re)s?\b | \br[eé]cent(?:e?s?|s)?\b | \br[eé]cemment\b
      | \bactuel(?:le)?s?\b | \bactuellement\b
    | \baujourd['’]hui\b | \bmaintenant\b | \bcette\s+ann[eé]e\b | \b(?:encore
      |toujours)\s+(?:valable|valide|en\s+vigueur|applicable)s?\b
    | (?<!mise\s)(?<!mettre\s)\b[aà]\s+jour\b | \bactualit[eé]s?\b | \ben\s+ce\s+moment\b | \bces\s+jours-ci\b
    | \b[uú]ltim[oa]s?\b | \brecientes?\b | \brecientemente\b | \bactual(?:es
      |mente)?\b(?!\s+(?:cost|number|text|wording|amount|value|result)s?\b)
    | \bhoy\b | \bahora\b | \beste\s+a[nñ]o\b | \b(?:todav[ií]a|a[uú]n|sigue
      |siguen)\s+(?:\w+\s+)?(?:vigentes?|v[aá]lid[oa]s?|en\s+vigor)\b
    | \bvigentes?\b | \bal\s+d[ií]a\b | \bnoticias\b | \bactualizad[oa]s?\b
    | (?<!\w)[הבלכשמו]{0,2}(?:עדכני(?:ת|ים|ות)?|מעודכנ(?:ת|ים|ות)|מעודכן|אחרונ(?:ה|ים|ות)|אחרון
      |עכשיו|כיום|כרגע|נוכחי(?:ת|ים|ות)?|לאחרונה)(?!\w)
    | (?<!\w)[וש]?(?:היום|השנה)(?!\w) | עדיין\s+(?:בתוקף|תקף|תקפה|חל|חלה|רלוונטי\w*)
      | (?<!\w)ה?חדשות\s+(?:על|ב|של)
"""
_LATELY = patterns.compile(_ENGLISH + "|" + _OTHERS, patterns.IGNORECASE | patterns.VERBOSE)
_ACTUAL = patterns.compile(r"\bactual\b", patterns.IGNORECASE)
_SPANISH = patterns.compile(
    r"\b(?:el|la|los|las|es|del|qu[eé]|cu[aá]l|una?|en)\b", patterns.IGNORECASE
)

_NAMED = (
    r"(?:report|handbook|manual|guide(?:line)?s?|polic(?:y|ies)|version|edition|plan|act|law"
    r"|code|catalog(?:ue)?|budget|"
    r"contract|agreement|review|survey|statement|accounts|documents?|docs?|files?|pdf|paper"
    r"|study|bericht|handbuch|rapport|"
    r"manuel|informe|directive|regulation|standard|framework|circular|brochure|prospectus|memo"
    r"|release|filing|rules|terms)"
)
_YEAR = patterns.compile(
    rf"(?P<named>\b{_NAMED}\s+(?:(?:of|for|from|v|version|edition)\s+|[-–/(]\s?)?)?"
    r"(?<![\w.,/§$€£#:-])(?P<year>20\d\d)(?![\w/§%€:-]|[.,]\d)"
    rf"(?P<name>\s+(?:[\w-]+\s+){{0,2}}?{_NAMED}\b)?"
    r"(?P<counted>\s+(?:employees|people|users|customers|pages|words|items|euros?|dollars?|units"
    r"|hours|km|records)\b)?",
    patterns.IGNORECASE,
)


def recent(message: str, labels: Iterable[str] = (), today: date | None = None) -> bool:
    """Whether it speaks of what may have changed lately ("latest", "now", "2026"). What stands in `labels`
    (mentions, titles), in quotes or in pasted text does not count, nor a year that names a document.
    """
    text = _FALSE.sub(" , ", request_of(message, labels).text)
    year = (today or datetime.now().astimezone().date()).year
    found = (match for match in _LATELY.finditer(text) if not _english_actual(match, text))
    return any(True for _ in found) or _year_spoken_of(text, year)


def _english_actual(match: patterns.Match, text: str) -> bool:
    """Whether it is the English word for real, not the Spanish one for current."""
    return bool(_ACTUAL.fullmatch(match[0])) and not _SPANISH.search(text)


def _year_spoken_of(text: str, this: int) -> bool:
    return any(
        this - 1 <= int(match["year"]) <= this + _AHEAD
        for match in _YEAR.finditer(text)
        if not (match["named"] or match["name"] or match["counted"])
    )
