"""Sentences that cannot be read without the one before."""

from functools import lru_cache

from app.text import patterns

KEPT = 8_192  # sentences that are remembered: a turn often reads what the last one read

# What the document says of itself may begin so: "This guide describes".
_ITSELF = (
    r"document|documentation|chapter|section|guide|guideline|manual|handbook|book|page|article"
    r"|policy|agreement|contract|report|paper"
    r"|study|tutorial|appendix|license|licence|standard|procedure|plan|project|version|release"
    r"|product|software|package|tool|module|library|company"
    r"|dokument|kapitel|abschnitt|handbuch|anleitung|leitfaden|richtlinie|vertrag|bericht"
    r"|chapitre|rapport|manuel|contrat|règlement|documento|capítulo|manual|guía|contrato|informe|política"
)
_LEANING = patterns.compile(
    rf"^[\W_]*(?:(?:this|these|that|those|such|diese[rsmn]?|ce|cet|cette|ces|est[ea]|est[ao]s"
    rf"|es[ea]s?)\b(?!\s+(?:{_ITSELF})s?\b)"
    r"|(?:it|its|he|she|his|her|they|their|them|both|neither|either|one of (?:these|them)"
    r"|the (?:latter|former|same|above|following|other|others|result|second|third)|another"
    r"|others?)\b"
    r"|(?:however|therefore|thus|hence|moreover|furthermore|nevertheless|nonetheless|instead"
    r"|otherwise|consequently|accordingly|meanwhile|likewise"
    r"|similarly|conversely|additionally|besides|still|yet|then|so|also|but|and|or|nor|too|again"
    r"|alternatively|finally|lastly|next|second(?:ly)?|third(?:ly)?"
    r"|afterwards?|later|because of (?:this|that)|for (?:this|that|example|instance)|in (?:this"
    r"|that|these|those|addition|contrast|fact|other words|particular|such|both)"
    r"|as (?:a result|such|you can see|mentioned|noted|described|before|above|shown)"
    r"|on the other hand|at (?:this|that)|by (?:this|that|doing)|after (?:this|that)|here"
    r"|there(?:fore)?|e\.g|i\.e|even so"
    r"|with (?:this|that|these)|to (?:this|that|do (?:this|that|so))|from (?:this|that|here)"
    r"|of these|if (?:so|not|this|that|it|they)|when (?:this|that|it|they)|once (?:this|that|it)"
    r"|unlike (?:this|that)|now|well|yes|no|of course|indeed|actually|remember|obviously|again)\b"
    r"|(?:jedoch|allerdings|daher|deshalb|deswegen|außerdem|ausserdem|ferner|zudem|dennoch"
    r"|trotzdem|dann|danach|aber|und|oder|auch|er|sie|es|dies|dabei|dazu|dadurch|hierbei|hierzu"
    r"|somit|folglich|zum beispiel)\b"
    r"|(?:cependant|toutefois|néanmoins|donc|ainsi|de plus|en outre|par conséquent|mais|et|ou|or"
    r"|il|elle|ils|elles|cela|ceci|celui-ci|celle-ci|par exemple|ensuite|puis)\b"
    r"|(?:sin embargo|no obstante|por (?:lo tanto|eso|ello|ejemplo|consiguiente)|además|así|pero"
    r"|y|o|también|entonces|ello|ellos|ellas|él|ella)\b"
    r"|(?:אולם|אך|אבל|לכן|בנוסף|כמו כן|לפיכך|הוא|היא|הם|הן|זה|זו|זאת|אלה|אלו|לדוגמה|עם זאת"
    r"|יתר על כן)(?!\w))",
)
_POINTS_DOWN = patterns.compile(
    r"[:\uff1a]\s*$|\b(?:as follows|the following|below|folgende[nrs]?|suivante?s?"
    r"|siguientes?)\b[^.]{0,40}[:.]?$",
)


@lru_cache(maxsize=KEPT)
def leans_back(sentence: str) -> bool:
    """Whether it goes on from the sentence before: "However", "It", "This is why"."""
    return _LEANING.match(sentence.lower()) is not None


@lru_cache(maxsize=KEPT)
def points_down(sentence: str) -> bool:
    """Whether it announces what comes after it, as a list."""
    return _POINTS_DOWN.search(sentence.lower()) is not None
