"""What an act does, in the words that the model, the code and the policy share."""

from typing import Literal, get_args

Effect = Literal["reads", "fills", "saves", "ends", "grants", "sends", "pays", "deletes"]
"""From what needs no thought to what is hardest to undo; `ends` is signing out, `sends` is also publishing
and deciding for others.
"""
EFFECTS: tuple[Effect, ...] = get_args(Effect)
CONSEQUENTIAL: frozenset[Effect] = frozenset({"grants", "sends", "pays", "deletes"})

Concern = Effect | Literal["outside", "new_site"]
"""Why a person is asked: an effect, a site that nobody named or allowed (`outside`), or the first act on a
site that the run came to by itself (`new_site`).
"""


def graver(*effects: Effect) -> Effect:
    """The gravest of them."""
    return max(effects, key=EFFECTS.index)
