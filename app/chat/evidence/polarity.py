"""What a text denies, and which way its words that have an opposite point."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from app.chat.evidence.alike import OPPOSITE
from app.chat.evidence.wording import root, tells, word_set
from app.engines.provenance.tokens import scan

_REMEMBERED = 4_096  # texts
_REACH = 3  # words that tell something, after a "not" that is about them
_NO = word_set("""
not no never cannot cant wont dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt shouldnt
wouldnt couldnt mustnt neednt shant nor neither none nobody nothing without non
""")
_NO_IN = {
    "german": word_set("nicht kein keine keinen keiner keines keinem nie niemals ohne weder"),
    "french": word_set("ne n pas jamais sans aucun aucune"),
    "spanish": word_set("no nunca sin ningun ninguna jamas tampoco"),
    "portuguese": word_set("nao sem nunca nenhum nenhuma"),
    "italian": word_set("non mai senza nessun nessuno"),
    "dutch": word_set("niet geen nooit zonder"),
}  # fmt: skip
# "no more than" bounds a number and denies nothing; "not only" says more.
_BOUNDING = word_set("""
more less fewer later earlier longer sooner greater higher lower only just merely exceed exceeds
exceeding over above below under
""")
# What stands between a "not" and what it is about.
_THROUGH = word_set("""
=allow permit entitle entitled eligible able possible =require necessary obliged supposed expected yet
longer currently also ever
""")
_DENYING = word_set("""
forbid prohibit ban deny declin refus reject exclud exempt disallow disabl inelig fail lack avoid except
unless only impossibl invalid unabl
""") | {"=forbid", "=optional"}
_MAY = frozenset({"may", "can", "could", "might"})
_MUST = frozenset({"must", "shall"})
_NEGATING = ("un", "in", "im", "ir", "il", "non", "dis", "mis")


@dataclass(frozen=True, slots=True)
class Polarity:
    """`heads` are what is denied, by their stems; `reached` all that a denial may be about. `senses` are
    (pair of opposites, +1 or -1). `denies`: it says no in some way. `modal`: of "may", "must".
    """

    heads: frozenset[str]
    reached: frozenset[str]
    senses: frozenset[tuple[int, int]]
    denies: bool
    modal: frozenset[str]


@lru_cache(maxsize=_REMEMBERED)
def polarity(text: str, language: str = "english") -> Polarity:
    """Of one text."""
    found = scan(text)
    words = [found.word(at).replace("'", "") for at in range(len(found.tokens))]
    parted = [token.parted for token in found.tokens]
    heads: set[str] = set()
    reached: dict[int, str] = {}
    denies = False
    for at, word in enumerate(words):
        if not _is_no(word, language) or _counts_not(words, at):
            continue
        denies = True
        scope = _scope(words, parted, at, language)
        reached |= dict(scope)
        heads |= {stem for _, stem in scope[:1]}
    roots = [root(word, language) for word in words]
    if language == "english" and any(one in _DENYING for one in roots):
        denies = True
    senses = {
        (pair, -sign if _denied(words, parted, at, reached, language) else sign)
        for at, one in enumerate(roots)
        for pair, sign in _pairs().get(one, ())
    }
    modal = {"may" for word in words if word in _MAY} | {"must" for word in words if word in _MUST}
    modal |= {"must" for one in roots if one in ("=require",)}
    return Polarity(
        frozenset(heads), frozenset(reached.values()), frozenset(senses), denies, frozenset(modal)
    )


def opposed(claim: Polarity, source: Polarity, words: frozenset[str], held: frozenset[str]) -> bool:
    """Whether the source says the opposite of the claim, or does not deny what the claim denies. `words`
    and `held` are the stems of either.
    """
    for head in claim.heads:
        if head in held and head not in source.reached and not source.denies:
            return True
        if head not in held and not source.denies:
            return True
    # "Not allowed to smoke" is said by "smoking is prohibited" too.
    if not claim.denies and source.heads & words:
        return True
    # Both deny, but something else, where what the claim denies is said plainly.
    apart = not claim.reached & source.reached and bool(claim.heads & held)
    if claim.heads and source.heads and apart:
        return True
    pairs = {pair for pair, _ in claim.senses & source.senses}
    if any((pair, -sign) in source.senses for pair, sign in claim.senses if pair not in pairs):
        return True
    if "must" in claim.modal and "must" not in source.modal and "may" in source.modal:
        return True
    return prefixed(words - held, held)


def prefixed(missing: frozenset[str], held: frozenset[str]) -> bool:
    """Whether a missing word is there with what turns it round, as "paid" is in "unpaid"."""
    for word in missing:
        if len(word) < 4 or word.startswith("="):
            continue
        for prefix in _NEGATING:
            if f"{prefix}{word}" in held:
                return True
            rest = word.removeprefix(prefix)
            if rest != word and len(rest) >= 4 and rest in held:
                return True
    return False


def _is_no(word: str, language: str) -> bool:
    if language != "english" and word in _NO_IN.get(language, ()):
        return True
    return word in _NO and (language == "english" or word not in ("no", "non"))


def _counts_not(words: Sequence[str], at: int) -> bool:
    following = words[at + 1] if at + 1 < len(words) else ""
    if following == "be" and words[at] == "not":
        following = words[at + 2] if at + 2 < len(words) else ""
    if following in ("longer",) and not (at + 2 < len(words) and words[at + 2] == "than"):
        return False
    return following in _BOUNDING or (words[at] == "no" and following.isdigit())


def _scope(
    words: Sequence[str], parted: Sequence[bool], at: int, language: str
) -> list[tuple[int, str]]:
    """(place, stem) of the words that a denial at `at` may be about, the first first."""
    scope: list[tuple[int, str]] = []
    for place in range(at + 1, len(words)):
        if (
            parted[place]
            or len(scope) == _REACH
            or words[place] in ("but", "unless", "until", "if")
        ):
            break
        stem = root(words[place], language)
        if tells(words[place]) and stem not in _THROUGH and words[place] not in _THROUGH:
            scope.append((place, stem))
    return scope


def _denied(
    words: Sequence[str], parted: Sequence[bool], at: int, reached: dict[int, str], language: str
) -> bool:
    """Whether the word at `at` is what is denied, also where it only leads on ("not allowed to")."""
    for place in range(at - 1, max(-1, at - 4), -1):
        if parted[place + 1]:
            return False
        if _is_no(words[place], language):
            return True
        if tells(words[place]) and words[place] not in _THROUGH:
            break
    return at in reached and reached[at] == next(iter(reached.values()), "")


@cache
def _pairs() -> dict[str, tuple[tuple[int, int], ...]]:
    table: dict[str, list[tuple[int, int]]] = {}
    for number, line in enumerate(OPPOSITE.strip().splitlines()):
        for sign, side in zip((1, -1), line.split(" / "), strict=True):
            for word in side.split():
                table.setdefault(root(word), []).append((number, sign))
    return {word: tuple(dict.fromkeys(found)) for word, found in table.items()}
