"""What else is said, on a page or by the person, of the kind that a value is of."""

from app.engines.provenance.page_texts import page_texts
from app.engines.provenance.tokens import Scan, Token, normal, scan
from app.engines.provenance.vocabulary import COMMON
from app.engines.reasoner import Situation
from app.engines.risk.lexicon import words
from app.text import patterns

_CHANCE = 2  # digits of a number that is on any page by chance
_SAME_LENGTH = 3  # digits by which two numbers of one kind may differ
_IN_GROUPS = patterns.compile(
    r"\b[A-Za-z]{2}\d{2}(?: [A-Za-z0-9]{4}){2,7}(?: [A-Za-z0-9]{1,3})?\b"
)  # ISO 13616

_ACCOUNT = patterns.compile(r"\b[A-Za-z]{2}\d{2}[A-Za-z0-9]{11,30}\b")  # the same, in one word


def rivals(value: str, situation: Situation) -> bool:
    """Whether the page says something else of the same kind about the record that the person named.

    Two phone numbers beside "Ann Miller": which one is hers is for a person to say, since a page lets
    others write on it too. Words alone have no kind, and are not compared.
    """
    account = _joined(value).strip()
    if _ACCOUNT.fullmatch(account):
        texts = map(_joined, _of_record(situation, _names(situation.told)))
        accounts = {one.casefold() for text in texts for one in _ACCOUNT.findall(text)}
        return bool(accounts - {account.casefold()})
    own = scan(normal(value))
    kinds = {token.kind for token in own.tokens}
    if not kinds or kinds == {"word"}:
        return False
    said = _names(situation.told)
    keys = {key for token in own.tokens for key in token.keys}
    others: set[str] = set()
    for text in _of_record(situation, said):
        read = scan(text)
        for token in read.tokens:
            if token.kind in kinds and token.kind != "word" and not token.keys & keys:
                shown = read.text[token.start : token.end]
                if _alike(shown, value):
                    others.add(shown)
    return bool(others)


def said_otherwise(value: str, situation: Situation) -> bool:
    """Whether the person said another value of that kind: an IBAN of theirs is not to be another."""
    kinds = _kinds(scan(normal(_joined(value))))
    told = scan(_joined(situation.told))
    return bool(kinds & _kinds(told)) and kinds != {"word"}


def _joined(text: str) -> str:
    """With account numbers that are printed in groups written as one word, as others write them."""
    return _IN_GROUPS.sub(lambda found: found[0].replace(" ", ""), text)


def offers_another(name: str, situation: Situation) -> bool:
    """Whether a control is called by a number or an address other than the person's of that kind."""
    own, told = scan(normal(name)), scan(situation.told)
    known = {key for token in told.tokens for key in token.keys | token.parts}
    kinds = _kinds(told) - {"word", "date", "time"}
    return any(
        token.kind in kinds and not token.keys & known and not _is_short(own, token)
        for token in own.tokens
    )


def _is_short(read: Scan, token: Token) -> bool:
    said = read.text[token.start : token.end]
    digits = sum(char.isdigit() for char in said)
    return token.kind == "number" and digits <= _CHANCE + 1


def _kinds(read: Scan) -> set[str]:
    """The kinds of facts in a text: a word with several digits in it is a code."""
    found = set()
    for token in read.tokens:
        said = read.text[token.start : token.end]
        digits = sum(char.isdigit() for char in said)
        if token.kind != "word":
            found.add(token.kind)
        elif digits > _CHANCE:
            found.add("code")
    return found


def _of_record(situation: Situation, said: frozenset[str]) -> list[str]:
    """What the page says of the record, a text each: its controls, their places, and its messages."""
    page = situation.page
    texts = [one.text for one in page_texts(page.tree)]
    texts += [*page.successes, *page.errors, page.title]
    texts += [dialog.message for dialog in page.dialogs]
    shared = [(len(said & _names(text)), text) for text in texts]
    best = max((count for count, _ in shared), default=0)
    return [text for count, text in shared if count == best and count]


def _names(text: str) -> frozenset[str]:
    return frozenset(word for word in words(text).split() if word.isalpha() and word not in COMMON)


def _alike(one: str, other: str) -> bool:
    """Whether both have about as many digits, or are no numbers."""
    counts = [sum(char.isdigit() for char in text) for text in (one, other)]
    return abs(counts[0] - counts[1]) <= _SAME_LENGTH
