"""When the tree is not enough, and what the page is to be seen in instead.

Only a model can make use of markup or a picture, so rules never ask for one. The client is asked
at most once a step; whoever follows a refinement sees to that.
"""

from app.domain.page import Node, Observation, PageMode
from app.domain.plan import DomMode, Refinement
from app.engines.reasoner import Situation
from app.text import patterns

CHAIN: tuple[DomMode, ...] = ("semantic", "skeleton", "hybrid", "full")  # DESIGN, "Full DOM"
FEW = 2  # controls; a page that shows a person more than these is hardly without any
MUCH_TEXT = 200  # characters; a page with as many has content
LARGE = 0.2  # of the window: a canvas or an image that the page is about
UNSURE = 0.85  # as for the critic: a choice below it is doubtful
_STUCK = frozenset({"missing", "ambiguous", "fail"})

# The words of seeds/interact_flow.md, "Mode Selection", and what else names what is only seen.
_VISUAL = patterns.compile(
    r"\b(icons?|images?|pictures?|photos?|logos?|looks? like|shaped?|top|bottom|left|right|corner|"
    r"next to|above|below|beneath|beside|middle of|colou?r(?:ed)?|red|green|blue|yellow|orange|"
    r"purple|pink|brown|gr[ea]y|black|white|chart|graph|map|canvas|drawing|drawn|diagram)\b",
    patterns.IGNORECASE,
)
_QUOTED = patterns.compile(r"\"[^\"]*\"|'[^']*'|“[^”]*”|\u2018[^\u2019]*\u2019")


def mode_for(situation: Situation, refinement: Refinement) -> DomMode | None:
    """What the page must be seen in before the step can be refined; None where that helps nothing.

    What a model asks for is given, or what follows it in the chain when the page is shown so
    already. One that is stuck, or unsure of what is to be seen, gets what the page calls for.
    """
    if refinement.maker != "model":
        return None
    page = situation.page
    if refinement.outcome == "look":
        wanted = refinement.mode or CHAIN[0]
        return wanted if wanted != page.mode else _after(page.mode)
    stuck = refinement.outcome in _STUCK
    doubtful = refinement.outcome == "act" and refinement.confidence < UNSURE
    if (stuck or doubtful) and page.mode != "hybrid" and is_visual(_asked(situation), page):
        return "hybrid"
    return _for_bare(page) if stuck else None


def sighted(refinement: Refinement, situation: Situation, *, looked: bool) -> Refinement:
    """The refinement, or the look that it needs first; `looked`: this step had its look already."""
    mode = None if looked else mode_for(situation, refinement)
    if mode is None:
        return refinement
    return refinement.model_copy(
        update={"outcome": "look", "mode": mode, "proposals": (), "completes_step": False}
    )


def is_visual(text: str, page: Observation) -> bool:
    """Whether it speaks of what is seen and not read: of icons, places, colours.

    Quoted values do not count, nor words that a control of the page is named by ("Upload image").
    """
    words = {word.casefold() for word in _VISUAL.findall(_QUOTED.sub(" ", text))}
    if not words:
        return False
    names = " ".join(node.name for node in page.tree).casefold()
    return any(not patterns.search(rf"\b{patterns.escape(word)}\b", names) for word in words)


def is_bare(page: Observation) -> bool:
    """Whether the tree holds next to no control though the page has content."""
    controls = sum(node.role not in ("txt", "img") and not node.occluded for node in page.tree)
    has_content = len(page.summary) >= MUCH_TEXT or any(_large(n, page) for n in page.tree)
    return controls <= FEW and has_content


def _for_bare(page: Observation) -> DomMode | None:
    if not is_bare(page):
        return None
    if page.mode == "semantic_v3" and any(_large(node, page) for node in page.tree):
        return "hybrid"  # what is drawn is in no markup
    return _after(page.mode)


def _after(mode: PageMode) -> DomMode | None:
    """What comes next in the chain; the tree alone is before its first."""
    at = CHAIN.index(mode) + 1 if mode != "semantic_v3" else 0
    return CHAIN[at] if at < len(CHAIN) else None


def _large(node: Node, page: Observation) -> bool:
    if node.role != "img" or node.box is None or page.viewport is None:
        return False
    window = page.viewport[0] * page.viewport[1]
    return node.box[2] * node.box[3] >= LARGE * window > 0


def _asked(situation: Situation) -> str:
    """What is to be done now: the step, and the goal too where it is the only one."""
    step = situation.plan.step
    if step is None:
        return situation.goal
    alone = len(situation.plan.steps) == 1
    return f"{step.description} {situation.goal}" if alone else step.description
