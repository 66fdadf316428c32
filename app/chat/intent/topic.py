"""What a summary is asked of: a document as a whole, or a topic inside documents, which is a question."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from app.chat.intent.things import LEADING, LOOSE, NAMED, NOUN, PLAIN, PRONOUN
from app.text import patterns

Known = Callable[[Sequence[str]], bool]
_SMALL = frozenset({"the", "our", "my", "of", "and", "for", "new", "this", "that"})


def nothing(words: Sequence[str]) -> bool:
    """No title is known."""
    return False


Kind = Literal["document", "topic", "differences", "unclear"]


@dataclass(frozen=True, slots=True)
class About:
    """`sure` where the words leave no doubt."""

    kind: Kind
    sure: bool = False


_NUMBER = (
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|a\s(?:few|couple\sof)|some"
    r"|several|half\sa)"
)
_UNIT = (
    r"(?:sentences?|words?|bullets?(?:\s?points?)?|points?|paragraphs?|lines?|pages?|minutes?"
    r"|tweets?|tables?|lists?|items?|dot\spoints?|"
    r"key\spoints|headlines?|nutshell|cheat\s?sheets?|one-pagers?|digest|seconds?|slides?|emojis?|tl;?dr)"
)
_FORMAT = patterns.compile(
    rf"""[,(]?\s*\b(?:(?:in|as|into|to|within|using|with|down\ to|at)\s+(?:about|around|under
      |at\s+most|no\s+more\s+than|not\s+more\s+than|less\s+than|fewer\s+than|
      up\s+to|max(?:imum)?|roughly|approximately|exactly|just|only
        |max\.?)?\s*{_NUMBER}?[\s-]*(?:\w+(?:-\w+)?[\s-]+){{0,2}}?{_UNIT}\b(?:\s+(?:each|or\s+less
        |max(?:imum)?|at\s+most|form(?:at)?))?
    | (?:under|max\.?|maximum|about|no\s+more\s+than|at\s+most|not\s+longer\s+than)\s+{_NUMBER}\s+{_UNIT}
    | in\s+(?:plain|simple|easy|short|brief|full|detail|depth|general|prose|english|german|french
      |spanish|hebrew|italian|layman\S*|everyday|non-technical|my\s+own|your\s+own|less|bullet|broad
      |a\s+nutshell)\b(?:\s+(?:english|terms?|words?|language|form|strokes|prose))*
    | (?:for|to)\s+(?:me|us|my|our|the\s+(?:board|team|management|boss|ceo|cfo|client|customer
      |public|executives?|non-\w+|meeting|newcomers?)|a\s+(?:new|busy|non-\w+|lay\w*|beginner|manager
      |child|newcomer|client|customer|five|\d+|general)|
       an?\s+(?:executive|audience|intern|outsider)|someone|somebody|executives?|newcomers?
         |new\s+\w+|beginners?|management|non-\w+|people\s+who|laypeople)\b[^,.]*
    | please | pls | quickly | briefly | shortly | concisely | thx | ty | thanks? | thank\s+you | for\s+me
      | if\s+(?:you\s+can|possible) | before\s+(?:my|the|our)\s+\w+ | asap | now | today
      | so\s+(?:that\s+)?(?:i|we)\b.* | because\b.* | without\b.*
    | (?:that|which)\s+i\s+(?:just\s+)?(?:uploaded|attached|sent|shared|added|pasted)\w* )\b[,)]?""",
    patterns.IGNORECASE | patterns.VERBOSE,
)
_ON = (
    r"(?:about|on|regarding|concerning|with\s(?:regards?|respect)\sto|when\sit\scomes\sto"
    r"|in\sterms\sof|as\sregards|in\srelation\sto|re:|"
    r"relating\sto|related\sto|around|covering|for)"
)
_ON_STRICT = _ON.replace("|for)", ")")
_FOCUS = patterns.compile(
    r"\b(?:focus(?:s?ing|s?ed)?|emphasi[sz]ing|especially|particularly|in particular|with (?:a "
    r"|an )?(?:focus|emphasis|eye))\b",
    patterns.IGNORECASE,
)
_DIFFERENCES = patterns.compile(
    r"\b(?:differences?|similarities|how .{1,120}? (?:differ|compare)|what (?:has )?(?:changed"
    r"|differs)|changes (?:between|from)|comparison)\b",
    patterns.IGNORECASE,
)
_PRONOUN = patterns.compile(
    rf"{PRONOUN}(?=\s*(?:$|[.,;:?!)({NAMED[1:-1]}]|\b(?:for|in|as|and|with|into|to|please|from"
    rf"|before|so|i|we|that|which|here|at|about|on|regarding)\b))",
    patterns.IGNORECASE,
)
_NAME = patterns.compile(
    rf"(?:{LEADING}|content of |what(?:'s|’s| is) in )*{NAMED}(?:\s*(?:,|and|&|or|plus|as well as"
    rf"|\+)\s*(?:{LEADING})*(?:{NAMED}|{NOUN}\b))*(?:\s+{NOUN}\b)?",
    patterns.IGNORECASE,
)
_PHRASE = patterns.compile(
    rf"(?P<det>{LEADING}*)(?P<mod>(?:(?!(?:in|of|from|about|on|for|with|that|which|regarding|and"
    rf"|to|as|by|under|within|at|into|how|what|why|when)\b)[\w&’'.()/-]+\s+){{0,6}}?)"
    rf"(?P<noun>(?P<plain>{PLAIN})|{LOOSE})\b(?=\s*(?:$|[.,;:?!)(]|{NAMED}|\b(?:in|of|from|about"
    rf"|on|for|with|that|which|regarding|concerning|and|or|to|as|by|i|we|you|before|dated|called"
    rf"|titled|named|version|v?\d|attached|below|above|please|covering|relating|related"
    rf"|between)\b))",
    patterns.IGNORECASE,
)
_ASPECT = patterns.compile(
    r"(?:the |its |their |all (?:the )?|some |any |me |your |\d+ |three |five |ten |top "
    r"|a few )*(?:(?:key|main|most important|major|central|core|principal|primary|top|essential"
    r"|important|critical|relevant|overall|general|basic|executive|big|\d+|three|five|ten|short"
    r"|whole) )*"
    r"(?:points?|take-?aways?|findings?|arguments?|messages?|ideas?|conclusions?|contents?"
    r"|highlights?|essentials?|themes?|topics?|gist|results?|details?|facts|"
    r"essence|insights?|learnings?|things|stuff|bits|parts|sections|chapters|provisions|changes"
    r"|picture|substance|core|lessons|recommendations|information|info|outline|summary|overview"
    r"|text|body|introduction|abstract)\b"
    r"(?: (?:and|&|/) (?:\w+ )?(?:points?|take-?aways?|findings?|conclusions?|highlights?"
    r"|recommendations?|results?|messages?))?",
    patterns.IGNORECASE,
)
_INSIDE = patterns.compile(
    rf"\b(?:in|of|from|within|inside|under|across|according to|out of|by)\s+(?:{LEADING}*{NAMED}"
    rf"|{PRONOUN}\b|{LEADING}+(?:[\w&’'-]+\s+){{0,4}}?{NOUN}\b)",
    patterns.IGNORECASE,
)
_SAYS = patterns.compile(
    rf"what\s+(?:all\s+)?(?:is\s+(?:in|said in)\s+)?(?P<who>.+?)(?:\s+(?:says?|said|states?"
    rf"|covers?|contains?|is about|are about|tells us|means?|requires?|has to say|prescribes?"
    rf"|deals? with|discuss(?:es)?|mentions?|describes?|recommends?|are saying"
    rf"|is saying))?(?P<rest>\s+(?:{_ON})\b.*)?$",
    patterns.IGNORECASE,
)
_QUESTION = patterns.compile(r"(?:how|why|when|where|who|whether|if|which)\b", patterns.IGNORECASE)
_SECTION = patterns.compile(
    r"(?:the |its )*(?:(?:first|second|third|last|next|opening|closing|final) )?(?:sections?"
    r"|chapters?|parts?|pages?|clauses?|appendi(?:x|ces)|annex(?:es)?|paragraphs?)\b(?: \d"
    r"| [ivxa-d]+\b| on| about|$| of| in)",
    patterns.IGNORECASE,
)
_TITLE = patterns.compile(
    r"(?:(?:[Tt]he|[Oo]ur|[Mm]y|[Tt]his)\s+)?(?=[^a-z]*[A-Z])(?:[A-Z][\w&’'./-]*|\d[\w.]*|of|and"
    r"|the|for|on|to|in|v\d+|-|–|&)(?:\s+(?:[A-Z][\w&’'./-]*|\d[\w.]*|of|and|the|for|on|to|&|-"
    r"|–))*"
)
_FILE = patterns.compile(
    r"\S+\.(?:pdf|docx?|txt|md|html?|pptx?|xlsx?|csv|rtf|odt)\b", patterns.IGNORECASE
)
_HERE = patterns.compile(
    r"(?:our|the|this) (?:conversation|chat|discussion|thread)|what (?:we|you)(?:['’]ve"
    r"| have)? (?:\w+ )?(?:discussed|said|talked|covered|told)",
    patterns.IGNORECASE,
)


def about(rest: str, known: Known = nothing) -> About:
    """What stands after the word that asks for a summary. `known` tells whether a title has all of
    these words.
    """
    rest = _stripped(rest)
    if not rest:
        return About("document", sure=True)
    if _DIFFERENCES.match(rest.removeprefix("the ").removeprefix("main ").removeprefix("key ")):
        return About("differences", sure=True)
    if _HERE.match(rest):
        return About("document")
    if found := _PRONOUN.match(rest):
        return _after(rest[found.end() :], About("document", sure=True))
    if found := _NAME.match(rest) or _FILE.match(rest):
        return _after(rest[found.end() :], About("document", sure=True))
    return _worded(rest, known)


def _stripped(rest: str) -> str:
    """Without what says how long, for whom or in which language."""
    rest = patterns.sub(
        r"^[\s,:–—-]*(?:(?:up|of|for me|for us|me|us|please|briefly|quickly)\b[\s,:]*)*",
        "",
        rest,
        flags=patterns.IGNORECASE,
    )
    rest = patterns.sub(r"\s+up\s*[.!?]*$", "", rest)
    rest = patterns.sub(r"^[\s,]*(?:no|not|without)\b[^:.]*:?", "", rest, flags=patterns.IGNORECASE)
    rest = patterns.sub(
        r"^(?:the\s+|all\s+)?\d+\s+pages?\s+of\s+", "", rest, flags=patterns.IGNORECASE
    )
    return _FORMAT.sub(" ", rest).strip(" ,.;:!?\n")


def _worded(rest: str, known: Known) -> About:
    if _SECTION.match(rest):
        return About("document")
    if found := _ASPECT.match(rest):
        return _of_aspects(rest[found.end() :], known)
    if patterns.match(r"what\b", rest, patterns.IGNORECASE):
        return _of_what(rest, known)
    if _QUESTION.match(rest):
        return About("topic", sure=True)
    if found := _PHRASE.match(rest):
        return _of_phrase(found, rest[found.end() :])
    return _of_words(rest, known)


def _of_aspects(after: str, known: Known) -> About:
    """Of "the main points": of a document, or about something."""
    if not (after := after.strip(" ,")):
        return About("document", sure=True)
    if found := patterns.match(
        r"(?:of|from|in|made in|within|presented in)\s+", after, patterns.IGNORECASE
    ):
        return about(after[found.end() :], known)
    if patterns.match(rf"{_ON_STRICT}\b", after, patterns.IGNORECASE):
        return About("topic", sure=True)
    return About("unclear")


def _of_what(rest: str, known: Known) -> About:
    found = _SAYS.match(rest)
    if not found or found["rest"]:
        return About("topic", sure=True)
    who = about(found["who"], known)
    return who if who.kind == "document" else About("topic")


def _of_phrase(found: patterns.Match, after: str) -> About:
    """A phrase that ends in a noun for documents: "our travel policy", "the report on churn"."""
    if patterns.match(
        r"\s*(?:(?:about|on|for|regarding|concerning)\b.*)?\b(?:in|from|within|of|under)\b",
        after,
        patterns.IGNORECASE,
    ) and _INSIDE.search(after):
        return About("topic", sure=True)
    sure = bool(found["plain"]) or bool(
        patterns.match(r"(?:this|that|these|those|our|my)\b", found["det"], patterns.IGNORECASE)
    )
    if patterns.match(
        r"(?:rules|instructions|laws|regulations|procedures)$", found["noun"], patterns.IGNORECASE
    ) and (patterns.match(rf"\s*{_ON}\s+\S", after, patterns.IGNORECASE)):
        return About("topic", sure=True)
    if found["plain"] and not found["det"] and not found["mod"] and not after.strip():
        return About("document", sure=True)
    if patterns.match(rf"\s*{_ON}\s+\S", after, patterns.IGNORECASE) and not patterns.match(
        r"(?:this|that|these|those)\b", found["det"], patterns.IGNORECASE
    ):
        return About("document")  # "on churn" may name the report as well as a topic in it
    return _after(after, About("document", sure=sure))


def _of_words(rest: str, known: Known) -> About:
    """No noun for documents: a title in capitals, words of a title that there is, or a topic."""
    if _INSIDE.search(rest) or patterns.search(
        r"\b(?:in|of|from|per|under|according to)\s+[A-Z]\w+", rest
    ):
        return About("topic", sure=True)
    if patterns.match(r"(?:both|the (?:two|three|four))\s", rest, patterns.IGNORECASE):
        return About("document")
    head = patterns.split(rf"\s+{_ON_STRICT}\b", rest, maxsplit=1, flags=patterns.IGNORECASE)
    words = [one for one in patterns.findall(r"\w{2,}", head[0].lower()) if one not in _SMALL]
    if words and known(words):
        return About("topic", sure=True) if len(head) > 1 else About("document")
    title = _TITLE.match(rest)
    if title and not (after := rest[title.end() :].strip()):
        return About("document")
    if title and patterns.match(rf"{_ON_STRICT}\b|['’]s\b", after, patterns.IGNORECASE):
        return About("topic", sure=True)
    return About("topic")


def _after(rest: str, found: About) -> About:
    """What the words after the document make of it."""
    if _FOCUS.search(rest):
        return About("unclear")
    if patterns.match(rf"\s*,?\s*{_ON_STRICT}\s+(?!page|this page)\S", rest, patterns.IGNORECASE):
        return About("topic", sure=True)
    if patterns.match(r"\s*(?:['’]s?|’s)\s+\w", rest):
        inner = _ASPECT.match(rest.lstrip(" '’s"))
        return (
            found
            if inner and not rest.lstrip(" '’s")[inner.end() :].strip()
            else About("topic", sure=True)
        )
    if rest.strip() and patterns.search(
        rf"\bwhat\b.*\b(?:says?|said)\b.*\b{_ON_STRICT}\b", rest, patterns.IGNORECASE
    ):
        return About("topic", sure=True)
    if patterns.match(r"\s+[a-z]{3,}", rest) and not patterns.match(
        r"\s+(?:and|or|with|that|which|from|by|so|to|as|into|please|at|below|attached|above|dated"
        r"|again|together|both|for|in|of|but|like|using|before|here|first|properly|instead"
        r"|thoroughly|fully|completely|shortly)\b",
        rest,
    ):
        return About("unclear")
    return found


def of_topic(rest: str) -> bool:
    """Whether it plainly asks about a topic, so that a summary of the whole would miss it."""
    found = about(rest)
    return found.kind == "topic" and found.sure
