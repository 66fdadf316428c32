"""What asks for a text to be checked against rules, in English."""

from app.chat.intent.request import DOC, TEXT
from app.chat.intent.said import ASKED, FEW, imperative, meant, rule
from app.chat.intent.signs import LIKELY, MAYBE, SURE, Around, Sign
from app.chat.intent.things import OWN_TEXT, REFERRED
from app.chat.intent.topic import about
from app.text import patterns

_LOOK = (
    r"(?:check(?:ing)?|review(?:ing)?|verify|verifying|validate|assess(?:ing)?|evaluate"
    r"|evaluating|vet|screen|examine|inspect|test|scan|go\s+(?:over|through)|look\s+(?:over|at"
    r"|through)|"
    r"proof(?:-?read(?:ing)?)?|analy[sz]e|measure|hold|judge|fact[-\s]?check|cross[-\s]?check"
    r"|double[-\s]?check|spell\s?-?check|mark|grade|critique|scrutini[sz]e|run|match|test|rate"
    r"|correct|read|inspect|lint|map)"
)
AUDIT = rule(
    r"""
    \b(?<!the\s)(?<!an\s)(?<!our\s)(?<!this\s)(?<!that\s)(?<!last\s)(?<!annual\s)(?<!internal\s)
      (?<!external\s)(?<!your\s)(?<!tax\s)(?<!in\s)(?<!during\s)(?<!after\s)(?<!before\s)
      (?<!of\s)(?<!each\s)(?<!every\s)(?<!for\s)(?<!security\s)(?<!\w-)audit(?:ing)?\b(?!
        \s+(?:
            reports? | committees? | trails? | findings? | departments? | logs? | plans? | fees?
            | firms? | opinions? | rights? | requirements? | process | procedures?
            | polic(?:y|ies) | charter | cycle | function | results? | evidence | period
            | schedule | team | manual | standards? | checklists? | is\b | was\b | are\b | has\b
            | takes?\b | said\b | says\b | of\b | in\b | clauses? | scope | season | risk
            | history
          )
      )
    """
)
AUDIT_WANTED = rule(
    rf"""
    \b{ASKED}\s+{FEW}(?:
        audit | compliance\s+(?:check|review|audit) | gap\s+analysis | policy\s+check
        | conformity\s+check
      )\b(?!\s+(?:report|trail|log|committee))
    | ^{FEW}(?:audit|compliance\s+(?:check|review))\s+(?:of|on|for|this|please|against)\b
    """
)
AGAINST = rule(
    rf"""
    \b{_LOOK}\b.{{0,200}}?\b(?:
        against | versus
        | for\s+(?:policy\s+|any\s+)?(?:
            compliance | conflicts | contradictions | deviations | conformity | conformance
            | violations? | breaches | non-?compliance | adherence
          )
        | with\s+regard\s+to\s+compliance | under
      )\b
    | \b{_LOOK}\s+(?:\w+\s+){{0,4}}?(?:with|by|to|vs\.?)\s+(?:(?:the|our|my|your|this)\s+)?(?:
        ◆
        | (?:[\w&-]+\s+){{0,3}}(?:
            polic(?:y|ies) | code | guidelines? | rules? | standards? | guide | regulations?
            | handbook | charter
          )
      )\s*(?:[:?.!]|$)
    """
)
COMPLY = rule(
    r"""
    \b(?:
        compl(?:y|ies|ied|iant|iance|ying)\b | non-?complian(?:t|ce)
        | conform(?:s|ing|ity|ance)?\b
        | in\s+(?:line|accordance|conformity|keeping|agreement)\s+with | consistent\s+with
        | inconsistent\s+with | adher(?:e|es|ing|ence)\b | abid(?:e|es|ing)\s+by
        | violat(?:e|es|ing|ed|ions?)\b | breach(?:es|ing)?\b | infring(?:e|es|ing|ements?)\b
        | contraven(?:e|es|tion)s?\b
        | (?:break|breaks|breaking|against)\s+
          (?:any\s+of\s+|any\s+|the\s+|our\s+|a\s+|some\s+|company\s+)*(?:\w+\s+){0,2}?
          (?:rules?|polic(?:y|ies)|guidelines?|laws?|regulations?|standards?|code|◆)
        | (?:break|breaks|breaking)\s+◆
        | meet(?:s|ing)?\s+(?:all\s+|the\s+|our\s+|any\s+|every\s+|what\s+)*(?:\S+\s+){0,3}?
          (?:requirements?|standards?|criteria|rules|specs?|guidelines?|obligations?|◆)
        | satisf(?:y|ies)\b
        | follow(?:s|ing|ed)?\s+(?:all\s+|the\s+|our\s+|every\s+)*(?:\S+\s+){0,3}?(?:
            rules? | guide(?:line)?s? | polic(?:y|ies) | standards? | handbook | template | code
            | procedures? | regulations? | ◆
          )
        | (?:
            allowed | permitted | permissible | acceptable | admissible | ok(?:ay)? | fine
            | legal | lawful | compliant | prohibited | forbidden | valid | correct
            | appropriate | alright | good
          )\s+(?:
            under | by | per | according\s+to | given | as\s+per | in\s+terms\s+of
            | with\s+regard\s+to | with | in\s+light\s+of | by\s+the\s+standards\s+of
          )
        | (?:run|runs|go|goes)\s+(?:afoul|against|counter)\b | covers?\s+(?:everything|all)\b
        | conflicts?\s+with\b | contradict(?:s|ing|ed)?\b | clash(?:es)?\s+with\b
        | align(?:s|ed)?\s+with\b | match(?:es)?\b | deviat(?:e|es)\s+from\b
        | up\s+to\s+(?:code|standard|scratch) | square(?:s)?\s+with\b | stick(?:s)?\s+to\b
        | respect(?:s)?\s+(?:the|our|all|◆) | fall(?:s)?\s+(?:foul|short)\s+of
        | (?:pass|passes)\s+(?:our|the|◆) | problematic\s+(?:under|with) | as\s+required\s+by
        | what\s+◆\s+(?:requires|demands|prescribes|allows) | in\s+violation\s+of
        | at\s+odds\s+with
      )
    """
)
FLAG = rule(
    r"""
    \b(?:
        anything | everything | find | flag | identify | list | spot | highlight | point\s+out
        | mark | look\s+for | detect | locate | catch | show\s+me | tell\s+me | note
        | call\s+out | are\s+there | is\s+there | see | does | where | what | which | report
        | search\s+for | pinpoint | any
      )\b.{0,80}?\b(?:
        (?:problems?|issues?|errors?|mistakes?|concerns?)\b.{0,80}?\b(?:
            under | with\s+respect\s+to | regarding | against | according\s+to | in\s+light\s+of
            | given | per
          )\b
        | (?:that\s+is|that['’]s|that\s+are|which\s+is)\s+
          (?:not|against|forbidden|prohibited|illegal)\b
        | violations? | breach(?:es)? | non-?complian(?:t|ce) | infringements?
        | anything\s+(?:that\s+)?(?:\w+\s+)?(?:
            violat | break | breach | contradict | conflict
            | not\s+(?:allowed|permitted|compliant|in\s+line) | against | is\s+wrong
            | isn['’]t\s+(?:allowed|permitted|in\s+line) | contravene | goes\s+against | fails
          )\w*
        | (?:
            what | where | which | parts? | passages? | sentences? | clauses? | statements?
            | wording | claims? | points? | everything | things
          )\b.{0,40}?\b(?:
            violat\w* | breaks? | breach\w* | contradict\w* | contraven\w* | conflicts? | fails?
            | (?:isn['’]t|aren['’]t|not)\s+(?:allowed|permitted|compliant|in\s+line)
            | go(?:es)?\s+against | infring\w* | deviat\w*
          )
      )
    """
)
LOOKED_AT = rule(
    r"""
    \b(?P<verb>
        check(?:ing)? | review(?:ing)? | verify | validate | assess | evaluate | vet | screen
        | examine | inspect | proof-?read | fact[-\s]?check | double[-\s]?check | correct
        | critique | scrutini[sz]e
      )\b\s+(?!(?:if|whether|that\s+the|what|how|when|where|who|for)\b)(?P<rest>.+)
    """
)
OPEN_QUESTION = rule(
    r"""
    (?:
        what(?!\s+(?:in|parts?|passages?|sentences?|clauses?)\b) | how | who | when | why
        | where\s+(?:do|can|should|is) | tell\s+me\s+(?:what|how|who|when|why) | explain
        | describe | list\s+the\s+(?:penalt|sanction|conseq|requirement)
      )\b(?!
        .*\b(?:this|my|our|following)\s+\w+\s+
          (?:violat|breach|break|comply|complies|conform|contradict|conflict)
      )
    """
)
REPORTED = rule(
    r"""
    (?:according|where|what|how|who|when|why|explain|list|tell\s+me\s+(?:what|how|who|when|why))
      \b
    """
)
MUTUAL = rule(
    r"""
    \b(?:
        each\s+other | one\s+another | mutually | between\s+(?:the\s+two|them|these|those|both)
        | do\s+(?:the\s+two|both|these\s+two|those\s+two|[◆◇]\s+(?:and|&)\s+[◆◇])
      )\b
    | ^(?:set|put|pit|weigh|stack|place)\s+[◆◇]\s+(?:up\s+)?against
    | \bdo\s+[◆◇]\s+(?:and|&)\s+[◆◇] | \bbetween\s+[◆◇]
    """
)
LIKENESS = rule(
    r"\b(?:consistent|inconsistent|conflicts?|contradict\w*|align\w*|match\w*|at\s+odds)\b"
)
RULES = rule(
    r"""
    ◆
    | \b(?:
        polic(?:y|ies) | codes? | guidelines? | rules? | handbook | standards? | regulations?
        | charter | laws? | act | directive | guide | requirements | terms | manual
      )\b
    """
)
YES_NO = rule(
    r"""
    (?:
        is | are | was | does | do | did | has | have | can(?!\s+you) | could(?!\s+you) | may
        | should | would(?!\s+you) | will(?!\s+you) | any | anything
      )\b
    """
)
WRONG_WITH = rule(
    r"""
    \bwhat(?:['’]s|\s+is|\s+would\s+be)\s+(?:wrong|problematic|not\s+(?:ok(?:ay)?|allowed))\s+
      (?:with|in|about)\b
    """
)
APPROVAL = rule(
    r"""
    \b(?:ok(?:ay)?|fine|alright|acceptable|allowed|permitted|safe|send|publish|post|sign|fits?)
      \b
    """
)
FOR_SOMETHING = rule(r".{1,80}?\sfor\s+(?:the|a|an|any|all|mentions?|rules?|information)\b")


def audit_in(clause: str, around: Around) -> Sign | None:
    """That a text is to be checked; None where it is not."""
    if (found := meant(AUDIT, clause)) and imperative(clause, found):
        return Sign("audit", SURE)
    if meant(AUDIT_WANTED, clause):
        return Sign("audit", SURE)
    if (found := meant(AGAINST, clause)) and imperative(clause, found):
        return Sign("audit", SURE)
    source = bool(OWN_TEXT.search(clause)) or TEXT in clause
    if sign := _compliance(clause, source, around):
        return sign
    if (found := meant(LOOKED_AT, clause)) and imperative(clause, found):
        return _looked_at(found["rest"], source, around)
    return None


def _compliance(clause: str, source: bool, around: Around) -> Sign | None:
    """Whether a text keeps to rules; where nothing but a deed is asked about, that is a question."""
    flag = meant(FLAG, clause)
    if source and WRONG_WITH.search(clause):
        return Sign("audit", SURE, ("inquire",))
    if flag and (source or around.source or patterns.search(r"\banything\b", clause)):
        return Sign("audit", SURE if source or around.source else LIKELY, ("inquire",))
    comply = meant(COMPLY, clause)
    if comply and MUTUAL.search(clause):
        return None
    if not comply or OPEN_QUESTION.match(clause):
        return (
            Sign("inquire", LIKELY, ("audit",))
            if flag and not OPEN_QUESTION.match(clause)
            else None
        )
    subject = clause[: comply.start()]
    if OWN_TEXT.search(subject) or (OWN_TEXT.search(clause) and not REPORTED.match(clause)):
        return Sign("audit", SURE, ("inquire",))
    pair = len(patterns.findall(rf"{REFERRED}", clause, patterns.IGNORECASE)) > 1
    if DOC in subject and pair and LIKENESS.search(comply[0]):
        return Sign("compare", MAYBE, ("audit", "inquire"))
    if DOC in subject and pair:
        return Sign("audit", SURE if around.documents > 1 else LIKELY, ("inquire", "compare"))
    if around.source and patterns.search(
        r"\b(?:it|this|that|they|everything|anything|all)\b", subject, patterns.IGNORECASE
    ):
        return Sign("audit", SURE, ("inquire",))
    if patterns.match(
        r"(?:is|does|do|are|would)\s+(?:this|that|these|it(?!\s+\w+\s+\w+\s+to\b))\b",
        clause,
        patterns.IGNORECASE,
    ):
        return Sign("audit", LIKELY, ("inquire",))
    return None


def _looked_at(rest: str, source: bool, around: Around) -> Sign | None:
    """A text to be checked, reviewed and the like without rules named; without a text nothing is sure."""
    if COMPLY.search(around.text) and (source or around.source):
        return Sign("audit", SURE)
    if not source and DOC in rest and FOR_SOMETHING.match(rest):
        return Sign("inquire", LIKELY, ("audit",))
    if about(rest).kind == "document" or source:
        weight = LIKELY if source and around.documents else MAYBE
        return Sign("audit", weight, ("summarize", "inquire"))
    return None
