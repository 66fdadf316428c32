"""What the name of a control says that it does."""

from collections.abc import Callable
from functools import lru_cache

from app.engines.risk.clauses import parts_of
from app.engines.risk.governing import VERBS, Said, by_thing, halts, is_bare, withdraws
from app.engines.risk.tagging import Reading, Tag

_REMEMBERED = 8_192  # names
_LONG = 14  # words; a longer name tells of things
_FEW = 4  # words of a refusal
_FREE = 9  # words of a clause in which a verb may stand anywhere
_VERBAL = frozenset(
    {"share", "reply", "forward", "invite", "refuse", "accept", "approve", "deactivate"}
)


_NOTHING = Said("none")


@lru_cache(maxsize=_REMEMBERED)
def said(name: str) -> Said:
    """What a control of that name does, as far as the name tells."""
    clauses = parts_of(name)
    if not clauses or sum(len(clause.words) for clause in clauses) > _LONG:
        return _NOTHING
    found = [_clause(clause) for clause in clauses]
    does = [one for one, said_so in zip(clauses, found, strict=True) if said_so.sure]
    if found[0].manner == "declines" and all(one.after(0, "postpones") for one in does):
        return found[0]  # "No, delete it" is no refusal
    if found[0].manner == "affirms" and _keeps(clauses[1:]):
        return Said("declines")
    if any(clause.at(0, "tells_how") is not None for clause in clauses):
        return Said("looks")
    if found[0].manner == "looks":
        found = [one for one in found if one.sure or one.manner != "deed"]
    best = min(found, key=_rank)
    thing = best.manner == "deed" and not best.sure and best.deed in _THINGS
    named = thing and any(one.manner == "none" for one in found)
    return _NOTHING if named else best  # "Payment and delivery"


def _rank(one: Said) -> int:
    order = ("deed", "affirms", "changes", "dismisses", "declines", "looks", "none")
    return order.index(one.manner) * 3 + (not one.sure) + (one.deed in _AGREED)


def _clause(clause: Reading) -> Said:
    start = _start(clause)
    if start >= len(clause.words):
        return Said("affirms") if _affirms(clause) else _NOTHING
    verb = clause.at(start, *VERBS)
    no = clause.at(0, "declines") or clause.at(start, "declines")
    if (no is not None and (verb is None or verb.end <= no.end)) or _says_no(clause):
        return Said("declines")
    if _only_leads(clause, start):
        return Said("looks")
    for rule in _RULES:
        result = rule(clause, start)
        if result is not None:
            return result
    return _NOTHING


def _keeps(clauses: list[Reading]) -> bool:
    """Whether the clause behind a "Yes" leaves things as they are, and commands nothing."""
    return bool(clauses) and all(
        one.at(0, "keeps") is not None and one.after(0, *VERBS) is None for one in clauses
    )


def _says_no(clause: Reading) -> bool:
    """Whether it is a short "no", as "Doch nicht", "Mejor no": one with a verb may say anything."""
    last = len(clause.words) - 1
    short = last < _FEW and clause.after(0, *VERBS) is None
    return short and any(clause.at(at, "says_no") is not None for at in (0, last))


def _only_leads(clause: Reading, start: int) -> bool:
    """Whether it begins with a set phrase that goes somewhere, as "Proceed to checkout"."""
    looks = clause.at(start, "looks") or clause.at(0, "looks")
    if looks is None or looks.end - looks.start == 1:
        return False
    return all(tag.end < looks.end for tag in clause.tags[looks.start] if tag.kind in VERBS)


def _start(clause: Reading) -> int:
    """Where the command begins: past what only leads to it."""
    at = 0
    while at < len(clause.words):
        if clause.words[at].isdigit():
            at += 1
            continue
        filler = clause.at(at, "fillers")
        other = clause.at(
            at, "plain", "plain_english", "declines", "either_english", "affirms", "looks"
        )
        if filler is None or (other is not None and other.end >= filler.end):
            break
        at = filler.end
    return at if at < len(clause.words) or _affirms(clause) else 0


def _affirms(clause: Reading) -> bool:
    """Whether it agrees and says no more."""
    at, agrees = 0, False
    while at < len(clause.words):
        tag = clause.at(at, "affirms", "fillers", "now")
        if tag is None:
            return False
        agrees = agrees or clause.at(at, "affirms") is not None
        at = tag.end
    return agrees


def _plain(clause: Reading, start: int) -> Said | None:
    tag = _commands(clause, start)
    if tag is None:
        return None
    if any(not tag.start <= no.start < tag.end for no in clause.each(0, "negations")):
        return Said("declines")
    rest = clause.after(tag.end, "spared") or next(
        (t for t in clause.each(start, "spared") if t.end <= tag.start), None
    )
    if tag.deed == "discard":
        rest = clause.after(start, "sieves")
    if tag.deed in ("delete", "remove", "discard", "cancel") and rest is not None:
        return Said("looks" if clause.after(start, "sieves") else "changes")
    if tag.deed == "book" and clause.after(0, "goods"):
        return Said("changes")
    if tag.deed == "send" and clause.after(start, "codes"):
        return Said("changes")
    return Said("deed", tag.deed, sure=True)


def _commands(clause: Reading, start: int) -> Tag | None:
    """The verb that commands, if the name does not begin with another word of command."""
    first = clause.at(start, *VERBS)
    if first is not None:
        thing = clause.at(start, "things_too") is not None and first.end == start + 1
        return None if thing and clause.at(first.end, "verb_tails") is not None else first
    carried = clause.at(start, "carries_out")
    if carried is not None and clause.at(carried.end, *VERBS) is not None:
        return clause.at(carried.end, *VERBS)
    looks = clause.at(start, "looks", "changes")
    if looks is not None and not _leads(clause, start, looks):
        return None
    if len(clause.words) > _FREE:
        return None
    free = clause.after(start, "plain")
    last = clause.at(len(clause.words) - 1, "plain_english")
    return free or (last if len(clause.words) - start <= 3 and looks is None else None)


def _leads(clause: Reading, start: int, looks: Tag) -> bool:
    """Whether an adjective stands before a thing and a verb: "Neue Nachricht senden"."""
    last = clause.at(len(clause.words) - 1, "plain")
    return (
        clause.at(start, "adjectives") is not None and last is not None and last.start >= looks.end
    )


def _either(clause: Reading, start: int) -> Said | None:
    tag = clause.at(start, "either_english")
    if tag is not None:
        return _thing_or_deed(clause, tag)
    tag = clause.at(start, "either")
    last = clause.at(len(clause.words) - 1, "either")
    if tag is None and last is not None and last.deed in _VERBAL and not clause.at(start, "looks"):
        tag = last
    if tag is None:
        return None
    changed = clause.at(start, "changes")
    if changed is not None and changed.end > tag.end:
        return Said("changes")
    if (
        tag.deed == "deactivate"
        and not is_bare(clause, tag.end)
        and clause.after(0, "people") is None
    ):
        return Said("changes")
    alone = is_bare(clause, tag.end) and tag.start == start
    if alone or tag.deed in _VERBAL or _is_construct(clause, tag):
        return None if _affirms(clause) and tag.deed in _AGREED else Said("deed", tag.deed)
    return None


_THINGS = frozenset({"pay", "buy", "order", "book", "transfer"})
_AGREED = frozenset({"accept", "approve"})


def _is_construct(clause: Reading, tag: Tag) -> bool:
    """Whether a Hebrew deed has behind it what it is done to, and not another thing beside it."""
    if clause.at(tag.start, "constructs") is None or tag.end >= len(clause.words):
        return False
    return not clause.words[tag.end].startswith("\N{HEBREW LETTER VAV}")


def _thing_or_deed(clause: Reading, tag: Tag) -> Said | None:
    """English: "Order now", but "Order history", "Order 1042" and "Order by"."""
    if clause.at(tag.end, "tails") is not None and tag.deed not in ("refuse", "accept"):
        return Said("looks") if tag.deed != "delete" else Said("deed", "delete")
    if tag.deed == "sign" and clause.words[tag.end : tag.end + 1] in (("in",), ("up",), ("on",)):
        return None
    numbered = tag.end == len(clause.words) - 1 and clause.words[tag.end][0].isdigit()
    if numbered:
        return Said("looks")
    if tag.deed == "delete" and not is_bare(clause, tag.end):
        return None
    if (
        tag.deed == "deactivate"
        and not is_bare(clause, tag.end)
        and clause.after(0, "people") is None
    ):
        return Said("changes")
    return Said("deed", tag.deed)


def _agrees(clause: Reading, start: int) -> Said | None:
    carried = clause.at(start, "carries_out")
    shut = clause.at(start, "shuts")
    alone = carried is not None and shut is None and is_bare(clause, carried.end)
    return Said("affirms") if alone or _affirms(clause) else None


def _leaves_group(clause: Reading, start: int) -> Said | None:
    """Read "Leave team": what one was let into and may not come back to."""
    left = clause.at(start, "leaves_group") and clause.after(start, "groups")
    return Said("deed", "leave_group", sure=True) if left else None


def _looks(clause: Reading, start: int) -> Said | None:
    places = (start, 0, len(clause.words) - 1)
    return Said("looks") if any(clause.at(at, "looks") for at in places) else None


def _changes(clause: Reading, start: int) -> Said | None:
    if clause.after(start, "drafts") or (
        clause.at(start, "resets") and clause.after(start, "sieves")
    ):
        return Said("looks")
    last = clause.at(len(clause.words) - 1, "changes")
    return Said("changes") if clause.at(start, "changes") or last else None


_RULES: tuple[Callable[[Reading, int], Said | None], ...] = (
    by_thing, withdraws, halts, _plain, _leaves_group, _either, _agrees, _looks, _changes,
)  # fmt: skip
