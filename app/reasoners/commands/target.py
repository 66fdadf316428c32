"""Parses words that name a thing on a page."""

from collections.abc import Sequence
from dataclasses import dataclass

from lark import Token

from app.domain.directive import Target
from app.reasoners.commands.grammar import first_verbs, phrases, roles, word_tables
from app.text import patterns

_NUMBERED = patterns.compile(r"(\d+)(?:st|nd|rd|th)", patterns.IGNORECASE)


class NotRead(Exception):
    """The sentence is not a complete command; `start` and `end` bound the unread words."""

    def __init__(self, start: int, end: int) -> None:
        super().__init__(start, end)
        self.start = start
        self.end = end


def unread_words(tokens: Sequence[Token]) -> NotRead:
    return NotRead(_start(tokens[0]), _end(tokens[-1]))


def _start(token: Token) -> int:
    return token.start_pos or 0


def _end(token: Token) -> int:
    return token.end_pos or 0


@dataclass(frozen=True)
class Words:
    """Consecutive words. `text` is what was written; a single quoted span without its quotes."""

    tokens: tuple[Token, ...]
    source: str

    @property
    def text(self) -> str:
        if self.quoted:
            return self.tokens[0][1:-1]
        return self.source[_start(self.tokens[0]) : _end(self.tokens[-1])] if self.tokens else ""

    @property
    def quoted(self) -> bool:
        """Whether it is one quoted span, to be taken literally."""
        return len(self.tokens) == 1 and is_quoted_token(self.tokens[0])

    @property
    def lowered(self) -> list[str]:
        """Return the words in lower case with straight apostrophes; "" for a quoted span."""
        return ["" if is_quoted_token(t) else t.lower().replace("’", "'") for t in self.tokens]  # noqa: RUF001

    def __getitem__(self, part: slice) -> "Words":
        return Words(self.tokens[part], self.source)

    def __len__(self) -> int:
        return len(self.tokens)

    def without_article(self) -> "Words":
        begin = 0
        while begin < len(self) - 1 and self.lowered[begin] in phrases("articles"):
            begin += 1
        return self[begin:]

    def as_name(self) -> "Words":
        """Return the words as a name. Raises `NotRead` if they are more than a name."""
        for at, word in enumerate(self.lowered[:-1]):
            if at and _begins_clause(word, self.tokens[at + 1]):
                raise unread_words(self.tokens[at:])
        return self.as_text()

    def as_value(self) -> "Words":
        """Return the words as a value. Raises `NotRead` if they may describe one: "twice the price"."""
        rest = self.as_text().without_article()
        for at, token in enumerate(rest.tokens):
            is_owned = token.islower() and token.replace("’", "'").endswith("'s")  # noqa: RUF001
            if token in phrases("articles") or is_owned:
                raise unread_words(rest.tokens[at:])
        return self

    def as_text(self) -> "Words":
        """Return the words as any text. Raises `NotRead` for conditions and words that refer to others."""
        for at, word in enumerate(self.lowered):
            if word in phrases("open"):
                raise unread_words(self.tokens[at:])
        if not self.quoted and any(is_quoted_token(token) for token in self.tokens):
            raise unread_words(self.tokens)
        return self


def _begins_clause(word: str, after: Token) -> bool:
    """Whether a word inside a name begins something else: "Edit in Jas's row", "Ctrl+S to save"."""
    following = after.lower()
    if word in {"in", "on", "at"}:
        return following not in phrases("prepositions")
    if word in {"for", "of", "from"} and following in phrases("articles"):
        return True
    if word == "to":
        return following in first_verbs()
    return word in {"for", "from"} and _begins_name(after)


def is_quoted_token(token: Token) -> bool:
    return token.type == "QUOTED"


def read_target(named: Words) -> Target:
    """Read the thing, or all of a kind. Raises `NotRead` for words that name neither."""
    if named.quoted:
        return Target(phrase=named.text, quoted=True)
    rest, every = _split_all(named)
    if every and not rest:
        return Target(all=True)
    if not every and (found := split_owner(named)) is not None:
        return read_target(found[1]).model_copy(update={"within": found[0]})
    is_definite = every or named.lowered[0] in phrases("articles")
    rest = rest.without_article()
    if is_definite and len(rest) > 1 and rest.lowered[-1] in phrases("pointing"):
        rest = rest[:-1]
    _refuse_number(rest)
    is_name = not is_definite and rest.tokens[0][:1].isupper()
    rest, ordinal = (rest, None) if is_name and len(rest) > 1 else _split_ordinal(rest)
    if ordinal is not None and rest:
        _refuse_number(rest)
    if every and (ordinal is not None or rest.lowered[:1] == ["other"]):
        raise unread_words(named.tokens)
    rest, role = _split_kind(rest, is_definite)
    ordinal = ordinal or _number_of(rest)
    rest = rest.without_article()
    if rest and rest.tokens[-1] in phrases("articles"):
        raise unread_words(named.tokens)
    rest.as_name()
    phrase = rest.text
    if not phrase and role is None and ordinal is None and not every:
        raise unread_words(named.tokens)
    return Target(phrase=phrase, quoted=rest.quoted, role=role, ordinal=ordinal, all=every)


def _split_all(named: Words) -> tuple[Words, bool]:
    low = named.lowered
    if len(low) == 1:
        return (named[1:], True) if low[0] in phrases("everything") else (named, False)
    if low[0] in phrases("all"):
        return named[2 if low[1] == "of" and len(low) > 2 else 1 :], True
    return named, False


def split_owner(named: Words) -> tuple[str, Words] | None:
    """Split owner and owned in "Jas Patel's phone"."""
    for at, word in enumerate(named.lowered[:-1]):
        is_name = all(one[:1].isupper() for one in named.tokens[: at + 1])
        if is_name and word.endswith("'s") and word not in phrases("contractions"):
            return named[: at + 1].text[:-2], named[at + 1 :]
    return None


def _refuse_number(rest: Words) -> None:
    """Reject a number of things ("two boxes"), which names none of them."""
    is_number = rest.lowered[0] in word_tables()["numbers"] or rest.lowered[0].isdigit()
    if len(rest) > 1 and is_number and not is_quoted_token(rest.tokens[1]):
        raise unread_words(rest.tokens)


def _split_ordinal(rest: Words) -> tuple[Words, int | None]:
    low = rest.lowered
    if low[:3] == ["second", "to", "last"]:
        return rest[3:], -2
    found = _NUMBERED.fullmatch(low[0])
    ordinal = int(found.group(1)) if found else word_tables()["ordinals"].get(low[0])
    if ordinal is None:
        return rest, None
    return rest[2 if low[1:2] == ["one"] else 1 :], ordinal


def _number_of(rest: Words) -> int | None:
    """Return the number in "page 3" or "tab #2", which may also be a label."""
    low = rest.lowered
    is_kind = len(rest) == 2 and (low[0] in roles() or low[0] in word_tables()["places"]["nouns"])
    number = low[1].removeprefix("#") if is_kind else ""
    return int(number) if number.isdecimal() else None


def _split_kind(rest: Words, is_definite: bool) -> tuple[Words, str | None]:
    """Split off the noun for a kind of control or place, and return its role.

    The noun before a name is dropped only if the name is quoted or has an article: "the button
    Save".
    """
    low, places = rest.lowered, word_tables()["places"]
    for length in (3, 2, 1):
        noun = " ".join(low[-length:])
        if len(rest) >= length and noun in roles():
            return rest[:-length], roles()[noun]
        if len(rest) > length and noun in places["nouns"]:
            return rest if low[0] in places["turned"] else rest[:-length], None
    for length in (3, 2, 1):
        noun = " ".join(low[:length])
        if len(rest) <= length or not (noun in roles() or noun in places["nouns"]):
            continue
        if low[length].removeprefix("#").isdecimal() and len(rest) == length + 1:
            return rest, roles().get(noun)
        if is_quoted_token(rest.tokens[length]) or (is_definite and noun in roles()):
            if low[length] in phrases("prepositions"):
                raise unread_words(rest.tokens[length:])
            return rest[length:], roles().get(noun)
    return rest, None


def read_record(named: Words) -> Target:
    """Read a record by kind (lower case) and name, "the patient Jas Patel", or by either."""
    rest = named.without_article()
    at = next((i for i, token in enumerate(rest.tokens) if _begins_name(token)), None)
    first, last = rest.lowered[0], rest.lowered[-1]
    is_counted = first in word_tables()["ordinals"] or bool(_NUMBERED.fullmatch(first))
    is_kind = first in roles() or last in roles() or _number_of(rest) is not None  # "page 3"
    if not at or is_counted or is_kind or first in phrases("all"):
        return read_target(named)
    name = rest[at:].as_name()
    return Target(phrase=rest[:at].as_name().text, within=name.text)


def _begins_name(token: Token) -> bool:
    return (
        is_quoted_token(token) or token[:1].isupper() or token[:1] in "#@+" or token[:1].isdigit()
    )


def begins_value(token: Token) -> bool:
    """Whether a word can only be a value: quoted, or with a digit or @."""
    return is_quoted_token(token) or "@" in token or any(char.isdigit() for char in token)


def split_pair(pair: Words) -> tuple[Words, Words]:
    """Split "date of birth 1990-01-02" into field and value. Raises `NotRead` if that is unclear."""
    tokens = pair.without_article().tokens
    rest = Words(tokens, pair.source)
    literal = next((i for i, token in enumerate(tokens) if i and begins_value(token)), None)
    capital = next((i for i, token in enumerate(tokens) if i and token[:1].isupper()), None)
    at = min((i for i in (literal, capital) if i is not None), default=None)
    if len(tokens) == 2 and (at is not None or len(tokens) == len(pair)):
        at = 1
    if at is None or is_quoted_token(tokens[0]) or begins_value(tokens[0]):
        raise unread_words(pair.tokens)
    if at == 1 and len(tokens) > 2 and tokens[0][:1].isupper() and not begins_value(tokens[1]):
        raise unread_words(pair.tokens)  # "First Name Ann": two words or three?
    name, value = rest[:at], rest[at:]
    if name.lowered[-1] in {
        "of",
        *word_tables()["joints"]["_AS"],
        *word_tables()["joints"]["_INTO"],
    }:
        raise unread_words(pair.tokens)
    return name.as_name(), value.as_value()


def read_field(name: Words) -> Target:
    """Read a field by label, "first name", or by order, "the first field"."""
    if any("=" in token for token in name.tokens):
        raise unread_words(name.tokens)
    target = read_target(name)
    if target.ordinal is None or not target.phrase:
        return target
    label = _split_kind(name.without_article(), is_definite=True)
    return Target(phrase=label[0].as_name().text, role=label[1])
