"""How long a summary is to be, as the message asks for it."""

import math
from dataclasses import dataclass, replace
from typing import Literal

Shape = Literal["prose", "list"]

FEWEST, MOST = 5, 8  # sentences where no length is asked for, of a short and of a long document
PER_PARAGRAPH = 4  # sentences
LONGEST = 200  # sentences, whatever is asked for: an hour's reading is no summary
MOST_WORDS = 5_000
DETAILED = 3  # times the usual length
BRIEF, SHORT = 2, 3  # sentences of "very briefly" and of "short"


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """At most so many `sentences` (items, in a list), `words` and `characters` in all, and `words_each` in
    one; None where that is not limited. Prose is divided into `paragraphs`. `times` the usual length is
    meant where no number is asked for. `each`: for each document, not for all of them.
    """

    shape: Shape = "prose"
    sentences: int | None = None
    words: int | None = None
    characters: int | None = None
    words_each: int | None = None
    paragraphs: int | None = None
    times: float = 1.0
    each: bool = False

    @property
    def open(self) -> bool:
        """Whether no number is asked for."""
        return self.sentences is None and self.words is None and self.characters is None

    def settled(self, tokens: int) -> "Length":
        """With a number of sentences, for documents of so many tokens: 5 up to 500, one more for
        each doubling after that, 8 from 4,000 on.
        """
        if not self.open:
            return self
        doubled = math.log2(max(tokens, 500) / 500)
        usual = min(FEWEST + int(doubled), MOST)
        if self.paragraphs is not None:
            usual = PER_PARAGRAPH * self.paragraphs + (self.paragraphs == 1)
        return replace(self, sentences=min(round(usual * self.times), LONGEST))

    def told(self) -> str:
        """For a model, in a sentence."""
        what = "items of a list" if self.shape == "list" else "sentences"
        parts = [f"{self.sentences} {what}"] if self.sentences else []
        parts += [f"{self.words} words"] if self.words else []
        parts += [f"{self.characters} characters"] if self.characters else []
        parts += [f"{self.words_each} words in each of them"] if self.words_each else []
        return f"at most {', '.join(parts)}"
