"""Verbs that are harmless or not by what they are done to."""

from typing import Literal, NamedTuple

from app.engines.risk.tagging import Reading, Tag

Manner = Literal["deed", "dismisses", "declines", "affirms", "changes", "looks", "none"]
VERBS = ("plain", "plain_english")
_PARTS = frozenset({"fillers", "now"})


class Said(NamedTuple):
    """What a name says: its manner and, for a deed, which of `effects.DEEDS`. `sure`: it can be
    understood in no other way; one that is not may be the name of a thing.
    """

    manner: Manner
    deed: str = ""
    sure: bool = False


def is_bare(clause: Reading, start: int) -> bool:
    """Whether nothing follows that says what is meant."""
    at = start
    while at < len(clause.words):
        tag = clause.at(at, *_PARTS)
        if tag is None and not clause.words[at].isdigit():
            return False
        at = tag.end if tag else at + 1
    return True


def spares(clause: Reading, start: int) -> bool:
    """Whether it is done to what is only looked at or still being written."""
    return clause.after(start, "spared") is not None


def by_thing(clause: Reading, start: int) -> Said | None:
    """A verb that is harmless or not by what it is done to: "Cancel order", "Change password"."""
    for kinds, things, deed in _BY_THING:
        verb = _governs(clause, start, kinds)
        if verb is None:
            continue
        other = next(
            (t for t in clause.each(start, *things) if t.start >= verb.end or t.end <= verb.start),
            None,
        )
        if other is None or clause.at(other.end, "tails") is not None:
            continue
        if deed == "reset" and spares(clause, verb.end):
            continue
        if other.deed in _BEGUN and clause.at(verb.start, "begins") is not None:
            return Said("changes")
        return Said("deed", other.deed or deed, sure=True)
    return None


_BEGUN = frozenset({"book", "buy"})
_BY_THING: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("shuts", ("shut",), "close"),
    ("ends", ("ended", "shut"), "stop"),
    ("rolls", ("keys",), "renew"),
    ("renews", ("access",), "renew"),
    ("alters", ("access",), "alter"),
    ("resets", ("wiped",), "reset"),
    ("brings_back", ("kept_before",), "overwrite"),
    ("moves_sums", ("sums",), "pay"),
    ("makes", ("seen_by_all",), "publish"),
    ("carries_out", ("of_deed",), ""),
    ("hands_in", ("handed_in",), "hand_in"),
    ("validates", ("handed_in",), "approve"),
)


def _governs(clause: Reading, start: int, kind: str) -> Tag | None:
    """The verb of that kind where it commands: at the beginning, or at the end as in German."""
    first = clause.at(start, kind)
    if first is not None:
        return first
    last = len(clause.words) - 1
    return clause.at(last, kind) if last > start else None


def withdraws(clause: Reading, start: int) -> Said | None:
    """Read "Cancel order"; a "Cancel" alone leaves things as they are."""
    verb = clause.at(start, "withdraws")
    longer = clause.at(start, *VERBS)
    if verb is None or (longer is not None and longer.end > verb.end):
        return None
    if is_bare(clause, verb.end) or spares(clause, verb.end):
        return Said("dismisses")
    return Said("deed", "cancel", sure=True)


def halts(clause: Reading, start: int) -> Said | None:
    """Read "Stop payment" and "End meeting for all", but not "Stop video" or "End date"."""
    verb = clause.at(start, "halts")
    if verb is None:
        verb = clause.at(len(clause.words) - 1, "halts") if start < len(clause.words) - 1 else None
        bare = verb is None
    else:
        bare = is_bare(clause, verb.end) or clause.at(verb.end, "tails") is not None
    if verb is None or bare or spares(clause, start) or clause.after(start, "played"):
        return None
    return Said("deed", "stop", sure=True)
