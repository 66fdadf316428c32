"""Words that answer "which one?": numbers, ordinals, all and none, in the languages people say them in.

Written without accents and in lower case, as `app.engines.risk.lexicon.words` reads a text.
"""

from collections.abc import Mapping
from types import MappingProxyType

from app.text.languages import numbers, vocabulary

NUMBERS: Mapping[str, int] = MappingProxyType(numbers("choices.numbers"))
LAST = vocabulary("choices.last")
BOTH = vocabulary("choices.both")
ALL = vocabulary("choices.all")
NONE = vocabulary("choices.none")
FILLERS = vocabulary("choices.fillers")
"""Said around what is meant, and meaning nothing by itself."""
WEAK = vocabulary("choices.weak")
"""The number one only where no other is said: "the second one"."""
AND = vocabulary("choices.and")
TO = vocabulary("choices.to")
