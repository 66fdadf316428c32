"""What asks for a comparison, in English."""

from app.chat.intent.request import DOC
from app.chat.intent.said import ASKED, FEW, imperative, meant, rule
from app.chat.intent.signs import LIKELY, MAYBE, SURE, Around, Sign
from app.chat.intent.things import NAMED, NOUN, REFERRED
from app.text import patterns

COMPARE = rule(
    rf"""
    \brank\b(?=\s+(?:the|these|those|all|both|our|my|[◆◇]))
    | \bcompar(?:e|ing)\b(?!\s+(?:function|feature|button|tool))
    | \bcontrast(?:ing)?\b(?=\s+(?:{REFERRED}|the\b|how|what|[A-Z])) | \bdifferentiate\b
    | \bdistinguish\s+between\b | \bjuxtapose\b | \bside[-\s]by[-\s]side\b
    | \bhead[-\s]to[-\s]head\b | \bnext\s+to\s+(?:each\s+other|one\s+another)\b
    | \btell\s+.{{1,60}}\s+apart\b | \bwhat\s+sets\s+.{{1,80}}\s+apart\b | \bdiff\b
    | \b(?:how|where)\s+(?:do|does|did|are|is|have|has)\b.{{1,160}}\b
      (?:compare|differ|diverge|stack\s+up|measure\s+up|(?:look|hold\s+up|fare|rate)\s+against|align|overlap|(?:dis)?agree)\b
    | \b(?:do|does|are|is)\b.{{1,120}}\b(?:
        contradict | conflict | disagree | agree | overlap | consistent | differ | inconsistent
        | align(?:ed)?
      )\b.{{0,20}}\b(?:each\s+other|one\s+another|with\s+each\s+other|on\b|about\b)
    | \bcompared\s+(?:to|with)\b | \bin\s+comparison\s+(?:to|with)\b | \bversus\b | \bvs\b\.?
    | \bweigh\s+.{{1,80}}\s+against\b
    | \b(?:set|put|hold)\s+.{{1,80}}\s+(?:next\s+to|beside|alongside)\b
    | \bbenchmark\b.{{1,80}}\bagainst\b | \b{ASKED}\s+{FEW}comparison\b
    | \bhow\s+(?:similar|close|different|alike)\s+(?:is|are|to)\b
    | \bwhere\s.{{1,80}}\s(?:overlap|differ|diverge|disagree|agree|contradict|conflict)\b
    | ^{FEW}comparison\s+(?:of|between|table|please|with|to)\b | [◆◇]\s+against\s+[◆◇]
    | \bpros\s+and\s+cons\s+of\s+(?:both|the\s+two|[◆◇]\s+(?:and|vs))\b
    | \bline\s+(?:up\b.{{1,60}}\b(?:with|and)|.{{1,60}}\bup\b)
    | \bwhat\s+does\s+[◆◇]\s+.{{1,40}}\b(?:that|which)\s+[◆◇]\s+
      (?:doesn|does\s+not|lacks|hasn|misses)
    """
)
DIFFERENCE = rule(
    rf"""
    \b(?:
        differences? | similarit(?:y|ies) | commonalit(?:y|ies) | discrepanc(?:y|ies)
        | contradictions? | conflicts? | inconsistenc(?:y|ies) | overlaps? | deviations?
        | changes? | deltas? | gaps? | disagreements? | parallels? | distinctions?
      )\s+(?:are\s+there\s+|exist\s+)?(?:between|among|across|from)\b
    | \b(?:
        differ(?:s|ed)?\b | different\s+(?:from|to|than|in|between)\b | deviates?\s+from\b
        | diverges?\b
      )
    | \bin\s+common\b | \bdo\s+.{{1,80}}\s+(?:contradict|conflict|disagree)\b
    | ^(?:(?:the|all|any|some|main|key|major|biggest|important)\s+)*
      (?:differences|similarities|commonalities|discrepancies|deviations)\b
    | \bdeviations?\s+(?:of|in|from)\b
    | \bbetween\s+(?:the\s+(?:two|three)|both|these(?:\s+two)?)\s+(?:\w+\s+){{0,4}}?{NOUN}\b
    | \bwhat(?:['’]s|\s+is|\s+has|\s+have|\s+was|\s+got)?\s+(?:been\s+)?
      (?:different|changed|new)\b[^?]{{0,40}}?\s(?:between|from|since|compared|versus)\b
    | \bwhat.{{0,20}}\b(?:different|changed)\s+in\b
    | \bnew\s+in\b(?=.{{0,60}}\b(?:versions?|editions?|release|draft|revision|update|v?\d))
    | \b(?:same|identical|equal|equivalent)\s+(?:in|across|between)\s+
      (?:both|all|the\s+two|these)\b
    | \b(?:agree|disagree|contradict|conflict)s?\s+(?:with\s+)?(?:each\s+other|one\s+another)\b
    | \bwhat(?:['’]s|\s+is|\s+are)\s+the\s+(?:\w+\s+)?(?:differences?|similarities)\b
    | \b(?:
        list | show | explain | describe | highlight | find | spot | identify | outline
        | give\s+me | tell\s+me | see | know | understand
      )\s+(?:me\s+)?(?:the\s+|all\s+|any\s+)?(?:\w+\s+)?(?:differences?|similarities)\b
    | \bhow\s+(?:is|are)\b.{{1,80}}\bdifferent\b
    | \bwhere\s+do(?:es)?\b.{{1,80}}\b(?:agree|disagree|differ|diverge|contradict|conflict)\b
    """
)
_MORE = (
    r"(?:more|less|fewer|better|worse|higher|lower|longer|shorter|larger|greater|stricter"
    r"|(?!(?:other|under|over|ever|never|after|either|whether|number|order|matter|offer|cover"
    r"|employer|customer|manager|paper|member|owner|user|order|letter|consider|refer|transfer"
    r"|answer|quarter|chapter|newsletter|supplier|partner|officer|per)\b)\w{3,}er|the\s+(?:most"
    r"|least|best|worst|highest|lowest|longest|shortest|\w+est)|most|least|best|strictest"
    r"|cheapest|highest|lowest|longest|shortest|earliest|latest)"
)
WHICH_MORE = rule(
    rf"""
    \b(?:which|what)\s+(?:
        one\b | of\s+(?:the|these|those|them|both|our|my|[{DOC}])[^?]{{0,60}}?
        | (?:
            (?:[\w-]+\s+){{0,2}}(?:
                {NOUN} | vendors? | providers? | insurers? | suppliers? | carriers? | banks?
                | packages? | tariffs? | options? | products? | models? | plans? | policies
                | policy
              )
          )
        | is | has
      )\b[^?]{{0,60}}?\b{_MORE}\b
    | \bwhich\s+(?:\w+\s+)?is\s+{_MORE}\b
    | \b(?:is|are|does|do|has|have)\b[^?]{{1,100}}\b{_MORE}\b[^?]{{0,80}}\bthan\b
    """
)
TWO = rule(
    rf"""
    [{NAMED[1:-1]}].*[{NAMED[1:-1]}]
    | \b(?:
        two | both | these | them | those | each | all\s+(?:three|four|of) | either | other
        | previous | first\b.{{1,60}}\bsecond | old(?:er)? | new(?:er)? | last\s+year
        | versions? | editions? | v\d+(?:\.\d+)? | \d+\.\d+\s+(?:and|to|or|vs)\s+\d+\.\d+
        | between\s+{REFERRED}\s+and | (?:19|20)\d\d
      )\b
    | {REFERRED}\b.{{1,80}}\b(?:and|with|to|against|versus|vs|than|from|or)\b.{{0,30}}{REFERRED}
    """
)
_PAIR = rule(
    rf"""
    [◆◇].*[◆◇] | \b(?:two|both|three)\s+(?:\w+\s+){{0,2}}{NOUN}\b
    | \b(?:old|older|previous|earlier|first|original|last\s+year['’]s)\b.{{0,60}}\b
      (?:new|newer|current|latest|revised|second|this\s+year['’]s)\b
    | \b(?:new|newer|current|latest|revised|second|this\s+year['’]s)\b.{{0,60}}\b
      (?:old|older|previous|earlier|first|original|last\s+year['’]s)\b
    | \b(?:19|20)\d\d\s*(?:and|or|vs\.?|versus|to|/|&)\s*(?:the\s+)?(?:19|20)\d\d\b
    | \bsince\s+(?:the\s+)?(?:last|previous|first|earlier|old)\s+(?:\w+\s+)?{NOUN}\b
    | \bthan\s+(?:ours|theirs|mine|yours|hers|his)\b
    """
)
"""Two documents that are spoken of."""
_UNLIKE = rule(
    r"""
    \b(?:
        differ\w* | discrepan\w+ | contradict\w* | similar\w* | inconsisten\w+ | unlike
        | which\s+one | same | chang\w+ | dropped | added | removed | worse | better
        | advantages? | disadvantages? | drawbacks? | gone\s+(?:up|down) | went\s+(?:up|down)
      )\b
    """
)
CHANGED = rule(
    r"""
    \b(?:what|how|where|anything|which)\b.{0,60}\b
      (?:chang(?:e|ed|es)|add(?:ed)?|drop(?:ped)?|new|remov(?:e|ed)|moved?|evolved?)\b.{0,60}\b
      (?:between|since|compared|relative\s+to|versus|vs|from\b.{1,60}\bto)\b
    """
)
MORE_OF_TWO = rule(
    rf"""
    \b(?:which|who|what|where|is|does|do|has|have|are)\b.{{0,160}}\b(?:{_MORE}|wins?|beats?)\b
    """
)
_THAN = rule(rf"\b{_MORE}\b[^?]{{0,80}}\bthan\b")
_AMOUNT = rule(
    r"\bthan\s+(?:[\d$€£]|an?\b|one\b|two\b|three\b|half\b|the\s+(?:minimum|maximum|legal))"
)
_BETWEEN = rule(r"\bbetween\s+(?!an?\s).{1,80}\s(?:and|&)\s")
CAPITAL = patterns.compile(r"(?<=\s)[A-Z]")
WHICH_OF = rule(rf"(?:which|what)\s+(?:one\b|of\b|(?:\w+\s+){{0,2}}{NOUN}\b)")
INSIDE_ONE = rule(
    rf"""
    \b(?:
        in | under | within | according\s+to | per | inside | by
        | (?<!differ\s)(?<!different\s)(?<!differs\s)(?<!deviate\s)(?<!diverge\s)from
      )\s+(?:{REFERRED}|(?:the\s+)?(?:\w+\s+){{0,3}}{NOUN})\s*[.?!]*\s*$
    """
)
NO_SIDES = rule(
    r"""
    ^(?:(?:the|all|any|some|main|key|major|biggest|important)\s+)*
      (?:differences|similarities|commonalities|discrepancies)\b
    | \b(?:differences?|similarities|common|changed|new|overlaps?)\s*[.?!]*$
    """
)
NAMED_VERB = patterns.compile(
    r"compar(?:e|ing)\b|rank\b|contrast|differentiate|distinguish|juxtapose|diff\b|tell\b|weigh|set|put"
    r"|hold|benchmark|vs\b|versus|side|head",
    patterns.IGNORECASE,
)


def comparison_in(clause: str, around: Around) -> Sign | None:
    """That documents are to be held against each other; None where they are not."""
    found = meant(COMPARE, clause)
    if found and (imperative(clause, found) or not NAMED_VERB.match(found[0])):
        return _compared(clause, found, around)
    unlike = (meant(_UNLIKE, clause) and _PAIR.search(clause)) or (
        CHANGED.search(clause) and _two(clause)
    )
    if unlike or meant(DIFFERENCE, clause):
        return _differing(clause, around)
    if around.documents > 1 and (MORE_OF_TWO.search(clause) or _THAN.search(clause)):
        return Sign("compare", LIKELY, ("inquire",))
    if meant(WHICH_MORE, clause):
        if around.documents > 1 or WHICH_OF.match(clause) or _two(clause):
            return Sign("compare", SURE, ("inquire",))
        amount = _AMOUNT.search(clause)
        if not (amount or around.documents) and patterns.search(
            rf"\b{NOUN}\b", clause, patterns.IGNORECASE
        ):
            return Sign("compare", MAYBE, ("inquire",))
    return None


def _two(clause: str) -> bool:
    """Whether it speaks of two documents, or two of something."""
    return bool(TWO.search(clause) or _PAIR.search(clause))


def _compared(clause: str, found: patterns.Match, around: Around) -> Sign:
    """Asked for in so many words; of one document and things that are none it may be a question."""
    inside = INSIDE_ONE.search(clause)
    if inside and around.documents < 2 and not _two(clause[: inside.start()]):
        return Sign("compare", MAYBE, ("inquire",))
    two = around.documents > 1 or NAMED_VERB.match(found[0]) or _two(clause)
    return Sign("compare", SURE if two else MAYBE, ("inquire",))


def _differing(clause: str, around: Around) -> Sign:
    """A difference between documents, or between things that a document speaks of."""
    if around.documents > 1 or _two(clause):
        return Sign("compare", SURE, ("inquire",))
    if INSIDE_ONE.search(clause):
        return Sign("inquire", LIKELY, ("compare",))
    if _BETWEEN.search(clause) and patterns.search(rf"\b{NOUN}\b", clause, patterns.IGNORECASE):
        return Sign("compare", LIKELY, ("inquire",))
    if NO_SIDES.search(clause):
        return Sign("compare", LIKELY, ("inquire",))
    plain = not patterns.search(rf"\b{NOUN}\b", clause, patterns.IGNORECASE) and not CAPITAL.search(
        clause
    )
    titled = around.known(patterns.findall(r"\w{3,}", clause))
    return Sign("inquire", LIKELY if plain and not titled else MAYBE, ("compare",))
