"""Whether words that ask for something are meant to ask for it."""

from app.text import patterns


def rule(pattern: str) -> patterns.Pattern:
    """The pattern, whatever the case; blanks in it are not meant."""
    return patterns.compile(pattern, patterns.IGNORECASE | patterns.VERBOSE)


NEGATED = rule(
    r"""
    \b(?:
        don['’]?t | do\s+not | not | no | never | without | instead\s+of | rather\s+than
        | other\s+than | needn['’]?t | no\s+need(?:\s+(?:to|for))? | skip | avoid | isn['’]?t
        | nicht | kein(?:e[nr]?)? | ohne | statt | ne | pas | sans | plut[oô]t\s+que
        | au\s+lieu\s+de | sin | en\s+vez\s+de | en\s+lugar\s+de | אל | לא | בלי | במקום
      )(?:
        \s+(?:you\s+)?(?:
            want | need | have | to | a | an | any | the | you | bother | just | another | try
            | por | quiero | un | una | de | me | le | der | die | das | eine? | ein | it
            | please | really | like | looking | for | after | asking | full | whole | here
            | necesito | veux | required? | simply | interested | in
          )
      ){0,6}\s*$
    """
)
UNNEGATED = rule(
    r"""
    (?:
        not\s+only | not\s+just | why\s+(?:not|don['’]t\s+you) | don['’]t\s+forget\s+to
        | no\s+solo | nicht\s+nur
      )\s*(?:a|an|to|the)?\s*$
    """
)
ASKED = (
    r"(?:give|get|send|write|make|create|provide|prepare|produce|draft|generate|want|need|like"
    r"|have|show|do|looking\s+for|could\s+use|use|put\s+together|"
    r"offer|tell|list|see|hand|share|compose|build|deliver|run|conduct|perform|carry\s+out|love|appreciate"
    r"|require|after|pull(?:\s+out)?|pick\s+out|extract|collect|compile|draw\s+up|whip\s+up"
    r"|jot\s+down|note(?:\s+down)?|point\s+out|identify|highlight|name|state)"
)
FEW = (
    r"(?:(?:me|us|out|of|up|with|just|only|a|an|the|some|your|my|quick|short|brief|concise"
    r"|executive|high[-\s]level|good|rough|one[-\s]\w+|two[-\s]\w+|three[-\s]\w+|\w+[-\s](?:line"
    r"|sentence|word|page|paragraph|minute|point|bullet)|very|really|detailed|general|simple"
    r"|full|complete|thorough|proper|nice|clear|bullet(?:ed)?|bullet[-\s]point|comprehensive"
    r"|structured|formal|small|management|plain|tight|crisp|single|fast|compliance|policy"
    r"|side[-\s]by[-\s]side|neutral)\s+){0,6}"
)
SUBJECT = rule(
    r"""
    \b(?:
        i | we | they | who | he | she | it | which | people | staff | employees | banks?
        | companies | the | an? | this | does | did | must | already | had | has
        | have\s+already
      )\s+$
    | \b(?:
        asks? | asked | asking | told | tells? | wants? | wanted | supposed
        | plan(?:s|ned|ning)? | how | procedure | process | way | ways | steps? | tools? | order
        | used | tried | going | meant | able | required | duty | obliged | obligation | right
        | function | need | needs | failed | fails? | possible | allowed | expected
      )\s+(?:(?:me|us|them|him|her|you|staff|employees)\s+)?to\s+(?:\w+ly\s+)?$
    """
)
TOLD = rule(
    r"""
    \b(?:i|we|you|they|he|she)(?:['’]ve|\s+have|\s+had)?\s+(?:already\s+|just\s+)?$
    | \b(?:after|since)\s+(?:you(?:['’]ve)?|i|we|having)\s+(?:\w+\s+)?$ | \bword\s+$
    | \bwhat\s+(?:does|is)\s+$
    """
)
QUESTION = rule(
    r"""
    (?:
        wh?at(?:['’]?s|['’]re)? | wh?ich | who(?:['’]?s|m|se)? | where(?:['’]?s)? | when | why
        | how(?:['’]s)? | whose | whom | is | are | was | were | does
        | do(?!
            \s+(?:
                the\s+(?:
                    usual | same(?!\s+(?!for|with|thing|again|to|on|here)\w) | needful | thing
                    | rest
                  )
                | it | this | that | your | something | what | so | one
              )\b
          )
        | did | has | have(?!\s+(?:a\s|at\b)) | had | should | must | may | might | shall | am
        | isn['’]t | aren['’]t | doesn['’]t | don['’]t\s+(?:i|we) | can(?!\s+you)
        | could(?!\s+you) | would(?!\s+you) | will(?!\s+you) | need | in\s+(?:which|what)
        | under\s+(?:which|what) | at\s+(?:which|what) | for\s+(?:which|what|how)
        | by\s+(?:when|what|which) | to\s+(?:what|whom|which) | from\s+(?:when|what|which)
        | on\s+(?:which|what) | since\s+when | until\s+when | with\s+whom | within\s+what
        | what\s+about | how\s+about | if\s+i | if\s+we | if\s+an?
      )\b
    """
)


def negated(clause: str, found: patterns.Match) -> bool:
    """Whether these words are denied by those before them."""
    before = clause[max(0, found.start() - 80) : found.start()]
    return bool(NEGATED.search(before)) and not UNNEGATED.search(before)


def meant(pattern: patterns.Pattern, clause: str) -> patterns.Match | None:
    """The first of these words that is not denied, reported or a noun."""
    for found in pattern.finditer(clause):
        if not negated(clause, found) and not TOLD.search(clause[: found.start()]):
            return found
    return None


def imperative(clause: str, found: patterns.Match) -> bool:
    """Whether the verb is what is to be done, not what somebody else does or did, or asked about."""
    before = clause[: found.start()]
    return not SUBJECT.search(before) and not (before and QUESTION.match(clause))
