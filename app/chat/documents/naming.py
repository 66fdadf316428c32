"""Names of documents in a request: whole titles, parts of titles, and names that nobody has."""

from collections.abc import Sequence
from itertools import chain

from app.chat.documents.context import Meant
from app.chat.documents.listing import Listing
from app.chat.documents.looking import MOST_TOGETHER, among, covers, editions, look_up, narrowed
from app.chat.documents.phrases import Phrase, kinds, proper, written
from app.chat.documents.reading import Reading
from app.chat.documents.runs import asked_for, objects
from app.chat.documents.titles import Titles
from app.chat.documents.vocabulary import GENERIC, STOP, WEAK
from app.chat.documents.words import numeric
from app.domain.chat import ChatAction

TWO = frozenset({"both", "two", "beide", "beiden", "deux", "dos"})
MOST_CANDIDATES = 12  # titles one may be asked to choose from; more is no question but a list


def whole_titles(reading: Reading, listing: Listing, meant: Meant, action: ChatAction) -> None:
    """Take titles that stand in the request, the longest first at each place."""
    titles = listing.ready
    place = 0
    while place < len(reading.words):
        longest = titles.starting.get(reading.words[place].text, 0)
        for end in range(min(place + longest, len(reading.words)), place, -1):
            found = titles.verbatim(reading.texts(place, end))
            if found and reading.free(place, end) and _is_title(reading, place, end, action):
                longer, begin = _with_more(reading, titles, place, end)
                _choose(longer or found, listing, meant)
                reading.take(begin, end)
                place = end - 1
                break
        place += 1


def parts_of_titles(reading: Reading, listing: Listing, meant: Meant, action: ChatAction) -> None:
    """Take what else names a document, the plainest ways first; of those that are no more than likely only
    where nothing plainer was found.
    """
    for phrase in chain(written(reading), kinds(reading)):
        if reading.free(phrase.begin, phrase.end):
            _take(phrase, reading, listing, meant, action)
    for phrase in chain(asked_for(reading), proper(reading)):
        if reading.free(phrase.begin, phrase.end):
            _take_likely(phrase, reading, listing, meant, action)
    if action == "inquire":
        return
    for phrase in list(objects(reading)):
        if reading.free(phrase.begin, phrase.end):
            _take_object(phrase, reading, listing, meant, action)


def _with_more(reading: Reading, titles: Titles, begin: int, end: int) -> tuple[list[int], int]:
    """Titles that also have the words before: "kubernetes deployment guide" is not the "Deployment guide"
    where there is one of Kubernetes.
    """
    longer: list[int] = []
    while (
        reading.gap(begin) == "" and (before := reading.at(begin - 1)) and before not in STOP | WEAK
    ):
        found = titles.fitting(reading.texts(begin - 1, end))
        if not found:
            break
        longer, begin = found, begin - 1
    return longer, begin


def _is_title(reading: Reading, begin: int, end: int, action: ChatAction) -> bool:
    """Whether a title that stands there is meant as one: of a question one common word is not, unless it is
    written as a name is.
    """
    words = reading.texts(begin, end)
    if all(word in STOP for word in words):
        return (begin, end) in reading.quoted or (
            all(word.capital for word in reading.words[begin:end][begin == 0 :]) and end - begin > 1
        )
    if end - begin > 1 or action != "inquire" or (begin, end) in (*reading.quoted, *reading.files):
        return True
    word = reading.words[begin]
    if not word.text.isalpha() or (word.capital and (begin > 0 and word.gap != "|")):
        return True
    spoken = [*asked_for(reading), *kinds(reading)]
    return any(one.begin <= begin < one.end and one.cue and len(one.words) == 1 for one in spoken)


def _take(
    phrase: Phrase, reading: Reading, listing: Listing, meant: Meant, action: ChatAction
) -> None:
    """A phrase that says that it is a document."""
    if phrase.noun == "one":
        _take_one(phrase, reading, listing, meant)
        return
    found, fuzzy = look_up(listing.ready, phrase, reading)
    needs = action != "inquire"
    bare = not phrase.telling and not phrase.quoted
    if bare and phrase.noun in GENERIC and len(found) != 1:
        return
    fewer = narrowed(listing.ready, found, phrase)
    bare = bare and fewer == found
    short = phrase.definite and len(found) == 1 and not titles_say(listing, phrase)
    if bare and not (needs or phrase.cue or short):
        return
    found = fewer
    before = set(meant.resolved) | set(meant.candidates)
    if len(found) > 1 and action != "compare":
        found = among(listing.ready, found, _others(phrase, reading, action))
    pair = len(found) == 2 and not TWO.isdisjoint(phrase.words)
    plural = pair or (
        phrase.plural and not any(phrase.words[-1] in listing.ready.words[place] for place in found)
    )
    if len(found) == 1 or (found and plural and len(found) <= MOST_TOGETHER):
        meant.add(listing.refs(found))
    elif found and (needs or phrase.cue or phrase.definite) and _few(found, listing, bare, needs):
        _choose(found, listing, meant)
    elif found:
        return
    elif phrase.cue or needs:
        _missing(phrase, reading, listing, meant, needs)
    else:
        return
    meant.fuzzy = meant.fuzzy or (fuzzy and before != set(meant.resolved) | set(meant.candidates))
    reading.take(phrase.begin, phrase.end)


def titles_say(listing: Listing, phrase: Phrase) -> bool:
    """Whether a title has the word itself, not what it is short for: "the SLA"."""
    return bool(listing.ready.fitting([phrase.noun])) or phrase.noun in GENERIC


def _others(phrase: Phrase, reading: Reading, action: ChatAction) -> list[str]:
    """The other words of the request that are not accounted for."""
    return [
        word.text
        for at, word in enumerate(reading.words)
        if not phrase.begin <= at < phrase.end and at not in reading.taken and word.text not in STOP
    ]


def _take_one(phrase: Phrase, reading: Reading, listing: Listing, meant: Meant) -> None:
    """The one of March: of what was spoken of, or of the other editions of that."""
    telling = [one for one in phrase.words[:-1] if one not in WEAK]
    titles = listing.ready
    spoken = [*meant.resolved.values(), *listing.lately(), *listing.before()]
    places = [place for one in spoken if (place := titles.place(one.id)) is not None]
    others = editions(titles, places, alike=bool(telling))
    for pool in (list(dict.fromkeys(places)), [one for one in others if one not in places]):
        such = set(pool) & set(titles.fitting(telling)) if telling else set(others) - set(places)
        if such:
            meant.implicit = True
            meant.perhaps(listing.refs(sorted(such)))
            break
    reading.take(phrase.begin, phrase.end)


def _take_edition(phrase: Phrase, reading: Reading, listing: Listing, meant: Meant) -> None:
    """The 2024 of "travel policy 2023 and 2024"."""
    titles = listing.ready
    places = [place for one in meant.resolved if (place := titles.place(one)) is not None]
    others = set(editions(titles, places, alike=False)) & set(titles.fitting(phrase.words))
    meant.add(listing.refs(sorted(others)))
    if others:
        reading.take(phrase.begin, phrase.end)


def _few(found: Sequence[int], listing: Listing, bare: bool, needs: bool) -> bool:
    known = {one.id for one in (*listing.last, *listing.before())}
    if any(listing.titles[place].document_id in known for place in found):
        return True
    return needs or not bare or len(found) <= MOST_CANDIDATES


def _missing(phrase: Phrase, reading: Reading, listing: Listing, meant: Meant, needs: bool) -> None:
    """A name that nobody has; "the contract", where no title says so, is what was spoken of."""
    if phrase.noun and reading.gap(phrase.end) == "" and _goes_on(reading.at(phrase.end)):
        return  # "the audit committee"
    if not phrase.telling and not phrase.quoted:
        if len(listing.lately()) == 1 and phrase.definite:
            meant.implicit = True
            meant.add(listing.lately())
        elif needs and phrase.definite:
            meant.miss(reading.raw(phrase.begin, phrase.end))
        return
    plain = phrase.definite or _has_capital(phrase, reading) or phrase.quoted
    known = meant.resolved or meant.candidates
    if not (phrase.cue or (plain and not (phrase.quoted and known))):
        return
    if phrase.noun and not plain:
        return
    end = phrase.end
    if phrase.linked:
        end = min(phrase.end + 1 + len(phrase.after), len(reading.words))
    meant.miss(reading.raw(phrase.begin, end))


def _take_likely(
    phrase: Phrase, reading: Reading, listing: Listing, meant: Meant, action: ChatAction
) -> None:
    """A name that does not say that it is a document: it is one where it is the whole of what a title says,
    or where what it says is asked for.
    """
    titles = listing.ready
    found, fuzzy = look_up(titles, phrase, reading)
    plain = phrase.cue or action != "inquire"
    if found and not (phrase.cue and len(phrase.words) > 1):
        whole = [place for place in found if covers(titles.words[place], phrase.words)]
        found = whole or (found if plain and len(found) == 1 else [])
    if not found or len(found) > MOST_CANDIDATES:
        return
    if len(found) > 1 and not plain:
        return
    _choose(found, listing, meant)
    meant.fuzzy = meant.fuzzy or fuzzy
    reading.take(phrase.begin, phrase.end)


def _take_object(
    phrase: Phrase, reading: Reading, listing: Listing, meant: Meant, action: ChatAction
) -> None:
    """What an action may be done with. A name that nobody has is one only where nothing else is meant."""
    found, fuzzy = look_up(listing.ready, phrase, reading)
    if all(numeric(one) for one in phrase.words):
        if action == "compare":
            _take_edition(phrase, reading, listing, meant)
        return
    if found and len(found) <= MOST_CANDIDATES:
        if len(found) == 2 and not TWO.isdisjoint(phrase.words):
            meant.add(listing.refs(found))
        else:
            _choose(found, listing, meant)
        meant.fuzzy = meant.fuzzy or fuzzy
        reading.take(phrase.begin, phrase.end)


def _choose(found: Sequence[int], listing: Listing, meant: Meant) -> None:
    """One of these is meant: the one that was spoken of, if just one was."""
    refs = listing.refs(found)
    for spoken in (listing.lately(), listing.before()):
        ids = {one.id for one in spoken}
        known = tuple(one for one in refs if one.id in ids)
        if len(known) == 1:
            meant.add(known)
            return
    meant.perhaps(refs)


def _goes_on(word: str) -> bool:
    """Whether a word after a kind of document makes another thing of it."""
    return bool(word) and word not in STOP and not numeric(word)


def _has_capital(phrase: Phrase, reading: Reading) -> bool:
    return any(
        word.capital and (phrase.begin + at > 0)
        for at, word in enumerate(reading.words[phrase.begin : phrase.end])
    )
