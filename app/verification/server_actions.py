"""Resolves actions that the server performs itself: search, read, check, finish."""

from itertools import takewhile

from app.domain.action import LOOKUPS, Action, action
from app.domain.page import MASK, Observation
from app.domain.plan import Decision, Proposal
from app.domain.reasoner import Background
from app.page import DENIALS, ENTRIES, is_message, message_kind
from app.text import patterns
from app.text.lexicon import words
from app.text.vocabulary import vocabulary

_QUOTED = patterns.compile(r"\"([^\"]+)\"|(?<!\w)'([^']+)'(?!\w)|“([^”]+)”|«([^»]+)»")
_NEGATIONS = DENIALS | {"nothing", "doesn", "don", "false", "nein", "non"}
# Words of absence: finding the claim's words does not confirm these.
_ABSENCE = _NEGATIONS | vocabulary("claims.gone")
# Words of a claim about where or how it shows, not what.
_FRAME = vocabulary("claims.frame")
_CONTROLS = frozenset({"btn", "link", "menu", "tab", "opt"})  # these are possibilities, not facts


def claim_holds(what: str, page: Observation) -> bool | None:
    """Whether the page shows the claim; None if words cannot decide.

    True: a line has the claim's quoted texts or all its meaningful words; a field's name has some
    of them and its value the others; or the claim is success and the page reports one. False: the
    page shows an error and nothing of the claim. Claims of absence, and anything beside an error,
    stay undecided.
    """
    claim_words = words(what)
    if not claim_words or _ABSENCE & set(claim_words.split()):
        return None
    is_shown = _is_stated(what, claim_words, page) or _is_text_shown(claim_words, page)
    if any(message_kind(text) == "error" for text in _messages(page)):
        return None if is_shown else False
    return True if is_shown else None


def affirms_claim(answer: str) -> bool:
    answer_words = words(answer)
    return bool(answer_words) and not _NEGATIONS & set(answer_words.split())


def _is_stated(what: str, claim_words: str, page: Observation) -> bool:
    lines = _lines(page)
    quoted_texts = [words(next(filter(None, match.groups()))) for match in _QUOTED.finditer(what)]
    if quoted_texts:
        return all(any(f" {name} " in line for line in lines) for name in quoted_texts)
    content_words = [word for word in claim_words.split() if word not in _FRAME]
    reports_success = any(message_kind(text) == "success" for text in _messages(page))
    if not content_words:
        return reports_success
    return any(all(f" {word} " in line for word in content_words) for line in lines)


def _lines(page: Observation) -> list[str]:
    """Return the page's text, one item per line and padded with blanks, without typed values."""
    texts = [page.title, *page.summary.splitlines(), *page.successes]
    for node in page.tree:
        if node.role not in _CONTROLS | ENTRIES:
            texts.append(f"{node.name} {node.value or ''}")
    return [f" {words(text)} " for text in texts if text]


def _is_text_shown(claim_words: str, page: Observation) -> bool:
    """Whether a field's name has words of the claim and its value all other meaningful ones."""
    content_words = set(claim_words.split()) - _FRAME
    for node in page.tree:
        name_words, value_words = (
            set(words(node.name).split()),
            set(words(node.value or "").split()),
        )
        is_field = node.role in ENTRIES and node.value != MASK and content_words & name_words
        if is_field and content_words - name_words and content_words - name_words <= value_words:
            return True
    return False


def _messages(page: Observation) -> list[str]:
    nodes = (node.name for node in page.tree if is_message(node))
    return [*page.errors, *page.successes, *nodes]


SERVED = LOOKUPS | {"googleSearch", "extract", "verifySuccess", "finish", "fail"}
CLOSING = frozenset({"verifySuccess", "finish"})  # these refer to the result of earlier actions
NOTHING = Background()
WAIT_MS = 1_000  # replaces a server action if nothing else is left


def resolve_server_actions(
    refinement: Decision, page: Observation, background: Background = NOTHING
) -> Decision:
    """Turn server actions into outcomes of the decision.

    A chain is cut before the first server action. If it begins with one: `googleSearch` becomes
    `search`, `extract` and consecutive look-ups become `read`; `finish` and `fail` stay. Searches
    and readings already made are skipped, as is a `verifySuccess` that the page confirms; an
    undecided one is read once, and becomes `missing` if it does not hold. If nothing is left, the
    outcome is a short wait, or `done` for a confirmed check.
    """
    is_known = (
        _was_searched(refinement.query, background)
        if refinement.outcome == "search"
        else refinement.outcome == "read" and refinement.query in background.extracts
    )
    if is_known:
        return _resolve_empty(refinement, "")
    if refinement.outcome != "act":
        return refinement
    confirmed = ""
    proposals = refinement.proposals
    while proposals and proposals[0].action.name in SERVED:
        called = proposals[0].action
        if called.name in LOOKUPS:
            lookups = takewhile(lambda one: one.name in LOOKUPS, (one.action for one in proposals))
            return _without_actions(refinement, outcome="read", lookups=tuple(lookups))
        served = _resolve_action(called, refinement, page, background)
        if served is not None:
            return served
        confirmed = _argument(called) if called.name == "verifySuccess" else confirmed
        proposals = proposals[1:]
    if not proposals:
        return _resolve_empty(refinement, confirmed)
    return _cut_chain(refinement, proposals)


def _resolve_action(
    called: Action, refinement: Decision, page: Observation, background: Background
) -> Decision | None:
    """Resolve one server action; None if it is done and the next one follows."""
    argument = _argument(called)
    match called.name:
        case "finish" | "fail":
            reason = argument or refinement.reason or refinement.thought
            ended = {"outcome": called.name, "reason": reason, "proposals": ()}
            return refinement.model_copy(update=ended)
        case "googleSearch":
            is_known = _was_searched(argument, background)
            return (
                None if is_known else _without_actions(refinement, outcome="search", query=argument)
            )
        case "extract":
            is_known = argument in background.extracts
            return (
                None if is_known else _without_actions(refinement, outcome="read", query=argument)
            )
    is_shown, extract = claim_holds(argument, page), background.extracts.get(argument)
    if is_shown is None and extract is None:
        return _without_actions(refinement, outcome="read", query=argument)
    if is_shown or (is_shown is None and affirms_claim(extract or "")):
        return None
    why = f"The page does not show that this is so: {argument}"
    return _without_actions(
        refinement, outcome="missing", reason=f"{why} (it says: {extract})" if extract else why
    )


def _without_actions(refinement: Decision, **update: object) -> Decision:
    return refinement.model_copy(update={"proposals": (), "completes_step": False, **update})


def _was_searched(query: str, background: Background) -> bool:
    query_words = query.casefold().split()
    earlier_queries = (one for s in background.searches for one in (s.need, s.query))
    return any(query_words == one.casefold().split() for one in earlier_queries)


def _resolve_empty(refinement: Decision, confirmed: str) -> Decision:
    if confirmed:
        reason = f"The page shows it: {confirmed}"
        return refinement.model_copy(update={"outcome": "done", "reason": reason, "proposals": ()})
    waiting = Proposal(action=action("wait", WAIT_MS), description="Wait a moment")
    return _without_actions(refinement, outcome="act", proposals=(waiting,), query="")


def _cut_chain(refinement: Decision, proposals: tuple[Proposal, ...]) -> Decision:
    at = next((i for i, p in enumerate(proposals) if p.action.name in SERVED), len(proposals))
    if at == len(refinement.proposals):
        return refinement
    closes = at == len(proposals) or proposals[at].action.name in CLOSING
    update = {"proposals": proposals[:at], "completes_step": refinement.completes_step and closes}
    return refinement.model_copy(update=update)


def _argument(called: Action) -> str:
    return str(next(iter(called.args.values()), "")).strip()
