"""What a model is asked."""

from collections.abc import Mapping, Sequence

from app.chat.summarizing.drafting import Line
from app.chat.summarizing.length import Length
from app.chat.summarizing.packing import Excerpt
from app.chat.summarizing.replies import Merged, Summarized
from app.chat.summarizing.sources import Source
from app.llm.fence import NAME, new_tag
from app.llm.port import ModelRequest
from app.llm.prompting import fill
from app.llm.writing import Writing, joined

TEMPLATE, MERGED = "summarizing.v1", "summarizing_merged.v1"
LONGEST_ASKED = 1_000  # characters of the message
LONGEST_TITLE = 200
A_CLAIM = 120  # tokens of a claim with its quote
LEAST_OUTPUT, MOST_OUTPUT = 600, 8_000  # tokens
A_SENTENCE = 15  # words
LONGEST_QUOTE = 25


def of_passages(
    asked: str,
    excerpts: Sequence[Excerpt],
    sources: Sequence[Source],
    lengths: Mapping[int, Length],
) -> ModelRequest[Summarized]:
    """The claims about these passages."""
    write = Writing(new_tag())
    shown: list[str] = []
    last = -1
    for one in excerpts:
        if one.source != last:
            shown.append(_titled(one.source, sources))
        last = one.source
        path = " > ".join(one.evidence.heading_path)
        shown.append(f"[{one.evidence.ref}] {path}\n{one.text}")
    prompt = [
        write.trusted("Asked", asked[:LONGEST_ASKED]),
        _lengths(lengths),
        write.fenced("Passages", *shown),
    ]
    return ModelRequest(
        purpose="summarize",
        system=fill(TEMPLATE, fence=NAME, words=str(LONGEST_QUOTE)),
        template=TEMPLATE,
        prompt=joined(prompt),
        reply=Summarized,
        tier="fast",
        max_output_tokens=_output(lengths),
    )


def of_claims(
    asked: str,
    claims: Mapping[str, Line],
    source_of: Mapping[str, int],
    sources: Sequence[Source],
    lengths: Mapping[int, Length],
) -> ModelRequest[Merged]:
    """One summary of the claims about parts."""
    write = Writing(new_tag())
    shown: list[str] = []
    last = -1
    for name, line in claims.items():
        source = source_of[line.claim.cites[0].ref]
        if source != last:
            shown.append(_titled(source, sources))
        last = source
        shown.append(f"[{name}] {line.claim.text}")
    prompt = [
        write.trusted("Asked", asked[:LONGEST_ASKED]),
        _lengths(lengths),
        write.fenced("Claims", *shown),
    ]
    return ModelRequest(
        purpose="summarize",
        system=fill(MERGED, fence=NAME),
        template=MERGED,
        prompt=joined(prompt),
        reply=Merged,
        tier="fast",
        max_output_tokens=_output(lengths),
    )


def claims_of(length: Length) -> int:
    """How many sentences that is, at most."""
    if length.sentences is not None:
        return length.sentences
    words = length.words if length.words is not None else (length.characters or 0) // 6
    return max(1, words // A_SENTENCE)


def _titled(source: int, sources: Sequence[Source]) -> str:
    return f"Document {source + 1}: {sources[source].document.title[:LONGEST_TITLE]}"


def _lengths(lengths: Mapping[int, Length]) -> str:
    if len(lengths) == 1:
        return f"Length: {next(iter(lengths.values())).told()}."
    return "\n".join(f"Length for document {at + 1}: {one.told()}." for at, one in lengths.items())


def _output(lengths: Mapping[int, Length]) -> int:
    wanted = sum(claims_of(one) for one in lengths.values()) * A_CLAIM
    return min(LEAST_OUTPUT + wanted, MOST_OUTPUT)
