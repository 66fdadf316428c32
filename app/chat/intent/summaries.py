"""What asks for a summary, in English."""

from app.chat.intent.clauses import clauses_of
from app.chat.intent.request import DOC, Request
from app.chat.intent.said import ASKED, FEW, imperative, meant, negated, rule
from app.chat.intent.signs import LIKELY, MAYBE, SURE, Around, Sign
from app.chat.intent.things import REFERRED
from app.chat.intent.topic import about, of_topic
from app.text import patterns

_SHORT_NOUN = (
    r"(?:summary|summaries|overview|synopsis|recap|gist|abstract|digest|lowdown|(?:brief|short|quick)\s+(?:description|account|explanation|version|note)|account|rundown|run-down|outline"
    r"|nutshell|precis|précis|tl;?dr|cliff\s?notes(?:\s+version)?|short(?:er)?\s+version|"
    r"condensed\s+version|big\s+picture|essence|crux|thrust|upshot|bottom\s+line|"
    r"short\s+of\s+it|short\s+form|cheat\s?sheet|one[-\s]pager"
    r"|fact\s?sheet|briefing|breakdown|highlights|"
    r"(?:key|main|most\s+important|major|central|core|essential|top)\s+(?:\w+\s+)?(?:points?"
    r"|take-?aways?|findings?|arguments?|messages?|ideas?|conclusions?|content|themes?|topics?"
    r"|insights?|facts|elements|bits)|take-?aways?|essentials)"
)
_LITTLE = (
    r"(?:(?:half\s+)?an?|one|two|three|four|five|\d+|a\s+(?:few|couple\s+of|handful\s+of))\s+(?:\w+\s+)?"
    r"(?:pages?|paragraphs?|sentences?|lines?|words|bullets?|bullet\s+points|points|slides?)"
)
_INTO_LITTLE = (
    r"(?:put|reduce|shrink|cut|trim|pare|squeeze|compress|bring|get|fit|pack|break|turn|render)\s+"
    rf"(?=.{{1,100}}\s(?:in|into|to|onto)\s+{_LITTLE}\b)"
)
_MAIN = (
    r"(?:(?:key|main|most\s+important|major|central|core|essential|principal|overall|top|chief"
    r"|primary)\s+)"
)
_GIST = (
    r"(?:points?|take-?aways?|findings?|arguments?|messages?|ideas?|conclusions?|themes?|lessons?"
    r"|insights?|theses|thesis|results|recommendations)"
)
_SAYS = (
    r"(?:convey|draw|make|reach|come\s+to|arrive\s+at|present|put\s+forward|raise|set\s+out|report"
    r"|give|offer|contain|cover|address|deal\s+with|discuss|treat|have|advance|state|deliver|hold|send)"
)
_TELLS = (
    r"(?:cover|contain|say|deal\s+with|discuss|talk\s+about|address|argue|conclude|entail|amount\s+to"
    r"|convey|try\s+to\s+say|set\s+out|propose|claim|recommend|report|describe|present|find"
    r"|tell\s+(?:us|me))"
)
_END = (
    r"\s*,?\s*(?:(?:roughly|basically|exactly|overall|anyway|mainly|essentially|really|please|briefly"
    r"|again|actually|in\s+(?:short|brief|general|total|essence|a\s+nutshell|(?:\w+\s+){1,2}"
    r"(?:sentences?|words?|lines?)))\s*)?(?:[?.!]|$)"
)

SUMMARIZE = rule(
    rf"""
    \b(?:
        summari[sz]e | summari[sz]ing | turn\s+(?=.{{1,100}}\sinto\s+{FEW}{_SHORT_NOUN})
        | convert\s+(?=.{{1,100}}\sinto\s+{FEW}{_SHORT_NOUN})
        | sum(?=\s+(?:this|that|it|them|everything|the\s.{{1,60}}|[{DOC}])\s+up\b) | sum\s+up
        | recap | condense | distil(?:l)? | abridge | boil\s+down
        | boil(?=\s\S+\s(?:\S+\s)?down) | brief\s+(?:me|us)(?:\s+on)?
        | catch\s+(?:me|us)\s+up\s+on
        | (?:get|bring)\s+(?:me|us)\s+up\s+to\s+speed\s+(?:on|with|about)
        | fill\s+(?:me|us)\s+in\s+on | tl;?dr(?:\s+(?:of|for|on))?
        | (?:have|get|need|want)\s+(?=\S+(?:\s\S+)?\s+summari[sz]ed) | {_INTO_LITTLE}
        | shorten(?:ing)? | condensing | distilling
        | make\s+.{{1,80}}?(?=\s(?:shorter|more\s+concise|briefer)\b) | summary\s+please
      )\b:?
    """
)
SUMMARY_WANTED = rule(
    rf"""
    \b{ASKED}\s+{FEW}{_SHORT_NOUN}\b(?!
        \s+(?:
            section | page | chapter | table | statement | dismissal | judgment | judgement
            | report | offence | says | states
          )
      )(?:\s+(?:of|for|from|on|about|in|to))?
    """
)
SUMMARY_BARE = rule(
    rf"""
    {FEW}{_SHORT_NOUN}\b(?!
        \s+(?:section|page|chapter|table|statement|dismissal|judgment|judgement|report|offence)
      )(?=
        \s*(?:of|for|from|on|about|in|please|:|,|\.|!|\?|$|[◆◇]|\w+(?:\s+\w+){{0,4}}\s*[.?!]*$)
      )(?:\s+(?:of|for|from|on|about|in))?
    """
)
SUMMARY_ASKED = rule(
    rf"""
    what(?:['’]s|\s+is|\s+are|['’]re|\s+would\s+be|\s+were|\s+was)\s+(?:the|its|their|your)
      \s+{FEW}{_SHORT_NOUN}\b(?!\s+(?:section|page|chapter))(?:\s+(?:of|for|from|on|about|in))?
    """
)
ABOUT_ASKED = rule(
    rf"""
    what(?:['’]s|\s+is|\s+are|['’]re)\s+
      (?P<who>(?!the\s+(?:rule|policy|rules)\s+about)[^,?]{{1,90}}?)\s+
      (?:all\s+|mainly\s+|basically\s+|actually\s+|roughly\s+)?about{_END}
    | what(?:['’]s|\s+is|\s+are|\s+were)\s+(?P<who6>{REFERRED})(?:['’]s?)\s+{FEW}
      (?:{_GIST}|gist|contents?|topics?){_END}
    | what\s+(?:does|do|did)\s+(?P<who2>{REFERRED}|[A-Z][^?]{{1,60}}?)\s+
      (?:\w+ly\s+)?{_TELLS}{_END}
    | what\s+(?:does|do|did)\s+(?P<who8>[^?]{{1,80}}?)\s+(?:\w+ly\s+|all\s+)?(?:boil|come)
      \s+down\s+to{_END}
    | (?:what|which)\s+(?:are\s+the\s+)?{_MAIN}?(?:{_GIST}|topics|subjects|areas|issues)\s+
      (?:that\s+)?(?:(?:does|do|did|is|are|can\s+be)\s+)?(?P<who7>{REFERRED}|[A-Z][^?]{{1,60}}?)
      \s+(?:\w+ly\s+|trying\s+to\s+)?{_SAYS}(?:ing|s|es)?{_END}
    | what(?:['’]s|\s+is|\s+are)\s+(?P<who9>{REFERRED})\s+
      (?:trying\s+to\s+(?:say|tell|convey)|saying|telling)(?:\s+(?:me|us))?{_END}
    | what(?:['’]s|\s+is)\s+(?:in|inside|written\s+in)\s+(?P<who3>{REFERRED}|there|here){_END}
    | what(?:['’]s|\s+is)\s+(?:the\s+)?(?:point|purpose|content|substance|subject|topic)\s+of\s+
      (?P<who4>{REFERRED}){_END}
    | what\s+(?:should|do|must)\s+(?:i|we)\s+(?:\w+\s+){{0,2}}(?:know|remember|take\s+away)\s+
      (?:about|from)\s+(?P<who5>{REFERRED}){_END}
    """
)
WALK = rule(r"(?:walk|run|take|guide)\s+(?:me|us)\s+through|break\s+down|outline|simplify")
BRIEFLY = rule(
    rf"""
    \bin\s+(?:a\s+nutshell|brief)\b | \bthe\s+long\s+and\s+short\s+of\b | \blong\s+story\s+short\b
    | \btl;?dr\b | \b(?:in|on)\s+(?:(?:just|only|about|max\.?)\s+)?{_LITTLE}\b
    """
)


def summary_in(clause: str, around: Around) -> Sign | None:
    """That a document is wanted in short, or a topic that is then inquired; None where none is."""
    if (found := meant(SUMMARIZE, clause)) and imperative(clause, found):
        return _summed(clause[found.end() :], around)
    for pattern in (SUMMARY_WANTED, SUMMARY_ASKED):
        if (found := pattern.search(clause)) and not negated(clause, found):
            return _summed(clause[found.end() :], around)
    if (found := SUMMARY_BARE.match(clause)) and found[0].strip():
        return _summed(clause[found.end() :], around)
    if found := ABOUT_ASKED.search(clause):
        return Sign("summarize", _weight_of(found, around), ("inquire",))
    if (found := meant(WALK, clause)) and imperative(clause, found):
        kind = about(clause[found.end() :], around.known).kind
        return Sign("summarize", LIKELY, ("inquire",)) if kind == "document" else None
    if meant(BRIEFLY, clause):
        return _shortly(clause, around)
    return None


def plainly_of_topic(request: Request) -> bool:
    """Whether it asks for a summary and plainly means a topic, so that one of the whole would miss it."""
    for clause in clauses_of(request.text):
        for pattern in (SUMMARIZE, SUMMARY_WANTED, SUMMARY_ASKED):
            if found := meant(pattern, clause):
                return of_topic(clause[found.end() :])
    return False


def _weight_of(found: patterns.Match, around: Around) -> int:
    """How surely one asks what it is about: less so of a name that may be a topic."""
    who = next((group for group in found.groups() if group), "")
    what = about(who, around.known)
    return SURE if what.kind == "document" and what.sure else LIKELY


def _shortly(clause: str, around: Around) -> Sign | None:
    """A short form asked for: of a document a summary, else the answer to a question."""
    if patterns.search(r"\b(?:about|on|regarding)\s+\w", clause) or not patterns.search(
        REFERRED, clause, patterns.IGNORECASE
    ):
        return Sign("inquire", LIKELY, ("summarize",))
    return Sign("summarize", LIKELY, ("inquire",))


def _summed(rest: str, around: Around) -> Sign:
    what = about(rest, around.known)
    if what.kind == "differences":
        return Sign("compare", SURE if around.documents != 1 else LIKELY, ("inquire",))
    if what.kind == "topic":
        return Sign("inquire", SURE if what.sure else MAYBE, ("summarize",))
    if what.kind == "unclear":
        return Sign("summarize", MAYBE, ("inquire",))
    return Sign("summarize", SURE if what.sure else LIKELY, ("inquire",))
