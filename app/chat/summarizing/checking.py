"""What a model said, sentence by sentence, as far as the passages hold it."""

from collections.abc import Mapping, Sequence

from app.chat.evidence import Cited, Claim, reading, supports
from app.chat.evidence.wording import root, tells, tongue, words_of
from app.chat.summarizing.drafting import Line
from app.chat.summarizing.replies import Merged, Summarized
from app.domain.chat import Evidence

MOST_CLAIMS = 300  # of one reply: beyond that it is no summary
MOST_CITES = 4
# Of the telling words of a sentence, those that its passage has. A summary is to be close to the words,
# and is read without the passage: it is held to more than `supports` asks of an answer.
SAID = 0.7


def lines_of(reply: Summarized, known: Mapping[str, Evidence]) -> tuple[list[Line], int]:
    """The sentences that hold, and how many do not."""
    kept: list[Line] = []
    dropped = 0
    for said in reply.claims[:MOST_CLAIMS]:
        cites = [Cited(one.ref.strip().strip("[]"), one.quote) for one in said.cites[:MOST_CITES]]
        for sentence in reading.split(reading.unmarked(said.text)):
            line = held(sentence, cites, known)
            kept += [line] if line else []
            dropped += line is None
    return kept, dropped


def merged_lines(
    reply: Merged, claims: Mapping[str, Line], known: Mapping[str, Evidence]
) -> tuple[list[Line], int]:
    """Likewise where claims were joined: each stands on what those stand on. One that no passage holds
    gives way to the first that it was made of.
    """
    kept: dict[str, Line] = {}
    dropped = 0
    for joined in reply.claims[:MOST_CLAIMS]:
        of = [claims[name] for one in joined.of if (name := one.strip().strip("[]")) in claims]
        cites = [cite for line in of for cite in line.claim.cites]
        for sentence in reading.split(reading.unmarked(joined.text)):
            line = held(sentence, cites, known)
            dropped += line is None
            line = line or (of[0] if of else None)
            if line is not None:
                kept.setdefault(line.claim.text.casefold(), line)
    return list(kept.values()), dropped


def held(sentence: str, cites: Sequence[Cited], known: Mapping[str, Evidence]) -> Line | None:
    """The sentence with those of its citations that hold it; by another place of the passage where the
    quote is not to be found there.
    """
    holding = [
        better
        for one in cites
        if one.ref in known and (better := _better(sentence, one, known[one.ref]))
    ]
    if not holding:
        return None
    return Line(Claim(sentence, tuple(dict.fromkeys(holding))), known[holding[0].ref].heading_path)


def _better(sentence: str, cite: Cited, evidence: Evidence) -> Cited | None:
    if not _close(sentence, evidence):
        return None
    if supports(sentence, cite.quote, evidence):
        return cite
    return Cited(cite.ref) if cite.quote and supports(sentence, "", evidence) else None


def _close(sentence: str, evidence: Evidence) -> bool:
    """Whether most of the words are the passage's own, their endings aside."""
    language = tongue(sentence)
    words = {root(one, language) for one in words_of(sentence) if tells(one)}
    around = " ".join((evidence.text, evidence.title, *evidence.heading_path))
    there = {root(one, language) for one in words_of(around)}
    return len(words & there) >= SAID * len(words)
