"""What asks for an answer, in English."""

from app.chat.intent import checks
from app.chat.intent.request import DOC, QUOTE, TEXT
from app.chat.intent.said import QUESTION, rule
from app.chat.intent.signs import LIKELY, MAYBE, SURE, Around, Sign
from app.chat.intent.things import NAMED, NOUN, REFERRED
from app.chat.intent.topic import about
from app.text import patterns

LOOKUP = rule(
    r"""
    (?:
        find | look\s+up | look\s+for | search | tell\s+(?:me|us) | explain | list | show
        | give\s+(?:me|us) | locate | extract | define | clarify | describe | quote | cite
        | name | identify | get(?:\s+me)? | pull(?:\s+(?:up|out))? | point\s+(?:me|us)
        | let\s+(?:me|us)\s+know
        | i(?:\s+really)?\s+(?:need|want|wish|would\s+like)\s+to\s+
          (?:know|understand|find|learn|see|check)
        | i(?:['’]d|\s+would)\s+(?:like|love)\s+to\s+(?:know|understand|find|learn|see)
        | i\s+need(?!\s+(?:help|support|assistance|advice|a\s+hand|you)\b) | i\s+want
        | i['’]m\s+(?:wondering|looking\s+for|curious|interested)
        | i\s+am\s+(?:wondering|looking\s+for|curious) | i\s+wonder
        | i\s+(?:can['’]t|cannot|couldn['’]t|could\s+not)\s+find | wondering | any\s+idea | any
        | help\s+(?:me|us)\s+(?:to\s+)?(?:understand|find) | according\s+to | know | understand
        | learn | find\s+out | work\s+out | figure\s+out | determine | calculate | compute
        | count | enumerate | confirm | check | verify | see | remind\s+(?:me|us) | say | state
        | specify | elaborate | expand | detail | answer | provide | mention | spell\s+out
        | dig\s+(?:up|out) | retrieve | fetch | outline | recommend | suggest | teach
        | walk\s+(?:me|us) | question
      )\b
    """
)
VAGUE = rule(
    r"""
    (?:
        (?:
            do | handle | process | take\s+care\s+of | deal\s+with | work\s+(?:on|with|through)
            | have\s+a\s+(?:look|go) | look\s+(?:at|into|over|through)
            | take\s+a\s+(?:look|peek) | help(?:\s+(?:me|us))?(?:\s+(?:with|out))? | proceed
            | go\s+(?:ahead|on|through|over) | thoughts | feedback | opinion
            | what\s+do\s+you\s+(?:think|make) | your\s+(?:thoughts|opinion|take|view) | use
            | here(?:['’]s|\s+(?:is|are)) | see | read | open | load | study | analy[sz]e
            | analysis | consider | continue | start | begin | try | same | again | more | next
            | run | fix | improve | translate | rewrite | rephrase | edit | reformat | convert
            | delete | remove | upload | send | share | print | hello | hi | hey | thanks?
            | thank\s+you | good\s+(?:morning|evening|day) | ok(?:ay)? | yes | no | sure
            | examine | review | check | assess | evaluate | inspect | focus\s+on
            | think\s+about | comment\s+on | respond | reply | draft | write | investigate
            | explore | discuss | interpret | what\s+now | what\s+can\s+you\s+do
            | can\s+you\s+help
          )\b
      )
    """
)
TELL_ABOUT = rule(
    r"""
    (?:
        tell\s+(?:me|us) | talk\s+(?:to\s+me|me\s+through) | explain | describe
        | say\s+something | i\s+(?:want|need|would\s+like)\s+to\s+(?:know|understand|learn)
        | i(?:['’]d|\s+would)\s+(?:like|love)\s+to\s+(?:know|learn|understand)
        | give\s+(?:me|us) | show\s+(?:me|us) | any(?:thing)? | information | info | details
        | what\s+about | how\s+about | i\s+(?:need|want)\s+(?:something|anything|info)
        | what\s+do\s+(?:you|we)\s+(?:know|have)
      )\s*(?:
        (?:
            more | something | a\s+bit | everything | all | anything | info | information
            | details | what\s+you\s+know | you\s+know
          )\s+
      )*(?:about|on)?\s*(?P<rest>.*)
    """
)
ASIDE = rule(
    r"""
    .*\b(?:about|on|regarding|in|of|from|under)\s+\S.*[a-z]{3,}.*\b
      (?:about|on|regarding|in|of|from|under)\s+\S
    | (?:the\s+)?(?:
        rules | policy | policies | plans? | procedures? | regulations? | laws? | standards?
        | statements? | notices? | codes? | acts? | offers? | records? | notes?
      )\b
    """
)
VAGUE_QUESTION = rule(
    r"""
    (?:
        what\s+(?:do\s+you\s+(?:think|make|say)|now|can\s+you\s+do|next|else) | how\s+are\s+you
        | is\s+(?:it|this|that|everything)\s+(?:ok(?:ay)?|good|fine|right|correct|any\s+good)
          \s*\?*$
        | what['’]?s\s+(?:up|next) | who\s+are\s+you | how\s+about\s+(?:this|that|it|[◆◇▣])
        | what\s+about\s+(?:(?:this|that|it|the\s+other(?:\s+\w+)?|[◆◇▣])\s*[?.!]*$) | so\s+what
      )
    """
)
TELLING = rule(
    r"""
    (?:
        i | we | my | our | they | he | she | there | it | this | that | these | those | you
        | the\s+\w+\s+(?:is|are|was|were) | as\s+\w+ | since | because | attached
        | for\s+context | background | context | fyi | note
      )\b
    """
)
ALONE = (
    rf"(?:(?:and|also|the|same|for|with|again|more|next|other|one|now|both|all|please|about"
    rf"|regarding|re|on|concerning|in|from|{NAMED}|\W)\s*)+"
)
SAME = rule(r"\b(?:same|identical|equal|each|both|either)\b")
SOMETHING = patterns.compile(
    r".{0,40}\b(?:something|anything|everything|info|information|stuff)\s+(?:about|on|regarding)\b",
    patterns.IGNORECASE,
)

_WHOLE = rule(
    rf"""
    (?!.*\b(?:in|of|from|under|about|on|for)\b)\s*(?:me\s+|us\s+)?{REFERRED}\s*
      (?:please\s*)?[.!]*
    """
)
_OF_THIS = rule(r"\b(?:this|the\s+following)\s*[?:]")
_HANDED = f"[{QUOTE}{TEXT}]"
_SPOT = rule(
    r"""
    (?:the\s+|all\s+|any\s+)?(?:\w+\s+)?
      (?:sections?|clauses?|chapters?|paragraphs?|passages?|pages?|parts?)\s+
      (?:about|on|regarding|for|that|which|where|with)\b
    """
)
_DONE_TO = rule(
    r"""
    (?!
        (?:
            not | no | nicht | than | as | is | was | only | just | all | both | if | when
            | because | since | in | of | from | on | for | under | about | per | by | with | at
            | to | during | after | before | until | regarding | and | or | re | between
            | within | against | pour | dans | sur | avec | sous | en | de | por | para | con
            | sobre | im | bei | mit | f[uü]r | zu | nach | vor | aus | von | gegen
          )\b
      )[^\W\d_]+\s+(?:(?:up|out|down|over|back)\s+)?(?:
        the | this | that | these | those | my | our | me | us | it | them | an? | das | den
        | dem | dir | mir | uns | mal | was | etwas | diese[nrsm]? | cet(?:te)? | ces | moi
        | esto | este | esta | estos | me | את
      )\b
    """
)
"""A verb with what is to be done to: of a document no question, of anything else how it is done."""
_OPERATED = rule(
    r"""
    (?:
        run | start | begin | open | load | fix | use | delete | remove | upload | send | share
        | print | convert | edit | process
      )\b(?:\s+\S+){2,}
    """
)
_A_DOCUMENT = patterns.compile(
    rf"{NAMED}|\b(?:this|that|these|those|it|them|both|everything|das|dies\w*|cela|ceci|ça|est[oae]s?)\b"
    rf"|\b(?:the|our|my|your|their|his|her)\s+(?:[\w&'’.-]+\s+){{0,3}}?{NOUN}\b",
    patterns.IGNORECASE,
)
"""A document that is pointed at: "a file" is any, "the contract" is one."""


def inquiry_in(clause: str, around: Around) -> Sign | None:
    """A question or a thing to look up; a document alone may be told about in more than one way."""
    if sign := _told_about(clause, around):
        return sign
    if around.documents > 1 and SAME.search(clause):
        return Sign("compare", LIKELY, ("inquire",))
    if _of_a_text(clause, around):
        return Sign("audit", MAYBE, ("inquire",))
    if QUESTION.match(clause) and not VAGUE_QUESTION.match(clause):
        return Sign("inquire", SURE)
    if (found := LOOKUP.match(clause)) and len(clause.split()) > 2:
        whole = _WHOLE.fullmatch(clause[found.end() :])
        return Sign("inquire", MAYBE if whole else SURE, ("summarize",) if whole else ())
    if _how_to(clause, around):
        return Sign("inquire", LIKELY, ("summarize",))
    if VAGUE.match(clause) or not _searched(clause):
        return None
    if _DONE_TO.match(clause) and not clause.rstrip().endswith("?"):
        return Sign("summarize" if around.documents < 2 else "compare", MAYBE, ("inquire",))
    if around.known(patterns.findall(r"\w+", clause)):
        return Sign("summarize", MAYBE, ("inquire",))
    vague = around.source or len(clause.split()) == 1
    return Sign("inquire", MAYBE if vague else LIKELY, ("audit", "summarize"))


def _how_to(clause: str, around: Around) -> bool:
    """Whether it names something to do that is done to no document: who types that into a library looks for
    how it is done.
    """
    if around.documents or around.source or _A_DOCUMENT.search(clause):
        return False
    does = _DONE_TO.match(clause) and not VAGUE.match(clause)
    if not (does or _OPERATED.match(clause)):
        return False
    return len(clause.split()) > 2 and not around.known(patterns.findall(r"\w+", clause))


def _of_a_text(clause: str, around: Around) -> bool:
    """Whether yes or no is asked of a text that was handed over, which may mean that it be checked."""
    if not checks.YES_NO.match(clause):
        return False
    handed = around.source or (QUOTE in around.text and checks.APPROVAL.search(clause))
    if handed and checks.RULES.search(around.text):
        return True
    return bool(_OF_THIS.search(clause) and patterns.search(_HANDED, around.text))


def _told_about(clause: str, around: Around) -> Sign | None:
    """A document that one wants to be told about, which may be done in more than one way."""
    if found := TELL_ABOUT.match(clause):
        if _SPOT.match(found["rest"]):
            return Sign("inquire", SURE)
        what = about(found["rest"], around.known)
        if what.kind == "document" and not ASIDE.match(found["rest"]):
            if DOC in clause and around.documents < 2 and not SOMETHING.match(clause):
                return Sign("inquire", LIKELY, ("summarize",))
            return Sign(
                "summarize" if around.documents < 2 else "compare", MAYBE, ("inquire", "summarize")
            )
    return None


def _searched(clause: str) -> bool:
    """Words as one types them into a search, or a statement that ends as a question."""
    words = patterns.findall(r"\w{3,}", clause)
    return (clause.rstrip().endswith("?") and bool(words)) or (
        len(words) > 0
        and not patterns.match(rf"{REFERRED}(?:\s+please)?\s*[.!]?$", clause, patterns.IGNORECASE)
        and not TELLING.match(clause)
        and not patterns.fullmatch(ALONE, clause, patterns.IGNORECASE)
    )
